/// The first rows of a list, up to a number.
@usableFromInline
package struct LimitTransform<Item: ListItem>: ListTransform {
  /// The rows that are shown.
  @usableFromInline package private(set) var rows = RowTree<Item>()
  private let limit: Int

  /// Creates a transform that shows so many rows at most.
  @usableFromInline
  package init(_ limit: Int) { self.limit = max(0, limit) }

  /// Shows rows that come into view at the end, and lets go those that are pushed out of it.
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
