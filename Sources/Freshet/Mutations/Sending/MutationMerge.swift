internal import FreshetLists

/// What becomes of two mutations of one item of which none was sent.
public enum MutationMerge<Merged: Sendable>: Sendable {
  /// Both are sent, one after the other.
  case separate
  /// This one is sent in place of both.
  case replacement(Merged)
  /// They cancel each other out, so that none is sent.
  case cancellation
}

extension Outbox {
  /// Merges a new mutation with the last one of its lane, if its type says so.
  ///
  /// - Returns: `nil` if it is not merged.
  /// - Throws: the error that it cannot be read or stored; the earlier one is as before by then.
  func merge(
    _ new: OutboxMutation, _ coding: any MutationCoding, _ shown: () -> Void
  ) async throws -> PerformedMutation? {
    while let earlier = state.withLock({ $0.queue.mergeable(with: new) }) {
      let isMerged: Bool
      switch try coding.merged(new, with: earlier) {
      case .separate: return nil
      case .replacement(let merged): isMerged = try await replace(earlier, by: merged, shown)
      case .cancellation: isMerged = try await replace(earlier, by: nil, shown)
      }
      if isMerged { return PerformedMutation(id: earlier.id, isExcluded: false) }
    }
    return nil
  }

  /// Replaces or removes a mutation that was not sent, on screen and on disk.
  ///
  /// - Returns: `false` if it was changed or sent meanwhile.
  private func replace(
    _ earlier: OutboxMutation, by merged: OutboxMutation?, _ shown: () -> Void
  ) async throws -> Bool {
    let stored = AsyncThrowingStream<Never, any Error>.makeStream()
    let isCurrent = state.withLock { state in
      guard state.queue.mergeable(with: earlier) == earlier else { return false }
      if let merged {
        state.queue.move(merged)
        state.queue.hold(merged.id)
      } else {
        state.queue.forget(earlier.id)
      }
      state.writer.add([merged.map { .changed($0) } ?? .removed(earlier.id)]) { outcome in
        if case .failure(let error) = outcome { stored.continuation.finish(throwing: error) }
        stored.continuation.finish()
      }
      return true
    }
    guard isCurrent else { return false }
    write()
    if let merged {
      displayAgain(merged)
    } else {
      for edit in takeDisplayed(earlier.id) { await edit.undo() }
    }
    shown()
    do {
      // It is stored even if the caller is cancelled.
      try await Task { for try await _ in stored.stream {} }.value
    } catch {
      state.withLock { if !$0.isSignedOut { $0.queue.putBack(earlier) } }
      displayAgain(earlier)
      sendReady()
      throw error
    }
    sendReady()
    return true
  }
}
