/// What tells a row from all others: a text, a number or a truth value, as it was sent.
///
/// `1` is not `"1"`, `1.10` not `1.1`, and texts are compared byte by byte.
struct RowID: Hashable, Sendable, CustomStringConvertible {
  /// The id as JSON.
  let json: String

  /// The id that a value is; `nil` for `null`, arrays and objects.
  init?(_ value: JSONValue) {
    guard value.text != nil else { return nil }
    json = JSONText.text(value)
  }

  /// The id as people read it: a text without its quotes.
  var shown: String {
    guard json.first == "\"", let text = try? JSONReader.value(of: json.utf8).text else {
      return json
    }
    return text.visible
  }

  var description: String { json }

  static func == (first: RowID, second: RowID) -> Bool {
    first.json.utf8.elementsEqual(second.json.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
