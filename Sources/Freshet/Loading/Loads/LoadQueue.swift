internal import FreshetLists
internal import struct Foundation.Date

/// The loads under way, in the order in which their answers are processed (rule R2).
struct LoadQueue: Sendable {
  /// The number of times that other loads overtake one that reads windows.
  private static var overtakingLimit: Int { 3 }

  private var loads: [Load] = []

  var isEmpty: Bool { loads.isEmpty }
  var count: Int { loads.count }
  var edges: [FeedEdge] { loads.map(\.edge) }

  subscript(ticket: LoadTicket) -> Load? { loads.first { $0.ticket == ticket } }

  /// The load of an edge; there is at most one.
  subscript(edge: FeedEdge) -> Load? { loads.first { $0.edge == edge } }

  func contains(_ edge: FeedEdge) -> Bool { loads.contains { $0.edge == edge } }

  /// Returns whether an edge is shown as loading.
  func shows(_ edge: FeedEdge) -> Bool { loads.contains { $0.shownEdge == edge && !$0.isQuiet } }

  /// Changes a load in place.
  ///
  /// - Returns: the result of `change`; `nil` if there is no such load.
  @discardableResult
  mutating func update<Value>(
    _ ticket: LoadTicket, _ change: (inout Load) -> Value
  ) -> Value? {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return change(&loads[index])
  }

  /// Changes the load of an edge in place.
  @discardableResult
  mutating func update<Value>(_ edge: FeedEdge, _ change: (inout Load) -> Value) -> Value? {
    guard let index = loads.firstIndex(where: { $0.edge == edge }) else { return nil }
    return change(&loads[index])
  }

  /// Appends a load that begins after all others.
  mutating func append(_ load: Load) { loads.append(load) }

  /// Inserts a load that has waited.
  ///
  /// If it has read rows, it is inserted before the loads that began after it, else at the end.
  mutating func insertInOrder(_ load: Load) {
    guard load.walk.run != nil else { return loads.append(load) }
    let began = load.oldestRequest
    let place = loads.firstIndex { !$0.isPausing && $0.oldestRequest > began } ?? loads.endIndex
    loads.insert(load, at: place)
  }

  /// Removes a load.
  @discardableResult
  mutating func remove(_ ticket: LoadTicket) -> Load? {
    loads.firstIndex { $0.ticket == ticket }.map { loads.remove(at: $0) }
  }

  /// Removes the loads that meet a condition.
  mutating func removeAll(where condition: (Load) -> Bool) -> [Load] {
    if loads.isEmpty { return [] }
    let removed = loads.filter(condition)
    if !removed.isEmpty { loads.removeAll(where: condition) }
    return removed
  }

  // MARK: - Answers

  /// The first load that requests from the source, with its answer's time; `nil` until answered.
  ///
  /// Others do not wait for a load that reads windows, as that may wait for a long transaction. If
  /// another answer is merged first, it reads the windows again. After a few times, others wait.
  var nextAnswered: (ticket: LoadTicket, at: Date)? {
    let index = loads.firstIndex { load in
      let isPassed =
        load.readsWindows && load.request.answer == nil
        && load.walk.timesOvertaken < Self.overtakingLimit
      return !load.isPausing && load.disk == nil && !isPassed
    }
    guard let index,
      let date = loads[index].request.answer?.at
    else { return nil }
    return (loads[index].ticket, date)
  }

  /// Removes an answer, and returns it with its load, which is processed outside the queue.
  mutating func takeAnswer(for ticket: LoadTicket) -> (load: Load, answer: Load.Answer)? {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }),
      let answer = loads[index].request.answer
    else { return nil }
    loads[index].request.answer = nil
    if case .success = answer.result { loads[index].attempts.failure = nil }
    var load = loads[index]
    load.request.answeredAt = answer.at
    // The rows that the load has read are handed out with it.
    loads[index].walk.run = nil
    loads[index].walk.readIDs = []
    return (load, answer)
  }

  // MARK: - Requests

  /// The loads that wait to be requested again.
  var pausing: [Load] { loads.isEmpty ? [] : loads.filter(\.isPausing) }

  /// The oldest request whose answer is not fully processed yet.
  ///
  /// Its answer may contradict newer knowledge.
  var oldestRequest: Int? {
    if loads.isEmpty { return nil }
    return loads.lazy.filter { (!$0.isPausing || $0.walk.run != nil) && $0.disk == nil }
      .map(\.oldestRequest).min()
  }

  /// The failure that is being retried automatically; that of the head if there are several.
  var retriedFailure: FeedError? {
    if loads.isEmpty { return nil }
    let retried = loads.filter { load in
      switch load.edge {
      case .page: false
      case .reread where load.demand.waiters.isEmpty: false
      default: load.attempts.failure != nil
      }
    }
    return (retried.first { $0.edge == .refresh } ?? retried.first)?.attempts.failure
  }

  /// The gaps that are being loaded.
  var gaps: Set<Gap.ID> {
    var gaps: Set<Gap.ID> = []
    for load in loads { if case .gap(let id) = load.edge.shown { gaps.insert(id) } }
    return gaps
  }

  /// Returns the gap that is read in the middle of its rows on disk, and the row that is wanted.
  func middle(of runs: [Gap.ID: EvictedSegment]) -> (gap: Gap.ID, row: Int)? {
    for load in loads {
      if case .gap(let id) = load.edge, let middle = load.middle, runs[id] != nil {
        return (id, middle)
      }
    }
    return nil
  }

  // MARK: - Cancelling

  /// Cancels a waiter.
  ///
  /// - Returns: the edge it waited for, and the load, if it has no other caller.
  mutating func cancel(_ waiter: Int) -> (edge: FeedEdge, ended: Load?)? {
    for index in loads.indices {
      if let edge = loads[index].followUp.waiters.removeValue(forKey: waiter) {
        return (edge, nil)
      }
      guard let edge = loads[index].demand.waiters.removeValue(forKey: waiter) else { continue }
      return (edge, loads[index].demand.isEmpty ? loads.remove(at: index) : nil)
    }
    return nil
  }

  /// Removes the loads without waiters, because the list is no longer shown.
  mutating func removeUnattended() -> [Load] {
    for index in loads.indices {
      loads[index].demand.isUnattended = false
      loads[index].followUp.isUnattended = false
    }
    return removeAll(where: \.demand.isEmpty)
  }
}
