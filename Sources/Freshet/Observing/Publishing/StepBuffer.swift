internal import FreshetLists

/// A buffer of the steps that one observer has not taken yet.
///
/// The steps are in order. If too many are pending, they are joined into one.
final class StepBuffer: Sendable {
  private struct Waiting {
    var steps: [StepContents] = []
    /// The number of rows that the steps name.
    var rows = 0
    /// Whether a task joins the steps: no step can be taken until it is done.
    var isJoining = false
    /// Whether no more steps follow.
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

  /// Keeps a step until it is taken; one caller at a time calls it, in the order of the steps.
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
    // The join may take long: neither the publisher nor the observer waits for it.
    if areTooMany { Task { @concurrent in self.join() } }
  }

  /// Joins the pending steps into one, until few are left.
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

  /// Waits for a step, and returns `false` after the last one.
  func waitForStep() async -> Bool {
    var signals = signals.makeAsyncIterator()
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return await signals.next() != nil
    }
    return await signals.next(isolation: #isolation) != nil
  }

  /// Whether no step is pending.
  var isEmpty: Bool { waiting.withLock { $0.steps.isEmpty } }

  /// The number of rows that the pending steps name.
  var waitingRows: Int { waiting.withLock { $0.rows } }

  /// Removes and returns the next step, if one is pending.
  func take() -> StepContents? {
    waiting.withLock { waiting in
      if waiting.isJoining || waiting.steps.isEmpty { return nil }
      let step = waiting.steps.removeFirst()
      waiting.rows -= step.step.rowsNamed
      return step
    }
  }

  /// Ends the stream, after a join that is running.
  func finish() {
    let isJoining = waiting.withLock { waiting in
      waiting.isFinished = true
      return waiting.isJoining
    }
    if !isJoining { signal.finish() }
  }
}
