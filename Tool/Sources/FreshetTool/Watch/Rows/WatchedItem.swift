import Freshet
import FreshetHTTP

/// A row of any JSON list.
struct WatchedItem: ListItem {
  let id: RowID
  let section: String
  let title: String
  /// The whole row, as JSON.
  let text: String
  /// The row without what is to be ignored; `nil` where that is nothing.
  private let compared: String?

  /// Reads a row.
  ///
  /// - Throws: what stands where the id belongs; `nil` for nothing.
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

  /// Whether both are the same row with the same contents, but for what is to be ignored.
  static func == (first: WatchedItem, second: WatchedItem) -> Bool {
    first.id == second.id
      && (first.compared ?? first.text).utf8.elementsEqual((second.compared ?? second.text).utf8)
  }
}

/// Where to find what in a row.
struct WatchedPlaces: Sendable {
  var id: JSONPointer = "/id"
  var title: JSONPointer?
  var section: SectionPlace?
  /// What is neither compared nor told of.
  var ignored: [JSONPointer] = []

  func title(of value: JSONValue) -> String {
    if let title { return value[title.tokens]?.text ?? "" }
    return ["title", "name", "summary", "message", "text"].lazy.compactMap { value[[$0]]?.text }
      .first ?? ""
  }
}
