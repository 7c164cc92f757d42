internal import FreshetLists

// How loads find their pages, wait and stand.
extension FeedMachine {
  /// Points a load at the page that leads to its edge.
  func aim(_ load: inout Load) {
    (load.before, load.after, load.isStart) = (nil, nil, false)
    load.disk = ownDiskPart(of: load)
    if load.disk != nil { return }
    if load.side == .below, let below = keyBelow(load.edge) {
      (load.key, load.before) = (below.key, below.item)
      load.place = load.edge
      return
    }
    load.disk = diskPart(above: load.edge)
    if load.disk != nil { return }
    let above: (key: PageKey, item: Item.ID)? =
      switch load.edge {
      case .head, .top: nil
      case .gap(let id): timeline.index(ofGap: id).flatMap(timeline.key(above:))
      case .tail: timeline.key(above: timeline.count)
      case .page(let key): timeline.marks.first { $1.next == key }.map { (key, $0.key) }
      }
    load.isStart = load.edge == .head && timeline.tail == .unknown && start != nil
    load.key = load.isStart ? start : above?.key
    (load.after, load.isAimed) = (above?.item, true)
    load.place = above == nil ? .head : load.edge
  }

  /// Points a load anew, from where its edge is now, and asks: what it read so far does not count.
  mutating func restart(_ load: Load) -> [Effect] {
    var load = load
    (load.run, load.readIDs, load.readKeys) = (nil, [], [])
    aim(&load)
    return ask(load, for: load.key)
  }

  /// The page that leads up to the row behind an edge, where the source has such pages.
  func keyBelow(_ edge: FeedEdge) -> (key: PageKey, item: Item.ID)? {
    guard continuity == .stable else { return nil }
    return switch edge {
    case .top: timeline.key(below: 0)
    case .gap(let id): timeline.index(ofGap: id).flatMap { timeline.key(below: $0 + 1) }
    case .head, .tail, .page: nil
    }
  }

  mutating func fetch(at index: Int) -> [Effect] {
    if let part = loads[index].disk, let row = timeline.index(ofGap: part.gap) {
      let start = timeline.stored.index(of: row)
      let range = (start + part.range.lowerBound)..<(start + part.range.upperBound)
      return [.read(loads[index].ticket, range, of: timeline.storedCount)]
    }
    lastRequest += 1
    loads[index].request = lastRequest
    let sent = answered.offer(for: loads[index].key, in: timeline)
    loads[index].sent = sent
    let request = PageRequest(
      key: loads[index].key, limit: configuration.pageSize, validator: sent?.validator)
    return [.fetch(loads[index].ticket, request)]
  }

  /// Asks for one more page on behalf of a load.
  mutating func ask(_ load: Load, for key: PageKey?) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == load.ticket }) else { return [] }
    loads[index] = load
    loads[index].ticket.attempt += 1
    loads[index].key = key
    return fetch(at: index)
  }

  func join(_ load: inout Load, _ waiter: Int?, _ edge: FeedEdge) {
    if let waiter { load.waiters[waiter] = edge } else { load.isUnattended = true }
  }

  func resume(_ waiter: Int?, _ state: LoadState) -> [Effect] {
    waiter.map { [.resume([$0], state)] } ?? []
  }

  /// Lets a load wait before it is asked for again.
  ///
  /// After the waits of the retry policy, which are bounded, it goes on where it stopped: a server that
  /// lets few requests pass would never see the end of a long load else. It does so only while nothing
  /// newer was taken in (rule R2). After a pause of any length it begins anew.
  mutating func postpone(_ load: Load, after error: FeedError) -> [Effect]? {
    let waitsForUser = isPaused && error.mayPass
    let wait = waitsForUser ? nil : retryPolicy.wait(after: error, attempt: load.retries)
    guard waitsForUser || wait != nil else { return nil }
    var again = load.run == nil || waitsForUser ? load.begunAnew : load
    again.ticket.attempt += 1
    again.retries = load.retries + (waitsForUser ? 0 : 1)
    again.isPausing = true
    loads.removeAll { $0.ticket == load.ticket }
    loads.append(again)
    guard let wait else { return [] }
    value.diagnostics.retries += 1
    return [.wait(again.ticket, wait)]
  }

  /// The wait of a load is over.
  mutating func proceed(with ticket: Ticket) -> [Effect] {
    guard !isPaused,
      let index = loads.firstIndex(where: { $0.ticket == ticket && $0.isPausing })
    else { return [] }
    var load = loads.remove(at: index)
    if load.run != nil, load.oldestRequest < lastMerged {
      // What others read meanwhile is newer.
      load = load.begunAnew
    }
    load.isPausing = false
    load.ticket.attempt += 1
    // Answers are taken in the order in which they were asked for: what goes on stands before those
    // that asked after it began, and what asks anew behind all.
    var place = loads.endIndex
    if load.run == nil {
      aim(&load)
    } else {
      let began = load.oldestRequest
      place = loads.firstIndex { !$0.isPausing && $0.oldestRequest > began } ?? place
    }
    loads.insert(load, at: place)
    return [.cancel(ticket.load)] + fetch(at: place)
  }

  func state(of edge: FeedEdge) -> LoadState {
    if loads.contains(where: { $0.edge == edge }) || deferred.contains(where: { $0.edge == edge }) {
      return .loading
    }
    if let failure = failures[edge] { return .failed(failure) }
    if edge == .tail, let gap = timeline.endGap {
      let state = state(of: .gap(gap.id))
      return state == .end ? .idle : state
    }
    return switch edge {
    case .top where timeline.head == .end, .tail where timeline.tail == .end: .end
    default: .idle
    }
  }
}
