internal import FreshetLists

/// The rows as they are shown: as one list, or in sections by a key.
///
/// A gap belongs to the section of the row above it. The key of an item is read when the item is
/// inserted or updated. Until then the item stays in its section, whatever its key would be now.
struct FeedSections: Sendable {
  private var sections: SectionedRows<ListRow<AnyItem>>?
  private(set) var snapshot = ListSnapshot<ListRow<AnyItem>>()

  init(by key: (@Sendable (AnyItem) -> String)?) {
    sections = key.map { key in SectionedRows { $0.item.map(key) } }
  }

  /// Applies edits of the rows, and returns the changes of the list.
  ///
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* rows changed (rule C4).
  mutating func apply(_ edits: RowEdits, to rows: RowTree<ListRow<AnyItem>>) -> ListChanges {
    if let changes = sections?.apply(edits, to: rows) {
      snapshot = sections?.snapshot ?? snapshot
      return changes
    }
    return snapshot.become(rows, by: edits)
  }
}

extension ListSnapshot {
  /// Shows rows as one section, after edits of the rows before.
  mutating func become(_ rows: RowTree<Item>, by edits: RowEdits) -> ListChanges {
    let before = self
    self = ListSnapshot(rows)
    let stays = before.count > 0 && count > 0
    return ListChanges(
      from: before, to: self,
      edits: stays ? [SectionRowEdits(before: 0, after: 0, rows: edits)] : [])
  }
}
