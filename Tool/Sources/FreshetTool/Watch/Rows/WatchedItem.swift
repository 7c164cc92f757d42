import Freshet
import FreshetHTTP

/// A row of any JSON list.
struct WatchedItem: ListItem {
  let id: RowID
  let section: String
  let title: String
  /// The whole row, as JSON.
  let text: String
  /// The row without the values to ignore; `nil` if it has none of them.
  private let compared: String?

  /// Creates a row from its JSON.
  ///
  /// - Throws: an error with the value at the place of the id; with `nil` if there is no value.
  init(_ value: JSONValue, _ places: WatchedPlaces) throws(NoID) {
    let found = value[places.id.tokens]
    guard let id = found.flatMap(RowID.init) else { throw NoID(found: found) }
    self.id = id
    section = places.section?.name(of: value) ?? ""
    title = places.title(of: value)
    text = JSONText.text(value)
    let ignored = places.ignored.filter { value[$0.tokens] != nil }
    compared =
      ignored.isEmpty ? nil : JSONText.text(ignored.reduce(value) { $0.removing($1.tokens) })
  }

  struct NoID: Error {
    let found: JSONValue?
  }

  /// Returns whether both are the same row with the same contents, apart from ignored values.
  static func == (first: WatchedItem, second: WatchedItem) -> Bool {
    first.id == second.id
      && (first.compared ?? first.text).utf8.elementsEqual((second.compared ?? second.text).utf8)
  }
}

/// The places of a row's values.
struct WatchedPlaces: Sendable {
  var id: JSONPointer = "/id"
  var title: JSONPointer?
  var section: SectionPlace?
  /// The values that are not compared, and whose changes are not reported.
  var ignored: [JSONPointer] = []

  func title(of value: JSONValue) -> String {
    if let title { return value[title.tokens]?.text ?? "" }
    return ["title", "name", "summary", "message", "text"].lazy.compactMap { value[[$0]]?.text }
      .first ?? ""
  }
}
