/// The number of rows in the whole list, as the source reported it and as changes followed.
struct ReportedTotal: Sendable {
  private(set) var total: RowTotal?
  /// The request whose answer had it.
  private var request = 0
  /// The last request before the newest change of the list; answers up to it may lack the change.
  private var changedAfter = -1

  /// Notes what an answer says of the whole list.
  ///
  /// - Parameters:
  ///   - new: the total; `nil` if the answer has none.
  ///   - isHead: whether it is the answer for the head of the list, so that a total it lacks is no
  ///     longer reported.
  mutating func note(_ new: RowTotal?, of request: Int, isHead: Bool) {
    guard new != nil || isHead, request >= self.request else { return }
    self.request = request
    total = new.map { request > changedAfter ? $0 : .estimated($0.count) }
  }

  /// Notes that rows were added to the list, or removed from it.
  mutating func add(_ rows: Int, after request: Int) {
    // An answer to a later request has the change.
    guard request >= self.request else { return }
    changedAfter = max(changedAfter, request)
    total = total?.adding(rows)
  }

  /// Notes a change that may have added or removed a row elsewhere.
  mutating func doubt(after request: Int) {
    guard request >= self.request else { return }
    changedAfter = max(changedAfter, request)
    if let exact = total?.exact { total = .estimated(exact) }
  }

  /// Returns the total, as far as the loaded rows do not contradict it.
  func total(in timeline: Timeline) -> RowTotal? {
    let gaps = timeline.gaps.count
    if timeline.head == .end, timeline.tail == .end, gaps == 0 { return .exact(timeline.count) }
    let shown = timeline.count - gaps
    return total.map { $0.count < shown ? .atLeast(shown) : $0 }
  }
}
