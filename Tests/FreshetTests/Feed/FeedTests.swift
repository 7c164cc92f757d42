import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FeedTests: FeedSuite {
  let server = ScriptedServer((0..<100).map { Post(id: $0) })

  @Test(arguments: ScriptedPaging.allCases)
  func `loading more to the end gives the server's list, in every paging`(
    paging: ScriptedPaging
  ) async {
    let feed = feed(paging)
    while await feed.loadNext() != .end {}
    #expect(Array(feed.value.items) == server.items)
    #expect(feed.value.state.next == .end && feed.value.state.previous == .end)
  }

  @Test
  func `a feed is there until what was asked of it has happened`() async {
    var feed: Feed<Post>? = feed(.keyset)
    weak let kept = feed
    let gate = Gate()
    gate.shut()
    feed?.engine.perform(asTaskIf: { _ in true }) { _, _ in gate.pass() }
    feed?.insertLocally(Post(id: 1000), after: nil)
    feed = nil
    #expect(kept?.value.items.isEmpty == true)
    gate.open()
    #expect(await eventually { kept == nil } && !gate.hasGivenUp)
  }

  @Test
  func `every row says what put it there`() async {
    let directory = TemporaryDirectory()
    do {
      let feed = feed(cache: .file("trace", in: directory.caches))
      await feed.refresh()
      await feed.loadNext()
      feed.insertLocally(Post(id: 1000), after: 3)
      feed.receive(.insert(Post(id: 1001)))
      #expect(await feed.trace(of: 3)?.cause == .page(nil))
      guard case .page(let key?)? = await feed.trace(of: 13)?.cause else {
        Issue.record("no page put row 13 there")
        return
      }
      #expect(key.json.contains("rank"))
      #expect(await feed.trace(of: 1000)?.cause == .edit)
      #expect(await feed.trace(of: 1001)?.cause == .event)
      #expect(await feed.trace(of: 99) == nil)
      await feed.flush()
    }
    let feed = feed(cache: .file("trace", in: directory.caches))
    feed.loadCacheSynchronously()
    #expect(await feed.trace(of: 3)?.cause == .cache)
  }

  @Test
  func `what time it is is asked of the configuration, with each event`() async {
    let time = Locked(7.0)
    var configuration = FeedConfiguration(pageSize: 10)
    configuration.now = { Date(timeIntervalSince1970: time.withLock { $0 }) }
    configuration.deletionHorizon = .seconds(30)
    let feed = Feed(server.source(.keyset), configuration: configuration)
    await feed.refresh()
    #expect(feed.value.refreshedAt == Date(timeIntervalSince1970: 7))
    #expect(await feed.trace(of: 3)?.date == Date(timeIntervalSince1970: 7))
    feed.receive(.delete(3))
    // A replica that lags behind goes on listing the row.
    time.withLock { $0 = 36 }
    await feed.refresh(.all)
    #expect(feed.value.items.map(\.id) == [0, 1, 2, 4, 5, 6, 7, 8, 9])
    time.withLock { $0 = 37 }
    await feed.refresh(.all)
    #expect(feed.value.refreshedAt == Date(timeIntervalSince1970: 37))
    await feed.refresh(.all)
    #expect(feed.value.items.map(\.id) == Array(0..<10))
  }

  @Test
  func `R1: concurrent loads of one edge are one request, and all hear the outcome`() async {
    let feed = feed()
    await feed.refresh()
    server.hold()
    async let first = feed.loadNext()
    async let second = feed.loadNext()
    async let third = feed.loadNext()
    #expect(await server.waiting(1))
    #expect(feed.value.state.next == .loading)
    server.releaseAll()
    #expect(await [first, second, third] == [.idle, .idle, .idle])
    #expect(server.requests.count == 2 && feed.value.items.count == 20)
  }

  @Test
  func `R2: answers that overtake each other give the same list`() async {
    for order in [[0, 0], [1, 0]] {
      let server = ScriptedServer((0..<30).map { Post(id: $0) })
      let feed = Feed(
        server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
      await feed.refresh()
      server.insert(Post(id: 100), at: 0)
      server.hold()
      async let refresh = feed.refresh()
      #expect(await server.waiting(1))
      async let more = feed.loadNext()
      #expect(await server.waiting(2))
      for index in order { server.release(index) }
      _ = await (refresh, more)
      #expect(Array(feed.value.items) == Array(server.items.prefix(21)))
    }
  }

  @Test
  func `R3: cancelling one waiter cancels nothing, cancelling the last cancels the request`() async
  {
    let feed = feed()
    server.hold()
    let first = Task { await feed.refresh() }
    #expect(await server.waiting(1))
    let second = Task { await feed.refresh() }
    #expect(await eventually { await feed.waiters >= 2 })
    first.cancel()
    #expect(await first.value == .loading)
    #expect(feed.value.state.refresh == .loading)
    second.cancel()
    #expect(await second.value == .idle)
    #expect(feed.value.state.refresh == .idle)
    server.releaseAll()
    await feed.refresh()
    #expect(feed.value.items.count == 10)
  }

  @Test
  func `R4: a failure leaves the rows, says so, and does not repeat itself`() async {
    let feed = feed()
    await feed.refresh()
    server.failNext(with: ScriptedFailure())
    let failure = FeedError.source(ScriptedFailure())
    #expect(await feed.loadNext() == .failed(failure))
    #expect(feed.value.items.count == 10 && feed.value.state.failure == failure)
    let requests = server.requests.count
    for item in feed.value.items { feed.willDisplay(item) }
    #expect(await feed.loads == 0)
    #expect(server.requests.count == requests)
    #expect(await feed.retry() == .idle)
    #expect(feed.value.items.count == 20 && feed.value.state.failure == nil)
  }

  @Test
  func `R5: a list is loading by the time its source is asked`() async {
    for _ in 0..<200 {
      let server = ScriptedServer((0..<5).map { Post(id: $0) })
      let feed = Feed(server.source(.cursor))
      server.hold()
      let refresh = Task { await feed.refresh() }
      #expect(await server.waiting(1))
      #expect(feed.value.state.refresh == .loading)
      server.releaseAll()
      _ = await refresh.value
    }
  }

  @Test
  func `R5: no update shows new rows with an old state`() async {
    let feed = feed()
    let updates = feed.updates
    let watching = Task {
      var last = ListState()
      for await update in updates {
        last = update.value.state
        #expect(last.next != .loading && last.refresh != .loading)
        if last.next == .end { break }
      }
      return last
    }
    while await feed.loadNext() != .end {}
    #expect(await watching.value.next == .end)
  }

  @Test
  func `willDisplay asks for more near the end, once`() async {
    let feed = feed(pageSize: 30)
    await feed.refresh()
    server.hold()
    feed.willDisplay(Post(id: 5))
    feed.willDisplay(Post(id: 25))
    feed.willDisplay(Post(id: 29))
    #expect(await server.waiting(1))
    async let outcome = feed.loadNext()
    server.releaseAll()
    #expect(await outcome == .idle)
    #expect(server.requests.count == 2 && feed.value.items.count == 60)
  }

  @Test
  func `a failure of the end is over when the end is reached otherwise`() async {
    let feed = feed(pageSize: 60)
    await feed.refresh()
    server.failNext(with: ScriptedFailure())
    await feed.loadNext()
    #expect(feed.value.state.next.failure != nil)
    for id in 30..<100 { server.delete(id) }
    await feed.refresh()
    #expect(feed.value.state.next == .end)
    #expect(await feed.retry() == .idle)
  }

  @Test
  func `an expired cursor is found again by the rows, from the head if need be`() async {
    let feed = feed(.cursor)
    for _ in 0..<4 { await feed.loadNext() }
    server.expireCursors()
    server.insert(Post(id: 1000), at: 0)
    while await feed.loadNext() == .idle {}
    #expect(feed.value.state.next == .end)
    await feed.refresh()
    #expect(Array(feed.value.items) == server.items)
  }

  @Test
  func `the first load of the end says how the end stands`() async {
    let feed = feed(pageSize: 1000)
    #expect(await feed.loadNext() == .end)
  }

  @Test
  func `the row that knows the next page may go or move`() async {
    let feed = feed()
    await feed.loadNext()
    await feed.loadNext()
    feed.removeLocally(19)
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == (0..<30).filter { $0 != 19 })
    feed.moveLocally(29, after: nil)
    feed.insertLocally(Post(id: 500), after: 28)
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == [29] + (0..<29).filter { $0 != 19 } + [500] + (30..<40))
  }

  @Test
  func `T8: short and empty pages with a next key are not the end`() async {
    let pages: [[Int]] = [[1, 2, 3], [4], [], [5]]
    let feed = Feed { (request: PageRequest<Int>) in
      let number = request.key ?? 0
      return Page(pages[number].map { Post(id: $0) }, next: number < 3 ? number + 1 : nil)
    }
    await feed.refresh()
    #expect(await feed.loadNext() == .idle)
    #expect(await feed.loadNext() == .end)
    #expect(feed.value.items.map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test
  func `L1: an id that comes twice in a page is one row, and counted`() async {
    let feed = Feed { (_: PageRequest<Int>) in
      Page([1, 2, 1, 3, 3].map { Post(id: $0) }, next: nil)
    }
    var updates = feed.updates.makeAsyncIterator()
    await feed.refresh()
    #expect(await updates.next()?.duplicatesDropped == 2)
    #expect(feed.value.items.map(\.id) == [1, 2, 3])
    #expect(feed.value.diagnostics.duplicateIDs == 0)
  }

  @Test
  func `L1: an observer that falls behind hears of all items that were dropped`() async {
    let feed = Feed { (request: PageRequest<Int>) in
      let number = request.key ?? 0
      return Page([number, number].map { Post(id: $0) }, next: number + 1)
    }
    var updates = feed.updates.makeAsyncIterator()
    await feed.refresh()
    let count = 3 * StepBuffer.limit
    for _ in 1..<count { #expect(await feed.loadNext() == .idle) }
    var (steps, dropped) = (0, 0)
    while dropped < count, let update = await updates.next() {
      steps += 1
      dropped += update.duplicatesDropped
      if update.value.items.count == count { break }
    }
    #expect(dropped == count && steps < count)
  }

  @Test
  func `L1: rows that share an id and are not the same are reported`() async {
    let feed = Feed { (_: PageRequest<Int>) in
      Page(
        [(1, 0), (2, 0), (1, 5), (2, 0), (1, 7)].map { Post(id: $0.0, version: $0.1) }, next: nil)
    }
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == [1, 2])
    #expect(feed.value.diagnostics.duplicatesDropped == 3)
    #expect(feed.value.diagnostics.duplicateIDs == 2)
  }

  @Test
  func `a source with a completion handler is a source`() async {
    let source = ClosureSource<Post, Int>(completing: { request, completion in
      let number = request.key ?? 0
      completion(number == 0 ? .success(Page([Post(id: 0)], next: 1)) : .failure(ScriptedFailure()))
    })
    let feed = Feed(source)
    #expect(await feed.refresh() == .idle)
    #expect(await feed.loadNext() == .failed(.source(ScriptedFailure())))
  }

  @Test
  func `every observer gets every step; one who comes late starts with the rows there are`() async {
    let feed = feed()
    var early = feed.updates.makeAsyncIterator()
    await feed.refresh()
    await feed.loadNext()
    var late = feed.updates.makeAsyncIterator()
    #expect(await early.next()?.after.count == 10)
    #expect(await early.next()?.after.count == 20)
    #expect(await late.next()?.after.count == 20)
  }

  @Test
  func `C1: an observer that sleeps through a hundred steps gets few, and they add up`() async {
    let feed = feed()
    var updates = feed.updates.makeAsyncIterator()
    for id in 0..<100 { feed.insertLocally(Post(id: id), after: id / 2 - 1) }
    var checker = BatchUpdateChecker<ListRow<Post>>()
    var taken = 0
    while checker.shown != feed.value.list, let update = await updates.next() {
      #expect(checker.violations(performing: update.step) == [])
      taken += 1
    }
    #expect(taken <= 33)
  }

  @Test
  func `edits by hand insert, move and remove, and survive relaunch`() async {
    let directory = TemporaryDirectory()
    let cache = { FeedCacheChoice<Post>.file("home", in: directory.caches) }
    do {
      let feed = feed(cache: cache())
      await feed.refresh()
      feed.moveLocally(0, after: 3)
      feed.moveLocally(9, after: nil)
      feed.removeLocally(4)
      feed.insertLocally(Post(id: 500), after: 8)
      #expect(feed.value.items.map(\.id) == [9, 1, 2, 3, 0, 5, 6, 7, 8, 500])
      await feed.flush()
      #expect(feed.isSaved)
    }
    // The writer lets go of the folder when the last commit is stored.
    let feed = feed(cache: cache())
    feed.loadCacheSynchronously()
    #expect(feed.value.items.map(\.id) == [9, 1, 2, 3, 0, 5, 6, 7, 8, 500])
  }
}
