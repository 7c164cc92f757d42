internal import FreshetLists

// Edits that are on display before the store has them.
extension LiveResults: OptimisticList {
  /// The time that the store has to report an edit; until then an accepted edit is shown.
  static var patience: Duration { .seconds(2) }

  /// Changes an item on screen at once, writes the change, and undoes it if writing fails.
  ///
  /// ```swift
  /// try await jobs.update(job.id, optimistically: { $0.isDone = true }) {
  ///   try await store.write(updating: [job.done])
  /// }
  /// ```
  ///
  /// The arrangement decides where the changed item is shown. The change is applied over the
  /// store's own item until the store reports it. If a running query does not report it within two
  /// seconds after `commit` returned, the store's own item is shown. If no query is running, the
  /// change stays until the next fetch. Results with an identity map keep it until a list learns a
  /// newer version.
  ///
  /// - Parameters:
  ///   - id: the id of the item.
  ///   - change: the change. It is applied again to each value of the item until the store reports
  ///     it, so it has to set values rather than count.
  ///   - commit: writes the change. If it returns an item with this id, that item is shown.
  /// - Returns: the value that `commit` returned.
  /// - Throws: the error that `commit` threw; the change is already undone then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    try await perform(.update(RowID(id, of: Item.self), by: AnyItem.change(by: change))) {
      try await commit()
    }
  }

  /// Shows a new item at once, writes it, and removes it again if writing fails.
  ///
  /// - Parameters:
  ///   - item: the item, under any id that is not in use.
  ///   - other: ignored here, because the arrangement decides where the item is shown.
  ///   - commit: writes the item, and returns the store's version, perhaps with another id.
  /// - Returns: the store's version of the item.
  /// - Throws: the error that `commit` threw; the item is already removed then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    try await perform(.insert(AnyItem(item), after: nil)) { try await commit() }
  }

  /// Removes an item at once, deletes it in the store, and restores it if that fails.
  ///
  /// - Throws: the error that `commit` threw; the item is already restored then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    try await perform(.delete(RowID(id, of: Item.self))) { try await commit() }
  }

  func begin(_ edit: OptimisticEdit, isShared: Bool) -> Int {
    let token = newNumber()
    perform { [sharing] engine in
      if isShared { sharing?.member.begin(edit, token: token) }
      return engine.machine.begin(edit, token: token)
    }
    return token
  }

  func confirm(_ edit: Int, as item: AnyItem?) async {
    await performed { [sharing] engine in
      engine.machine.confirmDrop(edit)
      guard let sharing else { return engine.machine.confirm(edit, as: item) }
      let (step, outcome) = engine.machine.confirmShared(edit, as: item)
      sharing.member.confirm(edit, as: outcome)
      return step
    }
    later { engine in
      engine.machine.release(edit)
      return engine.machine.settle(edit)
    }
  }

  func undo(_ edit: Int) async {
    await performed { [sharing] engine in
      sharing?.member.undo(edit)
      engine.machine.release(edit)
      return engine.machine.undo(edit)
    }
  }

  func awaitEdits() async { await eventQueue.ask { _ in } }

  func displays(_ id: RowID) async -> Bool {
    await eventQueue.ask { $0.machine.displays(id) }
  }

  // MARK: - Moving by hand

  /// Shows an item below another one at once, as the user drags it, and writes the move.
  ///
  /// If `other` is `nil` or not shown, the item is moved to the head. The item stays there until
  /// the results have it there themselves, because of the order that `commit` wrote. So nothing
  /// jumps meanwhile, and other changes are shown as they arrive. If `commit` throws, only this
  /// item returns to its place in the results. The same happens if the results do not have it
  /// there two seconds after `commit` returned. It also happens if the item or the one above it is
  /// deleted, and on `arrange(_:)`.
  ///
  /// - Parameters:
  ///   - id: the id of the item. If it is moved again, only the later move counts.
  ///   - other: the id of the item above it.
  ///   - commit: writes the order.
  /// - Throws: the error that `commit` threw; the item is already back then.
  public func move(
    _ id: Item.ID, after other: Item.ID?, commit: () async throws -> Void
  ) async throws {
    try await end(drop: drop(id, after: other), commit)
  }

  /// Begins a move.
  func drop(_ id: Item.ID, after other: Item.ID?) -> Int {
    let (drop, id) = (newNumber(), RowID(id, of: Item.self))
    let other = other.map { RowID($0, of: Item.self) }
    perform { engine in
      engine.machine.drop(id, below: other, as: drop)
      return nil
    }
    return drop
  }

  /// Writes a move that was begun.
  func end(drop: Int, _ commit: () async throws -> Void) async throws {
    let release: @Sendable (inout Engine) -> ListStep<AnyItem>? = { engine in
      engine.machine.release(drop)
      return nil
    }
    try await send(commit) { _ in
      await performed { engine in
        engine.machine.confirmDrop(drop)
        return nil
      }
      later(release)
    } undo: {
      await performed(release)
    }
  }

  /// Performs an event after the time that the store has to report an edit.
  func later(_ event: @escaping @Sendable (inout Engine) -> ListStep<AnyItem>?) {
    let number = newNumber()
    confirmationTimers.withLock { timers in
      timers[number] = Task { [weak self, clock] in
        guard (try? await clock.sleep(for: Self.patience)) != nil, let self else { return }
        perform(event)
        self.confirmationTimers.withLock { $0[number] = nil }
      }
    }
  }

  /// Performs an event, and returns once it has been performed.
  private func performed(
    _ event: @escaping @Sendable (inout Engine) -> ListStep<AnyItem>?
  ) async {
    perform(event)
    await eventQueue.ask { _ in }
  }
}
