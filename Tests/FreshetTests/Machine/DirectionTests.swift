import Foundation
import Freshet
import FreshetTesting
import Testing

/// Reading upwards: from the middle of a list, and into gaps from below.
@Suite(.timeLimit(.minutes(5)))
struct DirectionTests {
  let server = ScriptedServer((0..<100).map { Post(id: $0) })

  func feed(
    _ paging: ScriptedPaging = .keyset, startingAt index: Int? = nil,
    cache: FeedCacheChoice<Post>? = nil
  ) -> Feed<Post> {
    Feed(
      server.source(paging), startingAt: index.map(server.key(ofPageAt:)), cache: cache,
      configuration: FeedConfiguration(pageSize: 10, refreshPages: 1, prefetchDistance: 3))
  }

  @Test
  func `a feed that begins in the middle reads both ways until it has the list`() async {
    let feed = feed(startingAt: 45)
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == Array(45..<55))
    #expect(feed.value.state.previous == .idle && feed.value.state.next == .idle)
    await feed.loadPrevious()
    #expect(feed.value.items.map(\.id) == Array(35..<55))
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == Array(35..<65))
    while await feed.loadPrevious() != .end {}
    while await feed.loadNext() != .end {}
    #expect(Array(feed.value.items) == server.items)
    let requests = server.requests.count
    #expect(await feed.loadPrevious() == .end)
    #expect(server.requests.count == requests)
  }

  @Test
  func `P5: a feed with rows on disk does not begin in the middle again`() async {
    let directory = TemporaryDirectory()
    let first = feed(startingAt: 45, cache: .file("middle", in: directory.caches))
    await first.refresh()
    while await first.loadPrevious() != .end {}
    await first.flush()
    let second = feed(startingAt: 45, cache: .file("middle", in: directory.caches))
    await second.refresh()
    #expect(second.value.items.map(\.id) == Array(0..<55))
  }

  @Test
  func `T2: a refresh of a feed that began in the middle leaves a gap, not a jump`() async throws {
    let feed = feed(startingAt: 45)
    await feed.refresh()
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == Array(0..<10) + Array(45..<55))
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    #expect(feed.value.state.previous == .end)
    while await feed.load(gap, from: .below) != .end {}
    #expect(feed.value.items.map(\.id) == Array(0..<55))
  }

  @Test
  func `a gap fills from both ends, and closes by proof alone`() async throws {
    let feed = feed()
    await feed.refresh()
    for id in 100..<145 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    let requests = server.requests.count
    #expect(await feed.load(gap, from: .below) == .idle)
    #expect(feed.value.rows.map { $0.item?.id }[9...12] == [135, nil, 109, 108])
    #expect(await feed.load(gap, from: .above) == .idle)
    #expect(await feed.load(gap, from: .below) == .idle)
    // The five rows that are left come with five that are known: they bridge the gap.
    #expect(await feed.load(gap, from: .below) == .end)
    #expect(server.requests.count == requests + 4)
    #expect(Array(feed.value.items) == Array(server.items.prefix(55)))
  }

  @Test
  func `a gap that failed from below is asked for from there again`() async throws {
    let feed = feed()
    await feed.refresh()
    for id in 100..<145 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    server.failNext(with: ScriptedFailure())
    #expect(await feed.load(gap, from: .below).failure != nil)
    await feed.retry()
    #expect(feed.value.rows.map { $0.item?.id }[9...12] == [135, nil, 109, 108])
  }

  @Test
  func `T3: where rows above a gap went, filling it from below asks from above`() async throws {
    let feed = feed()
    await feed.refresh()
    for id in 100..<125 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    server.delete(115)
    server.delete(116)
    while await feed.load(gap, from: .below) != .end {}
    // That page says nothing of the rows above it; a refresh does.
    #expect(feed.value.items.map(\.id) == (100..<125).reversed() + Array(0..<10))
    await feed.refresh(.all)
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `a source that cannot read upwards fills gaps from above`(paging: ScriptedPaging)
    async throws
  {
    let feed = feed(paging)
    await feed.refresh()
    for id in 100..<125 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    while await feed.load(gap, from: .below) != .end {}
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }

  @Test
  func `T2: news wait until a feed that began in the middle has read up to the head`() async {
    let feed = feed(startingAt: 15)
    await feed.refresh()
    server.insert(Post(id: 777), at: 0)
    feed.receive(.insert(Post(id: 777, version: 1)))
    #expect(feed.value.items.map(\.id) == Array(15..<25))
    while await feed.loadPrevious() != .end {}
    #expect(Array(feed.value.items) == Array(server.items.prefix(26)))
  }

  @Test
  func `T7: a page above that repeats known rows is an error, not a loop`() async {
    let feed = Feed<Post>(startingAt: 5) { (request: PageRequest<Int>) in
      let start = [Post(id: 1), Post(id: 2)]
      let isStart = request.key == 5
      return Page(
        isStart ? start : [Post(id: 2)], next: nil, previous: (request.key ?? 0) - 1)
    }
    await feed.refresh()
    var loads = 0
    while await feed.loadPrevious() == .idle { loads += 1 }
    #expect(feed.value.state.previous.failure == .pagingLoop(key: "3") && loads == 0)
  }

  @Test
  func `rows near the top ask for what is above them`() async {
    let feed = feed(startingAt: 45)
    await feed.refresh()
    feed.willDisplay(Post(id: 47))
    var updates = feed.updates.makeAsyncIterator()
    while feed.value.items.count < 20, await updates.next() != nil {}
    #expect(feed.value.items.map(\.id) == Array(35..<55))
  }

  @Test
  func `P5: both directions go on after a relaunch`() async {
    let directory = TemporaryDirectory()
    let cache = { FeedCacheChoice<Post>.file("middle", in: directory.caches) }
    do {
      let feed = feed(startingAt: 45, cache: cache())
      await feed.refresh()
      await feed.flush()
    }
    let feed = feed(cache: cache())
    feed.loadCacheSynchronously()
    await feed.loadPrevious()
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == Array(35..<65))
    #expect(feed.value.state.previous == .idle)
  }

  @Test
  func `T7: a page above that leads to itself is an error, not a loop`() async {
    let requests = Locked(0)
    let feed = Feed<Post>(startingAt: 1) { (request: PageRequest<Int>) in
      requests.withLock { $0 += 1 }
      return request.key == 1
        ? Page([Post(id: 1)], next: nil, previous: 2) : Page([], next: nil, previous: 2)
    }
    await feed.refresh()
    #expect(await feed.loadPrevious().failure == .pagingLoop(key: "2"))
    #expect(feed.value.items.map(\.id) == [1])
    #expect(requests.withLock { $0 } == 2)
  }
}
