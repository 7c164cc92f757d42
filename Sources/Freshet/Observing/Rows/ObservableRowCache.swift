internal import FreshetLists

/// The rows that somebody holds.
@MainActor
struct ObservableRowCache<Item: ListItem> {
  private struct Handle {
    weak var row: ObservableRow<Item>?
  }

  private var handles: [Item.ID: Handle] = [:]
  /// How many may be there before those are forgotten that nobody holds.
  private var limit = 64

  /// How many there are, held or not.
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

  /// Shows what became of the rows that changed, or of all that are held where those are fewer.
  ///
  /// - Parameters:
  ///   - step: how they changed.
  ///   - path: the place of an item after the step.
  func show(_ step: ListStep<ListRow<Item>>, path: (Item.ID) -> RowPath?) {
    guard step.refs.rowsNamed <= 4 * handles.count + 64 else {
      let after = step.after
      for handle in handles.values {
        guard let row = handle.row else { continue }
        row.show(path(row.id).flatMap { after[$0].item })
      }
      return
    }
    var gone: [Item.ID: ObservableRow<Item>] = [:]
    step.forEachRowThatWent { row in
      if let id = row.item?.id, let handle = self[id] { gone[id] = handle }
    }
    step.forEachRowThatCame { row in
      guard let item = row.item, let handle = self[item.id] else { return }
      gone[item.id] = nil
      handle.show(item)
    }
    for row in gone.values { row.show(nil) }
  }

  /// Shows whose edits are being sent, and whose no longer.
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
  /// Calls for each row that was there before and may be no more: it went, or its section did.
  func forEachRowThatWent(_ body: (Item) -> Void) {
    for path in changes.deletedRows { body(before[path]) }
    for section in changes.deletedSections { before.sections[section].rows.forEach(body) }
  }

  /// Calls for each row that came, or is another one now.
  func forEachRowThatCame(_ body: (Item) -> Void) {
    for section in changes.insertedSections { after.sections[section].rows.forEach(body) }
    for path in changes.insertedRows { body(after[path]) }
    for path in changes.updatedRows { body(after[path]) }
  }
}
