extension ListController where List: EditableList {
  /// Changes an item on screen at once, sends the change, and undoes it if that fails.
  ///
  /// See `EditableList.update(_:optimistically:commit:)`.
  ///
  /// - Throws: the error of `commit`; the change is undone by then.
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

  /// Inserts an item on screen at once, sends it, and removes it if that fails.
  ///
  /// See `EditableList.insert(_:after:commit:)`.
  ///
  /// - Throws: the error of `commit`; the item is removed by then.
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

  /// Removes an item on screen at once, sends the deletion, and restores the item if that fails.
  ///
  /// See `EditableList.remove(_:commit:)`.
  ///
  /// - Throws: the error of `commit`; the item is restored by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    defer { catchUp() }
    try await list.remove(id) {
      catchUp()
      try await commit()
    }
  }
}
