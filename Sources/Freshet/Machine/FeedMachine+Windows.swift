internal import FreshetLists
internal import struct Foundation.Date

// Refreshes that read all loaded windows again.
extension FeedMachine {
  /// Returns whether the list is as the source would answer for it.
  ///
  /// - Parameter validators: those of all answers for windows that are still true.
  func isCurrent(_ validators: Set<String>) -> Bool {
    // An edit or an item without a place may wait for an answer.
    presentation.overlay.edits.isEmpty && rows.unplacedItems.isEmpty
      && shared?.isAwaiting != true && planner.isCurrent(validators, in: rows.timeline)
  }

  /// Receives the answers for the windows of a load, which took `duration`.
  mutating func receive(
    windows answer: WindowAnswer, for ticket: LoadTicket,
    at now: Date,
    after duration: Duration = .zero
  ) {
    guard planner.receive(windows: answer, for: ticket, at: now, after: duration) else {
      return published.noteDiagnostics(of: planner)
    }
    readAnswers()
  }

  /// Merges the windows that a load read, and ends the load.
  ///
  /// The windows of one segment are one step. Rows whose positions are unknown leave a gap.
  mutating func takeWindows(of load: Load, at now: Date) {
    var (load, last) = (load, Step?.none)
    published.noteAnswer(at: now)
    let validators = planner.takeValidators(of: &load, in: rows.timeline)
    while let merge = planner.nextWindows(of: &load, in: rows.timeline) {
      pass(&last)
      planner.willMerge(merge)
      let step = absorb(rows.merge(merge, at: now))
      planner.unloaded.noteLoaded(load, step.edit, in: rows.timeline)
      last = step
    }
    for range in rows.timeline.windows(startingAt: planner.start).loose.reversed() {
      pass(&last)
      last = evict(range, isStored: false, at: now)
    }
    planner.windows = validators
    planner.refreshIfEmptied(rows.timeline)
    finish(load, last, at: now)
  }

  /// Publishes and stores a step that another one follows.
  private mutating func pass(_ step: inout Step?) {
    guard let done = step else { return }
    publish(done)
    save(done)
    step = nil
  }
}
