internal import FreshetLists

/// What a source can find by the number of rows above it.
enum RowFinding: Sendable {
  case nothing
  /// The page that begins with a row.
  case rows
  /// The page that contains a row, as pages have fixed places.
  case pages
}

/// Rows to load in the middle of a gap, or far from an end of the list.
///
/// They become a segment of their own. On each side on which rows are missing, there is a gap.
struct Jump: Hashable, Sendable {
  /// The index in the whole list of the row that is wanted.
  let row: Int
  /// The gap, or the end.
  let edge: FeedEdge
  /// The side of the gap from which rows are skipped.
  let side: Gap.Side
  /// The number of rows to skip there.
  let skipped: Int
}

/// The position of a page by the number of rows between it and another one.
struct PageSkip: Hashable, Sendable {
  /// The number of rows to skip.
  var count: Int
  /// The key of a page in the other direction, to which the row that is found must belong, too.
  var end: PageKey?
}

/// A row that is not loaded.
struct UnloadedRow {
  /// The gap or the end that it belongs to.
  let edge: FeedEdge
  /// Its index among the rows there.
  let index: Int
  /// The number of rows there; `nil` if it is unknown, and after the last row.
  let count: RowTotal?
}
