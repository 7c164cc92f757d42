/// A text compared by its UTF-8 bytes, for ids from a database.
///
/// Swift's `String` treats the single character `é` and `e` followed by a combining accent as
/// equal. SQLite, PostgreSQL and most web services do not. Rows whose ids differ only in this way
/// are two items if the ids are of this type. They are one item if the ids are of type `String`.
///
/// ```swift
/// struct Place: ListItem, Codable {
///   var id: BinaryText
///   var name: String
/// }
/// let place = Place(id: "Orléans", name: "Orléans")
/// ```
///
/// The value is encoded as the text. It is ordered by its UTF-8 bytes, which is the order of code
/// points.
public struct BinaryText: Hashable, Sendable {
  /// The text, as it was written.
  public let text: String

  /// Creates a text that is compared by its bytes.
  public init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  /// Returns whether the bytes are the same.
  ///
  /// - Complexity: O(bytes).
  public static func == (first: BinaryText, second: BinaryText) -> Bool {
    unsafe first.withBytes { bytes in unsafe second.withBytes { unsafe bytes.elementsEqual($0) } }
  }

  /// Hashes the bytes, which `==` compares.
  ///
  /// - Complexity: O(bytes).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text.utf8.count)
    unsafe withBytes { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  private func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    // Proof that the result is not `nil`: `init` made the storage contiguous.
    unsafe text.utf8.withContiguousStorageIfAvailable(body)!
  }
}

extension BinaryText: Comparable {
  /// Returns whether the first text is ordered before the second one, by their bytes.
  public static func < (first: BinaryText, second: BinaryText) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }
}

extension BinaryText: Codable {
  /// Creates a text by decoding a single value.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the text as a single value.
  ///
  /// - Complexity: O(bytes).
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension BinaryText: ExpressibleByStringLiteral, LosslessStringConvertible {
  /// Creates a text from a string literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text itself, without quotation marks.
  public var description: String { text }
}
