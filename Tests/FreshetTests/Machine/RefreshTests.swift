import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What a refresh asks for, and what it concludes.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests: FeedSuite {
  let server = ScriptedServer((0..<100).map { Post(id: $0) })

  @Test
  func `T4: an unchanged refresh is one request and no update`() async {
    let feed = feed()
    for _ in 0..<20 { await feed.loadNext() }
    var updates = feed.updates.makeAsyncIterator()
    _ = await updates.next()
    let requests = server.requests.count
    await feed.refresh()
    #expect(server.requests.count == requests + 1)
    feed.insertLocally(Post(id: 1000), after: nil)
    #expect(await updates.next()?.changes.insertedRows == [RowPath(section: 0, row: 0)])
  }

  @Test
  func `R1: a page that cannot be renewed does not fail the refresh behind it`() throws {
    var history = History(Array(0..<20), configuration: FeedConfiguration(pageSize: 5))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    let key = try #require(history.machine.timeline.marks.lazy.compactMap(\.value.next).first)
    history.begin { $0.load(.page(key)) }
    history.waiting = [1]
    history.begin { $0.load(.refresh, waiter: 1) }
    let renewal = history.pending.removeFirst()
    history.perform(
      "fail",
      history.machine.receive(
        .failure(.source(ScriptedFailure())), for: renewal.ticket, at: history.now))
    history.settle()
    #expect(history.outcomes == [1: .idle] && history.machine.value.state.refresh == .idle)
    #expect(history.violations == [])
  }

  @Test
  func `T3: a list that is replaced is so where a key expired on the way, too`() throws {
    let configuration = FeedConfiguration(pageSize: 5, refreshPolicy: .replace)
    var history = History(Array(0..<20), .cursor, configuration: configuration)
    history.ask { $0.load(.refresh) }
    for _ in 0..<2 { history.ask { $0.load(.next) } }
    history.begin { $0.load(.refresh, scope: .all) }
    history.answerOldest()  // The head is as it was.
    history.server.expireCursors()
    history.server.delete(12)
    history.server.insert(Post(id: 30), at: 0)
    history.settle()
    #expect(
      history.machine.value.items.map(\.id).starts(with: [30, 0, 1, 2, 3])
        && history.machine.timeline.gaps.isEmpty)
    #expect(history.machine.value.items.count == 5 && history.violations == [])
  }

  @Test
  func `T3: twenty pages and three new rows are one request`() async {
    let feed = feed(pageSize: 5)
    for _ in 0..<20 { await feed.loadNext() }
    for id in 100..<103 { server.insert(Post(id: id), at: 0) }
    let requests = server.requests.count
    await feed.refresh()
    #expect(server.requests.count == requests + 1)
    #expect(Array(feed.value.items) == server.items)
  }

  @Test
  func `T3: a refresh of what is on display reads that far and no further`() async {
    let feed = Feed(
      server.source(.keyset),
      configuration: FeedConfiguration(pageSize: 5, prefetchDistance: 3))
    for _ in 0..<20 { await feed.loadNext() }
    server.update(Post(id: 31, version: 1))
    server.update(Post(id: 60, version: 1))
    server.delete(12)
    server.insert(Post(id: 100), at: 0)
    feed.anchor = 30
    let requests = server.requests.count
    await feed.refresh(.visible)
    #expect(server.requests.count == requests + 7)
    #expect(feed.value.items.first { $0.id == 31 }?.version == 1)
    #expect(feed.value.items.first { $0.id == 60 }?.version == 0)
    #expect(feed.value.items.map(\.id) == [100] + (0..<100).filter { $0 != 12 })
    #expect(feed.value.state.gaps.isEmpty)
  }

  @Test(arguments: [ScriptedPaging.keyset, .cursor, .offset])
  func `T3: what comes into view is asked for again where it is old`(
    paging: ScriptedPaging
  ) async {
    let feed = Feed(
      server.source(paging),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 3, staleAfter: .zero))
    for _ in 0..<8 { await feed.loadNext() }
    let loaded = feed.value.items.count
    server.update(Post(id: 33, version: 1))
    server.delete(35)
    server.insert(Post(id: 1000), at: 34)
    let requests = server.requests.count
    feed.willDisplay(Post(id: 32))
    var updates = feed.updates.makeAsyncIterator()
    while !feed.value.items.contains(where: { $0.id == 1000 }), await updates.next() != nil {}
    #expect(Array(feed.value.items) == Array(server.items.prefix(loaded)))
    // Pages that shift are found from the head on.
    #expect(server.requests.count == requests + (paging == .offset ? 5 : 1))
  }

  @Test
  func `T3: a page is asked for again once it is too old, and once in that time`() {
    var machine = FeedMachine(
      configuration: FeedConfiguration(prefetchDistance: 0, staleAfter: .seconds(60)),
      continuity: .stable, sectionedBy: nil)
    func answer(_ effects: [FeedMachine.Effect], at now: Double) -> String? {
      for case .load(.fetch(let ticket, let request)) in effects {
        let first = request.key.flatMap { Int($0.json) } ?? 0
        let page = Page(
          (first..<(first + 10)).map { Post(id: $0) }, next: PageKey(json: "\(first + 10)"))
        machine.receive(
          .success(page), for: ticket, at: Date(timeIntervalSince1970: now))
        return request.key?.json ?? "head"
      }
      return nil
    }
    func display(_ id: Int, at now: Double) -> String? {
      answer(
        machine.effects(of: { $0.willDisplay(id, at: Date(timeIntervalSince1970: now)) }), at: now)
    }
    _ = answer(machine.effects(of: { $0.load(.refresh) }), at: 0)
    _ = answer(machine.effects(of: { $0.load(.next) }), at: 0)
    #expect(display(12, at: 59) == nil)
    #expect(display(12, at: 60) == "10")
    #expect(display(15, at: 61) == nil)
    #expect(display(5, at: 61) == "head")
    #expect(display(5, at: 62) == nil)
    machine.willDisplay(12, at: Date(timeIntervalSince1970: 130))
    #expect(display(13, at: 131) == nil)
  }

  @Test
  func `keepGap: a long absence leaves a gap that loads until it is closed`() async throws {
    let feed = feed(refreshPages: 1)
    await feed.loadNext()
    for id in 100..<125 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    #expect(feed.value.items.count == 20 && feed.value.state.gaps == [gap.id: .idle])
    var loads = 0
    while await feed.load(gap) != .end { loads += 1 }
    #expect(loads == 1)
    #expect(Array(feed.value.items) == Array(server.items.prefix(35)))
  }

  @Test
  func `replace: a head that differs becomes the list, one that does not keeps later pages`() async
  {
    let feed = feed(policy: .replace)
    for _ in 0..<3 { await feed.loadNext() }
    await feed.refresh()
    #expect(feed.value.items.count == 30)
    server.insert(Post(id: 100), at: 0)
    await feed.refresh()
    #expect(Array(feed.value.items) == Array(server.items.prefix(10)))
    await feed.loadNext()
    #expect(Array(feed.value.items) == Array(server.items.prefix(20)))
  }

  @Test
  func `replace: rows that come behind the end are found`() async {
    let list = ScriptedServer((0..<10).map { Post(id: $0) })
    let feed = Feed(
      list.source(.keyset),
      configuration: FeedConfiguration(pageSize: 10, refreshPolicy: .replace))
    while await feed.loadNext() == .idle {}
    list.insert(Post(id: 11), at: 10)
    await feed.refresh()
    #expect(await feed.loadNext() == .end)
    #expect(Array(feed.value.items) == list.items)
  }

  @Test
  func `refresh(.visible) is about the rows that came on screen before it was called`() async {
    let server = ScriptedServer((0..<300).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    while await feed.loadNext() != .end {}
    let requests = server.requests.count
    for round in 1...10 {
      for id in 0..<100 { feed.willDisplay(Post(id: id)) }
      await feed.refresh(.visible)
      // The rows through 99, and as many as may be on display below.
      #expect(server.requests.count == requests + round * 11)
    }
  }
}
