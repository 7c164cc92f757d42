internal import FreshetLists
internal import struct Foundation.Date

// Refreshes that read all loaded windows again.
extension FeedMachine {
  /// Notes that the source changed, but not in some windows.
  ///
  /// - Parameters:
  ///   - validators: those of all answers for windows that are still true.
  ///   - request: the last request before the change.
  /// - Returns: whether the list shows only those windows, so that nothing is to be read.
  mutating func noteChangesElsewhere(
    than validators: Set<String>, after request: Int, at now: Date
  ) -> Bool {
    // An edit or an item without a place may wait for an answer.
    guard presentation.overlay.edits.isEmpty, rows.unplacedItems.isEmpty,
      shared?.isAwaiting != true,
      let first = planner.currentWindows(validators, in: rows.timeline)?.first
    else { return false }
    planner.unloaded.doubt(after: request)
    // A source whose number of rows changed has the feeds that show the head read again.
    if first.window.start != nil { planner.total.doubt(after: request) }
    published.noteAnswer(at: now)
    publish()
    return true
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
    planner.refreshIfEmptied(by: &load, rows.timeline)
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
