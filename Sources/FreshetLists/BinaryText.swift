/// A text that equals another one only where their bytes do: an id for items of a database.
///
/// To Swift's `String`, texts that differ in how their accents are written are one: `é` as one
/// character, and as `e` with an accent behind it. To SQLite, PostgreSQL and most web services
/// they are two. Rows whose ids differ by that alone are two items to a list if the ids are of this
/// type, and one if they are `String`.
///
/// ```swift
/// struct Place: ListItem, Codable {
///   var id: BinaryText
///   var name: String
/// }
/// let place = Place(id: "Orléans", name: "Orléans")
/// ```
///
/// It is encoded as the text, and ordered by its bytes in UTF-8, which is the order of code points.
public struct BinaryText: Hashable, Sendable {
  /// The text, as it was written.
  public let text: String

  /// Creates a text that is compared by its bytes.
  public init(_ text: String) { self.text = text }

  /// Whether the bytes are the same.
  ///
  /// - Complexity: O(bytes).
  public static func == (first: BinaryText, second: BinaryText) -> Bool {
    first.text.utf8.count == second.text.utf8.count
      && first.text.utf8.elementsEqual(second.text.utf8)
  }

  /// Hashes the text as `String` does: texts of the same bytes are one text to it, too.
  ///
  /// - Complexity: O(bytes).
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension BinaryText: Comparable {
  /// Whether the first text comes before the second one, by their bytes.
  public static func < (first: BinaryText, second: BinaryText) -> Bool {
    first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
  }
}

extension BinaryText: Codable {
  /// Reads a text from a single value.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text as a single value.
  ///
  /// - Complexity: O(bytes).
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension BinaryText: ExpressibleByStringLiteral, LosslessStringConvertible {
  /// Creates the text that is written in the code.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text itself, without quotation marks.
  public var description: String { text }
}
