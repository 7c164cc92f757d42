internal import FreshetLists

/// A list that shows the mutations of an outbox.
struct AttachedList: Sendable {
  weak let list: (any AnyObject & Sendable)?
  /// The name by which insertions find the list again after a relaunch.
  var name: String?
  /// Shows an edit, if the list still exists and has items of its type.
  let show: @Sendable (_ edit: Any, _ target: Any) -> OverlayEdit?
  /// Returns once all edits that were shown are on display, also in a list that is busy.
  let awaitEdits: @Sendable () async -> Void

  init<List: EditableList>(_ list: List, as name: String?) {
    self.list = list
    self.name = name
    awaitEdits = { [weak list] in await list?.optimistic?.awaitEdits() }
    show = { [weak list] edit, target in
      guard let list, let edit = edit as? ItemEdit<List.Item>, let id = target as? List.Item.ID
      else { return nil }
      return list.display(edit, of: id)
    }
  }

  /// Returns whether the list shows a mutation.
  func shows(_ mutation: OutboxMutation) -> Bool {
    !mutation.isInsertion || mutation.list == nil || mutation.list == name
  }
}

/// An edit on display in one list, until its source decides.
struct OverlayEdit: Sendable {
  let confirm: @Sendable (AnyItem?) async -> Void
  let undo: @Sendable () async -> Void
  /// Returns whether the list displays the item of the edit, as far as it is known.
  let isDisplayed: @Sendable () async -> Bool
}

extension EditableList {
  /// The list that shows edits until they are confirmed or undone, if it can.
  fileprivate var optimistic: (any OptimisticList<Item>)? {
    let list: any EditableList<Item> = (self as? any FeedList<Item>)?.feed ?? self
    return list as? any OptimisticList<Item>
  }

  /// Shows an edit until it is confirmed or undone.
  fileprivate func display(_ edit: ItemEdit<Item>, of id: Item.ID) -> OverlayEdit {
    guard let list = optimistic else { return displayByCommit(edit, of: id) }
    return list.display(OptimisticEdit(edit, of: id), of: RowID(id, of: Item.self))
  }

  /// Shows an edit by the list's own functions, which begin with the next turn.
  private func displayByCommit(_ edit: ItemEdit<Item>, of id: Item.ID) -> OverlayEdit {
    let decision = AsyncThrowingStream<Item?, any Error>.makeStream()
    @Sendable func decided() async throws -> Item? {
      for try await item in decision.stream { return item }
      throw CancellationError()
    }
    Task {
      switch edit {
      case .update(let change):
        _ = try await update(id, optimistically: change) { try await decided() }
      case .insert(let item, let other):
        _ = try await insert(item, after: other) { try await decided() ?? item }
      case .delete: try await remove(id) { _ = try await decided() }
      case .move: break
      }
    }
    return OverlayEdit { item in
      decision.continuation.yield(item.map { Item._item(of: $0.row) })
    } undo: {
      decision.continuation.finish()
    } isDisplayed: {
      true
    }
  }
}

extension OptimisticList {
  fileprivate func display(_ edit: OptimisticEdit, of id: RowID) -> OverlayEdit {
    // The outbox knows which lists show it.
    let number = begin(edit, isShared: false)
    return OverlayEdit { [weak self] in
      await self?.confirm(number, as: $0)
    } undo: { [weak self] in
      await self?.undo(number)
    } isDisplayed: { [weak self] in
      await self?.displays(id) ?? false
    }
  }
}

extension OptimisticEdit {
  init<Item: ListItem>(_ edit: ItemEdit<Item>, of id: Item.ID) {
    switch edit {
    case .update(let change):
      self = .update(RowID(id, of: Item.self), by: AnyItem.change(by: change))
    case .insert(let item, let other):
      self = .insert(AnyItem(item), after: other.map { RowID($0, of: Item.self) })
    case .delete: self = .delete(RowID(id, of: Item.self))
    case .move(let other):
      self = .move(RowID(id, of: Item.self), after: other.map { RowID($0, of: Item.self) })
    }
  }
}
