extension ListController where List: EditableList {
  /// Changes an item on screen at once, sends the change, and undoes it if that fails.
  ///
  /// See `EditableList.update(_:optimistically:commit:)`.
  ///
  /// - Throws: what `commit` threw; the change is undone by then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    defer { catchUp() }
    return try await list.update(id, optimistically: change) {
      catchUp()
      return try await commit()
    }
  }

  /// Shows a new item at once, sends it, and takes it out again if that fails.
  ///
  /// See `EditableList.insert(_:after:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is gone by then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    defer { catchUp() }
    return try await list.insert(item, after: other) {
      catchUp()
      return try await commit()
    }
  }

  /// Takes an item out at once, sends the deletion, and puts it back if that fails.
  ///
  /// See `EditableList.remove(_:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is back by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    defer { catchUp() }
    try await list.remove(id) {
      catchUp()
      try await commit()
    }
  }
}
