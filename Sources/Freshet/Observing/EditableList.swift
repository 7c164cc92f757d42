internal import FreshetLists

/// A list whose items can be edited on screen before their source has the edits.
///
/// ```swift
/// try await jobs.update(job.id, optimistically: { $0.isDone = true }) {
///   try await store.write(updating: [job.done])
/// }
/// ```
///
/// Answers and changes of the source are shown with the edits applied to them. Several edits of an
/// item apply in the order they were made, and one that fails is undone alone (rule R6).
public protocol EditableList<Item>: LiveList {
  /// Changes an item on screen at once, sends the change, and undoes it if that fails.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - change: the change. It is applied again to each answer until the source has confirmed it:
  ///     set values instead of incrementing them.
  ///   - commit: sends the change. If it returns an item with this id, that item is shown.
  /// - Returns: what `commit` returned.
  /// - Throws: what `commit` threw; the change is undone by then.
  @discardableResult
  func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer

  /// Shows a new item at once, sends it, and removes it if that fails.
  ///
  /// - Parameters:
  ///   - item: the item, with any id that is not in use.
  ///   - other: the item after which it is shown, if the list has no order of its own; `nil` for
  ///     the head.
  ///   - commit: sends the item and returns it as the source stored it, perhaps with another id.
  /// - Returns: the item as the source stored it.
  /// - Throws: what `commit` threw; the item is removed by then.
  @discardableResult
  func insert(
    _ item: Item, after other: Item.ID?, commit: () async throws -> Item
  ) async throws -> Item

  /// Removes an item at once, sends the deletion, and restores the item if that fails.
  ///
  /// - Throws: what `commit` threw; the item is restored by then.
  func remove(_ id: Item.ID, commit: () async throws -> Void) async throws
}

extension EditableList {
  /// Sends an edit that is on display, and then confirms or undoes it.
  ///
  /// - Parameters:
  ///   - commit: sends the edit.
  ///   - confirm: is called with the item that `commit` returned, if it returned one.
  ///   - undo: is called if `commit` throws.
  /// - Returns: what `commit` returned.
  func send<Answer: Sendable>(
    _ commit: () async throws -> Answer, confirm: (AnyItem?) async -> Void,
    undo: () async -> Void
  ) async throws -> Answer {
    do {
      let answer = try await commit()
      await confirm((answer as? Item).map { AnyItem($0) })
      return answer
    } catch {
      await undo()
      throw error
    }
  }
}
