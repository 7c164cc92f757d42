#if Postgres
  /// An encoder that collects the names under which a value is encoded.
  ///
  /// It includes the names of absent values, which JSON leaves out.
  final class ColumnNames: Encoder {
    private(set) var names: Set<String> = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Returns the names of a value's parts.
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

    /// A container that records keys and ignores values.
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

    /// A container that ignores values.
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
