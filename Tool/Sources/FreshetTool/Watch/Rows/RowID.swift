import Freshet

/// What tells a row from all others: a text, a number or a truth value, as it was sent.
///
/// `1` is not `"1"`, `1.10` not `1.1`, and texts are compared byte by byte.
struct RowID: Hashable, Sendable, CustomStringConvertible {
  private let id: BinaryText

  /// The id that a value is; `nil` for `null`, arrays and objects.
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
