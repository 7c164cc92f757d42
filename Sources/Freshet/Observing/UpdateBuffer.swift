internal import FreshetLists

/// What one observer has not taken yet.
///
/// Updates in order; if too many wait, they become one.
final class UpdateBuffer<Update: LiveUpdate>: Sendable {
  private struct Waiting {
    var updates: [Update] = []
    /// How many rows they name.
    var rows = 0
    /// Whether a task makes one of them: nobody takes any until it is there.
    var isJoining = false
    /// Whether nothing comes any more.
    var isFinished = false
  }

  private static var limit: Int { 32 }

  private let waiting = Locked(Waiting())
  private let signal: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>
  let interest: Interest
  private let wakeObserver: (@Sendable () -> Void)?

  init(_ interest: Interest, wake: (@Sendable () -> Void)? = nil) {
    self.interest = interest
    wakeObserver = wake
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Keeps an update until it is taken; one at a time calls it, in their order.
  func append(_ update: Update) {
    if interest == .states { return }
    let rows = update.list.rowsNamed
    let areTooMany = waiting.withLock { waiting in
      waiting.updates.append(update)
      waiting.rows += rows
      guard !waiting.isJoining, waiting.updates.count > Self.limit else { return false }
      waiting.isJoining = true
      return true
    }
    // The difference may take long: neither who makes the updates nor who takes them waits for it.
    if areTooMany { Task { @concurrent in self.join() } }
  }

  /// Makes one update of those that wait, until they are few.
  private func join() {
    var areTooMany = true
    while areTooMany {
      let updates = waiting.withLock { $0.updates }
      guard let first = updates.first, let last = updates.last else { return }
      let all = first.followed(by: last)
      areTooMany = waiting.withLock { waiting in
        waiting.updates.replaceSubrange(0..<updates.count, with: [all])
        waiting.rows = waiting.updates.reduce(0) { $0 + $1.list.rowsNamed }
        waiting.isJoining = waiting.updates.count > Self.limit
        return waiting.isJoining
      }
    }
    wake()
    if waiting.withLock({ $0.isFinished }) { signal.finish() }
  }

  /// Wakes the observer, if it waits.
  func wake() {
    signal.yield()
    wakeObserver?()
  }

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.withLock { $0.updates.isEmpty } }

  /// How many rows the updates name that wait.
  var waitingRows: Int { waiting.withLock { $0.rows } }

  func take() -> Update? {
    waiting.withLock { waiting in
      if waiting.isJoining || waiting.updates.isEmpty { return nil }
      let update = waiting.updates.removeFirst()
      waiting.rows -= update.list.rowsNamed
      return update
    }
  }

  /// Nothing comes any more, but for what is being joined.
  func finish() {
    let isJoining = waiting.withLock { waiting in
      waiting.isFinished = true
      return waiting.isJoining
    }
    if !isJoining { signal.finish() }
  }
}

extension ListUpdate {
  /// How many rows the step names, those of sections that came or went among them.
  var rowsNamed: Int {
    let sections =
      changes.deletedSections.reduce(0) { $0 + before.sections[$1].count }
      + changes.insertedSections.reduce(0) { $0 + after.sections[$1].count }
    return sections + changes.deletedRows.count + changes.insertedRows.count
      + changes.movedRows.count + changes.updatedRows.count
  }
}
