internal import FreshetLists
internal import struct Foundation.Date

// How loads find their pages, wait and stand.
extension FeedMachine {
  /// Points a load at what leads to its edge: rows on disk, a page below or above a row, or the
  /// first one.
  func aim(_ load: inout Load) {
    if let part = ownDiskPart(of: load) {
      load.target = .disk(part)
    } else if load.side == .below, let below = keyBelow(load.edge) {
      load.target = .above(below.item)
      (load.asked.key, load.place) = (below.key, load.edge.place)
    } else if let part = diskPart(above: load.edge) {
      load.target = .disk(part)
    } else if load.edge == .refresh, timeline.tail == .unknown, let start = setup.start {
      load.target = .start
      (load.asked.key, load.place) = (start, .head)
    } else if let above = keyAbove(load.edge) {
      load.target = .below(above.item, isAimed: true)
      (load.asked.key, load.place) = (above.key, load.edge.place)
    } else {
      load.target = .first
      (load.asked.key, load.place) = (nil, .head)
    }
  }

  /// The page that continues the row above an edge, or one further up.
  private func keyAbove(_ edge: FeedEdge) -> (key: PageKey, item: RowID)? {
    switch edge {
    case .refresh, .previous: nil
    case .gap(let id): timeline.index(ofGap: id).flatMap(timeline.key(above:))
    case .next: timeline.key(above: timeline.count)
    case .page(let key): timeline.marks.first { $1.next == key }.map { (key, $0.key) }
    }
  }

  /// Points a load anew, from where its edge is now, and asks, or waits where the source is not to
  /// be asked: what it read so far does not count.
  mutating func restart(_ load: Load) -> [Effect] {
    var load = load
    load.walk.forget()
    load.demand.join(load.followUp)
    load.followUp = Demand()
    aim(&load)
    load.attempts.isPausing = traffic.isPaused && load.disk == nil
    return ask(load, for: load.asked.key)
  }

  /// The page that leads up to the row behind an edge, where the source has such pages.
  func keyBelow(_ edge: FeedEdge) -> (key: PageKey, item: RowID)? {
    guard continuity == .stable else { return nil }
    return switch edge {
    case .previous: timeline.key(below: 0)
    case .gap(let id): timeline.index(ofGap: id).flatMap { timeline.key(below: $0 + 1) }
    case .refresh, .next, .page: nil
    }
  }

  mutating func fetch(at index: Int) -> [Effect] {
    if let part = loads[index].disk, let row = timeline.index(ofGap: part.gap) {
      let start = timeline.stored.index(of: row)
      let range = (start + part.range.lowerBound)..<(start + part.range.upperBound)
      return [.read(loads[index].ticket, range, of: timeline.stored.count)]
    }
    traffic.lastRequest += 1
    loads[index].asked.request = traffic.lastRequest
    var sent = answered.offer(for: loads[index].asked.key, in: timeline)
    if let page = sent, presentation.overlay.isAhead(of: page.items, in: timeline) { sent = nil }
    loads[index].asked.sent = sent
    let request = PageRequest(
      key: loads[index].asked.key, limit: configuration.pageSize, validator: sent?.validator)
    return [.fetch(loads[index].ticket, request)]
  }

  /// Asks for one more page on behalf of a load.
  mutating func ask(_ load: Load, for key: PageKey?) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == load.ticket }) else { return [] }
    loads[index] = load
    loads[index].ticket.attempt += 1
    loads[index].asked.key = key
    return load.isPausing ? [] : fetch(at: index)
  }

  func resume(_ waiter: Int?, _ state: LoadState) -> [Effect] {
    waiter.map { [.resume([$0], state)] } ?? []
  }

  /// Lets a load wait before it is asked for again.
  ///
  /// After the waits of the retry policy, which are bounded, it goes on where it stopped: a server
  /// that lets few requests pass would never see the end of a long load else. It does so only while
  /// nothing newer was taken in (rule R2). After a pause of any length it begins anew.
  mutating func postpone(_ load: Load, after error: FeedError) -> [Effect]? {
    let waitsForUser = traffic.isPaused && error.mayPass
    let wait =
      waitsForUser
      ? nil
      : setup.retryPolicy.wait(
        after: error, attempt: load.attempts.retries, spent: load.attempts.spent)
    guard waitsForUser || wait != nil else { return nil }
    var again = load.walk.run == nil || waitsForUser ? load.begunAnew : load
    again.ticket.attempt += 1
    again.attempts.retries = load.attempts.retries + (waitsForUser ? 0 : 1)
    again.attempts.isPausing = true
    again.attempts.failure = error.masked
    loads.removeAll { $0.ticket == load.ticket }
    loads.append(again)
    guard let wait else { return publish() }
    contents.diagnostics.retries += 1
    return [.wait(again.ticket, wait)] + publish()
  }

  /// The wait of a load is over, or somebody asked who does not want to wait.
  mutating func proceed(with ticket: Ticket, isAsked: Bool = false) -> [Effect] {
    guard !traffic.isPaused,
      let index = loads.firstIndex(where: { $0.ticket == ticket && $0.isPausing })
    else { return [] }
    var load = loads.remove(at: index)
    if load.walk.run != nil, load.oldestRequest < traffic.lastMerged {
      // What others read meanwhile is newer.
      load = load.begunAnew
    }
    load.attempts.isPausing = false
    if isAsked { load.attempts.failure = nil }
    load.ticket.attempt += 1
    // Answers are taken in the order in which they were asked for: what goes on stands before those
    // that asked after it began, and what asks anew behind all.
    var place = loads.endIndex
    if load.walk.run == nil {
      aim(&load)
    } else {
      let began = load.oldestRequest
      place = loads.firstIndex { !$0.isPausing && $0.oldestRequest > began } ?? place
    }
    loads.insert(load, at: place)
    return [.cancel(ticket.load)] + fetch(at: place)
  }

  func state(of edge: FeedEdge) -> LoadState {
    if let restoring, restoring.deferred.contains(where: { $0.edge == edge }) { return .loading }
    if !loads.isEmpty, loads.contains(where: { $0.edge == edge }) { return .loading }
    if edge == .next, let gap = timeline.endGap {
      let state = state(of: .gap(gap.id))
      return state == .end ? .idle : state
    }
    if let failure = failures[edge] { return .failed(failure) }
    return switch edge {
    case .previous where timeline.head == .end, .next where timeline.tail == .end: .end
    default: .idle
    }
  }
}
