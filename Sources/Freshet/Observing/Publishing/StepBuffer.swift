internal import FreshetLists

/// What one observer has not taken yet.
///
/// Steps in order; if too many wait, they become one.
final class StepBuffer: Sendable {
  private struct Waiting {
    var steps: [StepContents] = []
    /// How many rows they name.
    var rows = 0
    /// Whether a task makes one of them: none is taken until it is there.
    var isJoining = false
    /// Whether nothing comes any more.
    var isFinished = false
  }

  static var limit: Int { 32 }

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

  /// Keeps a step until it is taken; one at a time calls it, in their order.
  func append(_ step: StepContents) {
    if interest == .states { return }
    let rows = step.step.rowsNamed
    let areTooMany = waiting.withLock { waiting in
      waiting.steps.append(step)
      waiting.rows += rows
      guard !waiting.isJoining, waiting.steps.count > Self.limit else { return false }
      waiting.isJoining = true
      return true
    }
    // The difference may take long: neither publisher nor observer waits for it.
    if areTooMany { Task { @concurrent in self.join() } }
  }

  /// Makes one step of those that wait, until they are few.
  private func join() {
    var areTooMany = true
    while areTooMany {
      let steps = waiting.withLock { $0.steps }
      guard let first = steps.first, let last = steps.last else { return }
      var all = first.followed(by: last)
      all.duplicatesDropped = steps.reduce(0) { $0 + $1.duplicatesDropped }
      areTooMany = waiting.withLock { waiting in
        waiting.steps.replaceSubrange(0..<steps.count, with: [all])
        waiting.rows = waiting.steps.reduce(0) { $0 + $1.step.rowsNamed }
        waiting.isJoining = waiting.steps.count > Self.limit
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

  /// Waits for a step; `false` after the last one.
  func waitForStep() async -> Bool {
    var signals = signals.makeAsyncIterator()
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return await signals.next() != nil
    }
    return await signals.next(isolation: #isolation) != nil
  }

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.withLock { $0.steps.isEmpty } }

  /// How many rows the waiting steps name.
  var waitingRows: Int { waiting.withLock { $0.rows } }

  /// The next step, if one waits.
  func take() -> StepContents? {
    waiting.withLock { waiting in
      if waiting.isJoining || waiting.steps.isEmpty { return nil }
      let step = waiting.steps.removeFirst()
      waiting.rows -= step.step.rowsNamed
      return step
    }
  }

  /// Ends the stream, after a join under way.
  func finish() {
    let isJoining = waiting.withLock { waiting in
      waiting.isFinished = true
      return waiting.isJoining
    }
    if !isJoining { signal.finish() }
  }
}
