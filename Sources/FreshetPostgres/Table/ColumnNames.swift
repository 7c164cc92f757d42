#if Postgres
  /// The names that a value is encoded under, those of absent values too, which JSON leaves out.
  final class ColumnNames: Encoder {
    private(set) var names: Set<String> = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// The names of a value's parts.
    static func of(_ value: some Encodable) throws -> Set<String> {
      let recorder = ColumnNames()
      try value.encode(to: recorder)
      return recorder.names
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(Container { [self] in names.insert($0.stringValue) })
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { Nothing() }
    func singleValueContainer() -> any SingleValueEncodingContainer { Nothing() }

    /// Records keys, and takes no values.
    private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
      let record: (any CodingKey) -> Void
      let codingPath: [any CodingKey] = []

      mutating func encodeNil(forKey key: Key) { record(key) }
      mutating func encode(_ value: some Encodable, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: String?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Double?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Float?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Int?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) { record(key) }
      mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) { record(key) }
      mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
      ) -> KeyedEncodingContainer<NestedKey> {
        record(key)
        return KeyedEncodingContainer(ColumnNames.Container<NestedKey> { _ in })
      }
      mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        record(key)
        return Nothing()
      }
      mutating func superEncoder() -> any Encoder { ColumnNames() }
      mutating func superEncoder(forKey key: Key) -> any Encoder {
        record(key)
        return ColumnNames()
      }
    }

    /// Takes values, and keeps none.
    private struct Nothing: UnkeyedEncodingContainer, SingleValueEncodingContainer {
      let codingPath: [any CodingKey] = []
      let count = 0

      mutating func encodeNil() {}
      mutating func encode(_ value: some Encodable) {}
      mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
      ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(Container<NestedKey> { _ in })
      }
      mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Nothing() }
      mutating func superEncoder() -> any Encoder { ColumnNames() }
    }
  }
#endif
