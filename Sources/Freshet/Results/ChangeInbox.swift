internal import FreshetLists

/// The changes that the engine has not taken yet.
///
/// Even if the engine falls far back, it holds not much more than one change for each item. Adding
/// a batch is fast. Batches are combined when the engine takes them, or in a task if many are
/// pending.
final class ChangeInbox<Item: ListItem>: Sendable {
  private struct Waiting {
    /// The batches of the initial results.
    var initial: [ChangeBatch<Item>] = []
    /// The batches that followed.
    var later: [ChangeBatch<Item>] = []
    /// The last request of any list before the first of these was received.
    var lastRequest = 0
    var status = QueryStatus()
    var isEmpty = true
    /// Whether a task is combining the batches.
    var isJoining = false
    /// The number of times that the engine took everything.
    var turn = 0
  }

  /// The number of batches that may be pending before they are combined.
  private static var limit: Int { 16 }

  private let waiting = Locked(Waiting())

  /// Adds changes; returns whether the inbox was empty before.
  ///
  /// - Parameter request: the last request of any list of the identity map.
  func add(_ changes: ChangeBatch<Item>, _ status: QueryStatus, after request: Int = 0) -> Bool {
    let (isFirst, areTooMany) = waiting.withLock { waiting in
      if !changes.isEmpty {
        // The batch that completes the initial results belongs to them.
        if waiting.status.isComplete {
          if waiting.later.isEmpty { waiting.lastRequest = request }
          waiting.later.append(changes)
        } else {
          waiting.initial.append(changes)
        }
      }
      waiting.status = status
      let count = waiting.initial.count + waiting.later.count
      let areTooMany = count > Self.limit && !waiting.isJoining
      if areTooMany { waiting.isJoining = true }
      defer { waiting.isEmpty = false }
      return (waiting.isEmpty, areTooMany)
    }
    if areTooMany { Task { @concurrent in self.join() } }
    return isFirst
  }

  /// Takes all changes: those of the initial results, and those that followed, each as one batch.
  ///
  /// - Returns: also the last request of any list before the first change that followed.
  func take() -> (
    initial: ChangeBatch<Item>, later: ChangeBatch<Item>, lastRequest: Int, status: QueryStatus
  ) {
    let taken = waiting.withLock { waiting in
      defer {
        (waiting.initial, waiting.later) = ([], [])
        waiting.isEmpty = true
        waiting.turn += 1
      }
      return waiting
    }
    return (
      Self.one(of: taken.initial), Self.one(of: taken.later), taken.lastRequest, taken.status
    )
  }

  /// Combines the pending batches.
  private func join() {
    let (initial, later, turn) = waiting.withLock { ($0.initial, $0.later, $0.turn) }
    let (first, rest) = (Self.one(of: initial), Self.one(of: later))
    waiting.withLock { waiting in
      waiting.isJoining = false
      guard waiting.turn == turn else { return }
      if !initial.isEmpty { waiting.initial.replaceSubrange(0..<initial.count, with: [first]) }
      if !later.isEmpty { waiting.later.replaceSubrange(0..<later.count, with: [rest]) }
    }
  }

  private static func one(of batches: [ChangeBatch<Item>]) -> ChangeBatch<Item> {
    var all = ChangeBatch<Item>()
    for batch in batches { all.add(batch) }
    return all
  }
}
