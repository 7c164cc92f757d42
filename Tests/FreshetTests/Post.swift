@testable import Freshet

/// A row as tests use it.
struct Post: ListItem, Codable, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}

extension ListValue<Post> {
  /// Ids on a line, gaps as `|`.
  var outline: String { rows.outline }
}

extension Sequence<ListRow<Post>> {
  /// Ids on a line, gaps as `|`.
  var outline: String {
    map { row in row.item.map { "\($0)" } ?? "|" }.joined(separator: " ")
  }
}
