internal import FreshetLists
internal import struct Foundation.Date

extension Feed: OptimisticList {
  // MARK: - Local edits

  /// Inserts an item after another; an item with the same id is moved there.
  ///
  /// It is inserted at the head if `other` is `nil` or no longer in the list. A local edit changes
  /// only the list and its cache: the source is not notified, and its next answer decides. To show
  /// an edit while it is being sent, use `insert(_:after:commit:)`.
  public func insertLocally(_ item: Item, after other: Item.ID?) {
    edit(.insert(AnyItem(item), after: key(other)))
  }

  /// Removes an item locally: see `insertLocally(_:after:)`.
  public func removeLocally(_ id: Item.ID) {
    edit(.remove(RowID(id, of: Item.self)))
  }

  /// Moves an item after another locally: see `insertLocally(_:after:)`.
  ///
  /// It is moved to the head if `other` is `nil` or no longer in the list.
  public func moveLocally(_ id: Item.ID, after other: Item.ID?) {
    edit(.move(RowID(id, of: Item.self), after: key(other)))
  }

  /// Applies a local edit, and starts reading the cache first if that is not done.
  ///
  /// An edit must not be stored over unread rows. They are read on another thread, so the caller
  /// does not wait for files.
  private func edit(_ edit: LocalEdit) {
    engine.startLoadingCache()
    engine.perform { $0.edit(edit, at: $1) }
  }

  // MARK: - Edits that are sent to the source

  /// Changes an item on screen at once, sends the change, and undoes it if that fails.
  ///
  /// ```swift
  /// try await feed.update(post.id, optimistically: { $0.liked = true }) { try await
  /// api.like(post.id) }
  /// ```
  ///
  /// Answers that arrive meanwhile are shown with the change applied. Several edits of an item
  /// apply in the order they were made, and one that fails is undone alone (rule R6).
  ///
  /// - Parameters:
  ///   - id: the item, loaded or not.
  ///   - change: changes the item. It is applied to every answer until the source has confirmed
  ///     the change, and also to an answer that already includes it: set values instead of
  ///     counting.
  ///   - commit: sends the change. If it returns an item of this id, that item is shown, unless an
  ///     event reported the item differently meanwhile: then the change stays applied to the
  ///     reported item.
  /// - Returns: the result of `commit`.
  /// - Throws: the error of `commit`; the change is undone by then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    try await perform(.update(RowID(id, of: Item.self), by: AnyItem.change(by: change))) {
      try await commit()
    }
  }

  /// Inserts an item on screen at once, sends it, and removes it if that fails.
  ///
  /// - Parameters:
  ///   - item: the item, with any id that is not in use.
  ///   - other: the item to insert it after; `nil` for the head.
  ///   - commit: sends the item, and returns it as the source has it. If the source assigns
  ///     another id, that replaces the temporary one: the row is updated, not replaced.
  /// - Returns: the item as the source has it.
  /// - Throws: the error of `commit`; the item is removed by then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    try await perform(.insert(AnyItem(item), after: key(other))) { try await commit() }
  }

  /// Removes an item on screen at once, sends the deletion, and restores the item if that fails.
  ///
  /// Answers to requests made before the source confirmed the deletion, or within
  /// `deletionHorizon` after it, do not bring the item back.
  ///
  /// - Throws: the error of `commit`; the item is restored by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    try await perform(.delete(RowID(id, of: Item.self))) { try await commit() }
  }

  private func key(_ id: Item.ID?) -> RowID? { id.map { RowID($0, of: Item.self) } }

  func begin(_ edit: OptimisticEdit, isShared: Bool) -> Int {
    engine.startLoadingCache()
    let token = engine.newNumber()
    engine.begin(edit, token: token, isShared: isShared)
    return token
  }

  func confirm(_ edit: Int, as item: AnyItem?) async { await engine.confirm(edit, as: item) }

  func undo(_ edit: Int) async { await engine.undo(edit) }

  func awaitEdits() async { await engine.eventQueue.ask { _ in } }

  func displays(_ id: RowID) async -> Bool {
    await engine.eventQueue.ask { engine in
      engine.machine.presentation.overlay.index(of: id, in: engine.machine.timeline) != nil
    }
  }

  // MARK: - News

  /// Applies the events of a source until their sequence ends.
  ///
  /// The list is refreshed first, so that no change is missed between the last answer and the first
  /// event. Pass the events of an open connection: if the connection opens only when the sequence
  /// is iterated, changes made until then are missed. Events and answers commute: the answer to a
  /// request made before an event does not undo the event (rule R2).
  ///
  /// ```swift
  /// while !Task.isCancelled {
  ///   // Ends with the connection.
  ///   if let events = try? await api.connect() { try? await feed.follow(events) }
  ///   try await Task.sleep(for: .seconds(5))
  /// }
  /// ```
  ///
  /// - Throws: `FeedError` if the refresh fails, or the error of `events`.
  public func follow<Events: AsyncSequence>(_ events: Events) async throws
  where Events.Element == FeedEvent<Item> {
    // A refresh under way may have been answered before the first event.
    markChanged()
    let head = await refresh()
    if let failure = head.failure { throw failure }
    for try await event in events { receive(event) }
  }

  /// Notes that the source changed.
  ///
  /// A running load may not include the change, so a refresh that would join it is followed by
  /// another one.
  func markChanged() {
    engine.perform { machine, _ in machine.markChanged() }
  }

  /// Applies one event that the source sent.
  public func receive(_ event: FeedEvent<Item>) {
    engine.startLoadingCache()
    let token = engine.newNumber()
    engine.receive(event.erased, token: token)
  }
}
