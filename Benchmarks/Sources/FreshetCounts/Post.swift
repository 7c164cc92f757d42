import FreshetLists

/// A row with two texts.
struct Post: ListItem, Codable {
  let id: Int
  var author: String
  var title: String

  init(_ id: Int, version: Int = 0) {
    self.id = id
    author = "author number \(id % 97)"
    title = "title \(version) of row \(id &* 7_919 % 100_003)"
  }
}
