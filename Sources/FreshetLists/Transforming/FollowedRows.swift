/// Lists one behind the other: drafts above a feed.
///
/// Ids are unique across the parts: parts of different types share a common enumeration.
public struct FollowedRows<Item: ListItem>: Sendable {
  /// The rows of all parts, the first part's first.
  public private(set) var rows = RowTree<Item>()
  private var counts: [Int]

  /// Creates so many empty parts.
  public init(parts: Int) { counts = Array(repeating: 0, count: parts) }

  /// Takes in what became of one part.
  ///
  /// - Complexity: O(parts + *k* log *n*) for *k* edits.
  public mutating func apply(
    _ edits: RowEdits, to input: RowTree<Item>, part: Int
  ) -> RowEdits {
    let start = counts[..<part].reduce(0, +)
    counts[part] = input.count
    let shifted = RowEdits(
      deleted: edits.deleted.map { start + $0 }, inserted: edits.inserted.map { start + $0 },
      updated: edits.updated.map { start + $0 })
    rows.perform(shifted) { input[$0 - start] }
    return shifted
  }
}
