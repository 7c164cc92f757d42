internal import FreshetLists

/// The rows as they are shown: as one list, or in sections by a key.
///
/// A gap belongs to the section of the row above it. The key of an item is asked for when it comes or
/// changes: until then it stays in its section, whatever its key would be now.
struct FeedSections<Item: ListItem>: Sendable {
  private var sections: SectionedRows<FeedRow<Item>>?
  private(set) var snapshot = ListSnapshot<FeedRow<Item>>()

  init(by key: (@Sendable (Item) -> String)?) {
    sections = key.map { key in SectionedRows { $0.item.map(key) } }
  }

  /// Where a row is shown.
  ///
  /// - Complexity: O(log *n*).
  func path(of index: Int) -> RowPath? {
    if let sections { return sections.path(of: index) }
    return index < snapshot.count ? RowPath(section: 0, row: index) : nil
  }

  /// Takes in what became of the rows.
  ///
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* rows changed (rule C4).
  mutating func apply(_ edits: RowEdits, to rows: RowTree<FeedRow<Item>>) -> ListChanges {
    let before = snapshot
    if let changes = sections?.apply(edits, to: rows) {
      snapshot = sections?.snapshot ?? snapshot
      return changes
    }
    snapshot = ListSnapshot(rows)
    let stays = before.count > 0 && snapshot.count > 0
    return ListChanges(
      from: before, to: snapshot,
      edits: stays ? [SectionEdits(before: 0, after: 0, rows: edits)] : [])
  }
}
