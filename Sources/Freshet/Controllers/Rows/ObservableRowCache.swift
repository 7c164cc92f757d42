internal import FreshetLists

/// The rows that views hold.
@MainActor
struct ObservableRowCache<Item: ListItem> {
  private struct Handle {
    weak var row: ObservableRow<Item>?
  }

  private var handles: [Item.ID: Handle] = [:]
  /// The number of rows at which rows without a holder are forgotten.
  private var limit = 64

  /// The number of rows, held or not.
  var count: Int { handles.count }

  subscript(id: Item.ID) -> ObservableRow<Item>? { handles[id]?.row }

  /// - Complexity: O(1), on average over many.
  mutating func add(_ row: ObservableRow<Item>) {
    if handles.count >= limit {
      handles = handles.filter { $0.value.row != nil }
      limit = max(64, 2 * handles.count)
    }
    handles[row.id] = Handle(row: row)
  }

  /// Updates the held rows that a step changed.
  ///
  /// It looks at all held rows if those are fewer.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - path: returns the path of an item after the step.
  func show(_ step: ListStep<ListRow<Item>>, path: (Item.ID) -> RowPath?) {
    guard step.refs.rowsNamed <= 4 * handles.count + 64 else {
      let after = step.after
      for handle in handles.values {
        guard let row = handle.row else { continue }
        row.show(path(row.id).flatMap { after[$0].item })
      }
      return
    }
    var deleted: [Item.ID: ObservableRow<Item>] = [:]
    step.forEachDeletedRow { row in
      if let id = row.item?.id, let handle = self[id] { deleted[id] = handle }
    }
    step.forEachInsertedOrUpdatedRow { row in
      guard let item = row.item, let handle = self[item.id] else { return }
      deleted[item.id] = nil
      handle.show(item)
    }
    for row in deleted.values { row.show(nil) }
  }

  /// Updates which held rows have edits that the source has not confirmed.
  func show<ID>(_ old: ItemIDs<ID>, _ new: ItemIDs<ID>) where ID == Item.ID {
    if old.count + new.count > handles.count {
      for handle in handles.values {
        if let row = handle.row { row.show(isPending: new.contains(row.id)) }
      }
    } else {
      for id in old { self[id]?.show(isPending: new.contains(id)) }
      for id in new { self[id]?.show(isPending: true) }
    }
  }
}

extension ListStep {
  /// Calls `body` for each row that was deleted, or whose section was.
  func forEachDeletedRow(_ body: (Item) -> Void) {
    for path in changes.deletedRows { body(before[path]) }
    for section in changes.deletedSections { before.sections[section].rows.forEach(body) }
  }

  /// Calls `body` for each row that was inserted or updated, or whose section was inserted.
  func forEachInsertedOrUpdatedRow(_ body: (Item) -> Void) {
    for section in changes.insertedSections { after.sections[section].rows.forEach(body) }
    for path in changes.insertedRows { body(after[path]) }
    for path in changes.updatedRows { body(after[path]) }
  }
}
