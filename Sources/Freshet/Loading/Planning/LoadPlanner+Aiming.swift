internal import FreshetLists

// The targets of loads, and their requests.
extension LoadPlanner {
  /// Sets the target of a load to the rows or the page that lead to its edge.
  ///
  /// The target is loaded windows, rows on disk, a page below or above a row, or the first page.
  func aim(_ load: inout Load, in timeline: Timeline) {
    load.request.windows = [:]
    load.isPassed = false
    if let jump = load.jump, let (key, skip) = target(of: jump, in: timeline) {
      load.target = .far(skip)
      load.request.key = key
    } else if load.edge.isReread, let (key, skip) = target(ofReread: load.edge, in: timeline) {
      load.target = .far(skip)
      (load.request.key, load.place) = (key, load.edge.place)
    } else if load.edge == .refresh, let windows = loadedWindows(in: timeline) {
      load.target = .windows(windows)
      (load.request.key, load.place) = (nil, .page)
    } else if let part = ownDiskPart(of: load, in: timeline) {
      load.target = .disk(part)
    } else if load.side == .below, let below = keyBelow(load.edge, in: timeline) {
      load.target = .above(below.item)
      (load.request.key, load.place) = (below.key, load.edge.place)
    } else if let part = diskPart(above: load.edge, in: timeline) {
      load.target = .disk(part)
    } else if load.edge == .refresh, timeline.tail == .unknown, let start {
      load.target = .start
      (load.request.key, load.place) = (start, .head)
    } else if let above = keyAbove(load.edge, in: timeline) {
      load.target = .below(above.item, isAimed: true)
      (load.request.key, load.place) = (above.key, load.edge.place)
    } else {
      load.target = .first
      (load.request.key, load.place) = (nil, .head)
    }
  }

  /// Returns the key of the page that continues the row above an edge, or a row further up.
  private func keyAbove(
    _ edge: FeedEdge, in timeline: Timeline
  ) -> (key: PageKey, item: RowID)? {
    switch edge {
    case .refresh, .previous, .reread, .jump: nil
    case .gap(let id): timeline.index(ofGap: id).flatMap(timeline.key(above:))
    case .next: timeline.key(above: timeline.count)
    case .page(let key): timeline.marks.first { $1.next == key }.map { (key, $0.key) }
    }
  }

  /// Returns the key of the page that leads up to the row after an edge.
  ///
  /// It is `nil` if the source has no such pages.
  func keyBelow(_ edge: FeedEdge, in timeline: Timeline) -> (key: PageKey, item: RowID)? {
    guard continuity == .stable else { return nil }
    return switch edge {
    case .previous: timeline.key(below: 0)
    case .gap(let id): timeline.index(ofGap: id).flatMap { timeline.key(below: $0 + 1) }
    case .refresh, .next, .page, .reread, .jump: nil
    }
  }

  /// Returns the rows on disk that a load is about, if its gap represents any.
  private func ownDiskPart(of load: Load, in timeline: Timeline) -> DiskPart? {
    guard case .gap(let id) = load.edge, let run = timeline.evicted.runs[id] else { return nil }
    let length = min(run.count, max(2, configuration.pageSize))
    let start =
      if let middle = load.middle {
        min(max(0, middle - length / 2), run.count - length)
      } else {
        load.side == .above ? 0 : run.count - length
      }
    return DiskPart(gap: id, range: start..<(start + length), run: run)
  }

  /// Returns the rows on disk that include the row whose key leads down to an edge.
  private func diskPart(above edge: FeedEdge, in timeline: Timeline) -> DiskPart? {
    let index: Int? =
      switch edge {
      case .gap(let id): timeline.index(ofGap: id)
      case .next: timeline.count
      case .refresh, .previous, .page, .reread, .jump: nil
      }
    guard let gap = index.flatMap(timeline.storedGap(above:)),
      let run = timeline.evicted.runs[gap]
    else { return nil }
    let length = min(run.count, max(2, configuration.pageSize))
    return DiskPart(gap: gap, range: (run.count - length)..<run.count, run: run)
  }

  // MARK: - Requests

  /// Requests the target of a load.
  mutating func fetch(_ ticket: LoadTicket, in timeline: Timeline) -> [LoadAction] {
    guard let load = queue[ticket] else { return [] }
    if let part = load.disk, let row = timeline.index(ofGap: part.gap) {
      let start = timeline.stored.index(of: row)
      let range = (start + part.range.lowerBound)..<(start + part.range.upperBound)
      return [.read(ticket, range, of: timeline.stored.count)]
    }
    lastRequest += 1
    if case .windows(let windows) = load.target {
      queue.update(ticket) { [lastRequest] in $0.request.number = lastRequest }
      return [.fetchWindows(ticket, windows)]
    }
    if case .far(let skip) = load.target {
      queue.update(ticket) { [lastRequest] load in
        (load.request.number, load.request.sent) = (lastRequest, nil)
      }
      let request = PageRequest(key: load.request.key, limit: configuration.pageSize)
      return [.fetchFar(ticket, request, skip)]
    }
    let sent = answered.offer(for: load.request.key, in: timeline)
    queue.update(ticket) { [lastRequest] load in
      (load.request.number, load.request.sent) = (lastRequest, sent)
    }
    let request = PageRequest(
      key: load.request.key, limit: configuration.pageSize, validator: sent?.validator)
    return [.fetch(ticket, request)]
  }

  /// Returns the page whose validator is sent with a request; the validator may yet be withheld.
  func sentPage(_ ticket: LoadTicket) -> Page<AnyItem, PageKey>? { queue[ticket]?.request.sent }

  /// Withholds the validator of a request, so that the whole page is requested.
  mutating func withholdValidator(_ ticket: LoadTicket) {
    queue.update(ticket) { $0.request.sent = nil }
  }

  /// Requests one more page on behalf of a load.
  mutating func ask(_ load: Load, for key: PageKey?, in timeline: Timeline) -> [LoadAction] {
    var load = load
    let ticket = load.ticket
    load.ticket.attempt += 1
    load.request.key = key
    let isThere: Void? = queue.update(ticket) { $0 = load }
    return isThere == nil || load.isPausing ? [] : fetch(load.ticket, in: timeline)
  }

  /// Restarts a load from the current place of its edge.
  ///
  /// The load makes its request, or waits while loads are paused. The rows it has read so far do
  /// not count.
  mutating func restart(_ load: Load, in timeline: Timeline) -> [LoadAction] {
    var load = load
    load.walk.forget()
    load.demand.join(load.followUp)
    load.followUp = Demand()
    if let jump = load.jump { return jumpAgain(load, jump, in: timeline) }
    if hasLostItsWay(load, in: timeline) { return loadNearer(load, in: timeline) }
    aim(&load, in: timeline)
    load.attempts.isPausing = isPaused && load.disk == nil
    return ask(load, for: load.request.key, in: timeline)
  }
}
