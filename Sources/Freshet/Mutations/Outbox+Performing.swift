internal import Foundation

// How mutations enter an outbox.
extension Outbox {
  /// Shows a mutation in the attached lists, stores it, and sends it.
  ///
  /// The attached lists that have the item show the edit, now and after a relaunch: at once if they
  /// are idle, and all of them on return, when it is also on the disk. Controllers of the lists
  /// follow in the next turns of the main actor. It is stored even if the task is cancelled. If its
  /// type says so, it is merged with one that waits: see `Mutation.merging(_:)`.
  ///
  /// - Returns: the id of the mutation, and whether the filters of all lists exclude the new item.
  /// - Throws: an ``OutboxError``, or the error that the mutation cannot be encoded; the edit is
  ///   undone by then, and nothing is sent.
  @discardableResult
  public func perform(_ mutation: some Mutation) async throws -> PerformedMutation {
    try await perform(mutation, inListNamed: nil)
  }

  @discardableResult
  func perform<Performed: Mutation>(
    _ mutation: Performed, inListNamed list: String?, shown: () -> Void = {}
  ) async throws -> PerformedMutation {
    open(again: true)
    guard let coding = senders[Performed.name]?.coding else {
      throw OutboxError.unreadable(name: Performed.name)
    }
    var new = try OutboxMutation(mutation, id: UUID().uuidString, at: now(), list: list)
    var replaced: Set<MutationTarget> = []
    var isAdded = false
    while !isAdded {
      // A late mutation that names a temporary id is one of the item that was created.
      while let (old, id) = state.withLock({ $0.queue.renaming(of: new) }),
        replaced.insert(old).inserted
      {
        new = try coding.replacing(old, with: id, in: new)
      }
      if let merged = try await merge(new, coding, shown) {
        await awaitUpdates()
        return merged
      }
      isAdded = try await add(new, unlessRenamed: replaced, shown)
    }
    let stored = new
    // Once an insertion is answered, it is no longer known whether lists exclude it.
    if !stored.isInsertion { sendReady() }
    let isExcluded = await awaitDisplay(of: stored)
    if stored.isInsertion { sendReady() }
    return PerformedMutation(id: stored.id, isExcluded: isExcluded)
  }

  /// Adds a mutation to the queue, shows it, and stores it.
  ///
  /// - Parameter replaced: the temporary ids that were replaced in it.
  /// - Returns: `false` if an item that it names was created meanwhile; it is not added then.
  private func add(
    _ mutation: OutboxMutation, unlessRenamed replaced: Set<MutationTarget>, _ shown: () -> Void
  ) async throws -> Bool {
    var isAdded = true
    do {
      try await withCheckedThrowingContinuation { waiter in
        do {
          isAdded = try state.withLock { state in
            if let old = state.queue.renaming(of: mutation)?.target, !replaced.contains(old) {
              return false
            }
            try state.perform(mutation, within: limits) { waiter.resume(with: $0) }
            return true
          }
          guard isAdded else { return waiter.resume() }
          updateLists()
          shown()
          write()
        } catch {
          waiter.resume(throwing: error)
        }
      }
    } catch {
      state.withLock { $0.queue.forget(mutation.id) }
      for edit in takeDisplayed(mutation.id) { await edit.undo() }
      sendReady()
      throw error
    }
    return isAdded
  }
}
