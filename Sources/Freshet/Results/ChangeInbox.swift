internal import FreshetLists

/// The changes that the engine has not taken yet.
///
/// Even if the engine falls far back, it holds not much more than one change for each item. Adding
/// a batch is fast. Batches are combined when the engine takes them, or in a task if many are
/// pending.
final class ChangeInbox<Item: ListItem>: Sendable {
  private struct Waiting {
    var batches: [ChangeBatch<Item>] = []
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
  func add(_ changes: ChangeBatch<Item>, _ status: QueryStatus) -> Bool {
    let (isFirst, areTooMany) = waiting.withLock { waiting in
      if !changes.isEmpty { waiting.batches.append(changes) }
      waiting.status = status
      let areTooMany = waiting.batches.count > Self.limit && !waiting.isJoining
      if areTooMany { waiting.isJoining = true }
      defer { waiting.isEmpty = false }
      return (waiting.isEmpty, areTooMany)
    }
    if areTooMany { Task { @concurrent in self.join() } }
    return isFirst
  }

  /// Takes all changes, as one batch.
  func take() -> (ChangeBatch<Item>, QueryStatus) {
    let (batches, status) = waiting.withLock { waiting in
      defer {
        waiting.batches = []
        waiting.isEmpty = true
        waiting.turn += 1
      }
      return (waiting.batches, waiting.status)
    }
    return (Self.one(of: batches), status)
  }

  /// Combines the pending batches.
  private func join() {
    let (batches, turn) = waiting.withLock { ($0.batches, $0.turn) }
    let all = Self.one(of: batches)
    waiting.withLock { waiting in
      waiting.isJoining = false
      if waiting.turn == turn { waiting.batches.replaceSubrange(0..<batches.count, with: [all]) }
    }
  }

  private static func one(of batches: [ChangeBatch<Item>]) -> ChangeBatch<Item> {
    var all = ChangeBatch<Item>()
    for batch in batches { all.add(batch) }
    return all
  }
}
