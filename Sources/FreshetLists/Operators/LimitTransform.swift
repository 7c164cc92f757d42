/// A transform that keeps the first rows of a list, up to a limit.
@usableFromInline
package struct LimitTransform<Item: ListItem>: ListTransform {
  /// The rows that are shown.
  @usableFromInline package private(set) var rows = RowTree<Item>()
  private let limit: Int

  /// Creates a transform that shows at most `limit` rows.
  @usableFromInline
  package init(_ limit: Int) { self.limit = max(0, limit) }

  /// Applies edits, and inserts or removes rows at the end to keep to the limit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* edits.
  @usableFromInline
  package mutating func apply(_ edits: RowEdits, to input: RowTree<Item>) -> RowEdits {
    var edits = edits
    let after = min(limit, input.count)
    edits.limit(before: rows.count, after: after)
    rows = input.slice(0..<after)
    return edits
  }
}
