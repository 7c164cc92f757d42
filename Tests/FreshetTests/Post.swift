@testable import Freshet

/// A row as tests use it.
struct Post: ListItem, Codable, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}

extension FeedValue<Post> {
  /// Ids on a line, gaps as `|`.
  var outline: String { line(rows) }
}

extension Timeline<Post> {
  /// Ids on a line, gaps as `|`.
  var outline: String { line(rows) }
}

private func line(_ rows: RowTree<FeedRow<Post>>) -> String {
  rows.map { row in row.item.map { "\($0)" } ?? "|" }.joined(separator: " ")
}
