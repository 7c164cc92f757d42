// Edits are applied to the feed whose rows are on display.
extension QueryFeed {
  /// Changes an item on screen at once, sends the change, and undoes it if that fails.
  ///
  /// See `Feed.update(_:optimistically:commit:)`.
  ///
  /// - Throws: what `commit` threw; the change is undone by then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    try await feed.update(id, optimistically: change, commit: commit)
  }

  /// Shows a new item at once, sends it, and removes it if that fails.
  ///
  /// See `Feed.insert(_:after:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is removed by then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    try await feed.insert(item, after: other, commit: commit)
  }

  /// Removes an item at once, sends the deletion, and restores the item if that fails.
  ///
  /// See `Feed.remove(_:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is restored by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    try await feed.remove(id, commit: commit)
  }
}
