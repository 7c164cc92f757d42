import Freshet

/// The value that identifies a row: a text, a number or a truth value, as it was sent.
///
/// `1` is not `"1"`, `1.10` is not `1.1`, and texts are compared byte by byte.
struct RowID: Hashable, Sendable, CustomStringConvertible {
  private let id: BinaryText

  /// Creates an id from a value; `nil` for `null`, arrays and objects.
  init?(_ value: JSONValue) {
    guard value.text != nil else { return nil }
    id = BinaryText(JSONText.text(value))
  }

  /// The id as JSON.
  var json: String { id.text }

  /// The id as people read it: a text without its quotes.
  var shown: String {
    guard json.first == "\"", let text = try? JSONReader.value(of: json.utf8).text else {
      return json
    }
    return text.visible
  }

  var description: String { json }
}
