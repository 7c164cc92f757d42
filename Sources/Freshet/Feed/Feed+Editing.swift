internal import FreshetLists
internal import struct Foundation.Date

extension Feed {
  // MARK: - Local edits

  /// Inserts an item after another; one with its id is moved there.
  ///
  /// It is inserted at the head if `other` is `nil` or no longer in the list. A local edit changes
  /// the list and its cache alone: the source does not learn of it, and its next answer decides. To
  /// show an edit that is being sent, use `insert(_:after:commit:)`.
  public func insertLocally(_ item: Item, after other: Item.ID?) {
    edit { [item = AnyItem(item), other = key(other)] in $0.insert(item, after: other, at: $1) }
  }

  /// Removes an item, locally: see `insertLocally(_:after:)`.
  public func removeLocally(_ id: Item.ID) {
    edit { [id = RowID(id, of: Item.self)] in $0.remove(id, at: $1) }
  }

  /// Moves an item after another, or to the head if `other` is `nil` or no longer in the list,
  /// locally: see `insertLocally(_:after:)`.
  public func moveLocally(_ id: Item.ID, after other: Item.ID?) {
    edit { [id = RowID(id, of: Item.self), other = key(other)] in $0.move(id, after: other, at: $1)
    }
  }

  /// What is on disk comes first: an edit must not be stored over rows nobody has read.
  ///
  /// They are read elsewhere, so that the caller waits for no file.
  private func edit(
    _ event: @escaping @Sendable (inout FeedMachine, Date) -> FeedEngine.Effects
  ) {
    engine.startLoadingCache()
    engine.perform(event)
  }

  // MARK: - Edits that the source is told of

  /// Changes an item on screen at once, tells the source, and undoes the change if that fails.
  ///
  /// ```swift
  /// try await feed.update(post.id, optimistically: { $0.liked = true }) { try await
  /// api.like(post.id) }
  /// ```
  ///
  /// Whatever the source answers meanwhile is shown with the change applied to it; several edits of
  /// an item apply in the order they were made, and one that fails is undone alone (rule R6).
  ///
  /// - Parameters:
  ///   - id: the item, loaded or not.
  ///   - change: what becomes of it. It is applied anew to every answer until the source took it,
  ///     and to one that has it already: let it set values rather than count.
  ///   - commit: tells the source. If it returns an item of this id, that item is shown, unless an
  ///     event reported the item differently meanwhile: then the change stays applied to the
  ///     reported item.
  /// - Returns: what `commit` returned.
  /// - Throws: what `commit` threw; the change is undone by then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    let id = RowID(id, of: Item.self)
    let change = AnyItem.change(by: change)
    let token = begin { $0.update(id, token: $1, at: $2, by: change) }
    return try await end(token) { try await commit() }
  }

  /// Shows a new item at once, tells the source, and takes it out again if that fails.
  ///
  /// - Parameters:
  ///   - item: the item, under an id that only has to be free.
  ///   - other: the item it stands behind; `nil` for the head.
  ///   - commit: tells the source, and returns the item as the source has it. An id of the source's
  ///     own takes the place of the temporary one: the row is updated, not exchanged.
  /// - Returns: the item as the source has it.
  /// - Throws: what `commit` threw; the item is gone by then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    let (item, other) = (AnyItem(item), key(other))
    let token = begin { $0.insert(item, after: other, token: $1, at: $2) }
    return try await end(token) { try await commit() }
  }

  /// Takes an item out at once, tells the source, and puts it back if that fails.
  ///
  /// It does not come back from answers that were asked for before the source took the deletion, or
  /// within `deletionHorizon` after it.
  ///
  /// - Throws: what `commit` threw; the item is back by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    let id = RowID(id, of: Item.self)
    let token = begin { $0.delete(id, token: $1, at: $2) }
    try await end(token) { try await commit() }
  }

  private func key(_ id: Item.ID?) -> RowID? { id.map { RowID($0, of: Item.self) } }

  /// Shows an edit before the source knows it.
  private func begin(
    _ event:
      @escaping @Sendable (inout FeedMachine, _ token: Int, Date) -> FeedEngine.Effects
  ) -> Int {
    engine.startLoadingCache()
    let token = engine.newNumber()
    engine.perform { event(&$0, token, $1) }
    return token
  }

  /// Tells the source of an edit, and keeps or undoes it.
  private func end<Answer: Sendable>(
    _ token: Int, _ commit: () async throws -> Answer
  ) async throws -> Answer {
    try await send(commit) { item in
      await engine.performed { $0.machine.confirm(token, as: item, at: $1) }
    } undo: {
      await engine.performed { $0.machine.undo(token, at: $1) }
    }
  }

  // MARK: - News

  /// Takes in what the source says by itself, for as long as it says something.
  ///
  /// The list is refreshed first, so that nothing is missed between the last answer and the first
  /// event. Hand over events of a connection that is open: what one tells nobody that opens only
  /// once it is iterated is missed. News and answers commute: an answer that was asked for before
  /// an event does not undo it (rule R2).
  ///
  /// ```swift
  /// while !Task.isCancelled {
  ///   // Ends with the connection.
  ///   if let events = try? await api.connect() { try? await feed.follow(events) }
  ///   try await Task.sleep(for: .seconds(5))
  /// }
  /// ```
  ///
  /// - Throws: `FeedError` where the refresh fails, or what `events` threw.
  public func follow<Events: AsyncSequence>(_ events: Events) async throws
  where Events.Element == FeedEvent<Item> {
    // A refresh under way may have been answered before the first event.
    markChanged()
    let head = await refresh()
    if let failure = head.failure { throw failure }
    for try await event in events { receive(event) }
  }

  /// Something changed at the source: what is under way may not have it, and a refresh from now on
  /// asks once more behind it.
  func markChanged() {
    engine.perform { machine, _ in
      machine.planner.markChanged(after: nil)
      return []
    }
  }

  /// Takes in one piece of news.
  public func receive(_ event: FeedEvent<Item>) {
    engine.startLoadingCache()
    let token = engine.newNumber()
    let event = event.erased
    engine.perform { $0.follow(event, token: token, at: $1) }
  }
}
