import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Few rows in memory, all of them on disk.
@Suite(.timeLimit(.minutes(5)))
struct WindowTests {
  let server = ScriptedServer((0..<1000).map { Post(id: $0) })
  let directory = TemporaryDirectory()

  func feed(
    _ name: String? = "window", maximumRows: Int? = 100,
    policy: FeedConfiguration.RefreshPolicy = .keepGap
  ) -> Feed<Post> {
    Feed(
      server.source(.keyset), cache: name.map { .file($0, in: directory.caches) },
      configuration: FeedConfiguration(
        pageSize: 20, refreshPolicy: policy, prefetchDistance: 10, maximumRows: maximumRows))
  }

  /// Shows an item, and waits until nothing is loaded any more.
  func display(_ id: Int, in feed: Feed<Post>) async {
    feed.engine.perform { $0.willDisplay(RowID(id, of: Post.self), at: $1) }
    await feed.settled()
  }

  /// Scrolls from an item to another, as a reader does.
  func scroll(from first: Int, to last: Int, in feed: Feed<Post>) async -> [Int] {
    var seen: [Int] = []
    var id = first
    while true {
      seen.append(id)
      if id == last { return seen }
      await display(id, in: feed)
      let items = feed.value.items
      guard let index = items.firstIndex(where: { $0.id == id }) else {
        Issue.record("row \(id) went while it was on display")
        return seen
      }
      let next = first < last ? index + 1 : index - 1
      guard items.indices.contains(next) else {
        Issue.record("nothing follows \(id)")
        return seen
      }
      id = items[next].id
    }
  }

  @Test
  func `pages far away are let go and come back in their order, without a request`() async {
    let feed = feed()
    await feed.refresh()
    do {
      let seen = await scroll(from: 0, to: 700, in: feed)
      #expect(seen == Array(0...700))
    }
    #expect(feed.value.rows.count <= 180)
    #expect(feed.value.items.prefix(20).map(\.id) == Array(0..<20))
    let requests = server.requests.count
    do {
      let seen = await scroll(from: 700, to: 0, in: feed)
      #expect(seen == Array((0...700).reversed()))
    }
    do {
      let seen = await scroll(from: 0, to: 700, in: feed)
      #expect(seen == Array(0...700))
    }
    #expect(server.requests.count == requests)
    #expect(!feed.value.rows.contains { $0.gap?.isStored == false })
  }

  @Test
  func `a refresh is one request whatever was let go, and edits are stored where they belong`()
    async
  {
    do {
      let feed = feed()
      await feed.refresh()
      _ = await scroll(from: 0, to: 500, in: feed)
      server.insert(Post(id: 1000), at: 0)
      let requests = server.requests.count
      await feed.refresh()
      #expect(server.requests.count == requests + 1)
      #expect(feed.value.items.first?.id == 1000)
      feed.insertLocally(Post(id: 1001), after: 499)
      feed.removeLocally(460)
      await feed.flush()
    }
    let feed = feed(maximumRows: nil)
    await feed.loadCache()
    let expected = [1000] + Array(0...499).filter { $0 != 460 } + [1001]
    #expect(feed.value.items.map(\.id).prefix(expected.count) == expected[...])
    #expect(feed.value.state.gaps.isEmpty && feed.value.items.count > 500)
  }

  @Test
  func `P1, P5: a relaunch reads the first rows and those around the reader`() async {
    do {
      let feed = feed()
      await feed.refresh()
      _ = await scroll(from: 0, to: 500, in: feed)
      feed.anchor = 480
      await feed.flush()
    }
    let feed = feed()
    await feed.loadCache()
    await feed.settled()
    #expect(feed.value.anchor == 480)
    #expect(feed.value.rows.count <= 180)
    #expect(feed.value.items.contains { $0.id == 485 } && feed.value.items.first?.id == 0)
    do {
      let seen = await scroll(from: 480, to: 300, in: feed)
      #expect(seen == Array((300...480).reversed()))
    }
    #expect(server.requests.count == 26)
  }

  @Test
  func `without a cache, or when it went, rows that were let go are asked for again`() async throws
  {
    let memory = feed(nil)
    await memory.refresh()
    for _ in 0..<20 { await memory.loadNext() }
    let gap = try #require(memory.value.rows.compactMap(\.gap).first)
    #expect(!gap.isStored)
    #expect(memory.value.rows.count <= 180)
    let requests = server.requests.count
    await memory.load(gap)
    #expect(server.requests.count == requests + 1)

    let cached = feed()
    await cached.refresh()
    _ = await scroll(from: 0, to: 300, in: cached)
    await cached.flush()
    directory.caches.removeAll()
    let stored = try #require(cached.value.rows.compactMap(\.gap).first)
    #expect(stored.isStored)
    await cached.load(stored)
    let open = try #require(cached.value.rows.compactMap(\.gap).first)
    #expect(!open.isStored)
    await cached.load(open)
    #expect(cached.value.items.map(\.id).prefix(40) == Array(0..<40)[...])
  }

  @Test
  func `T4: a row that goes at the head costs one request, and nothing on disk`() async {
    let feed = feed()
    await feed.refresh()
    _ = await scroll(from: 0, to: 500, in: feed)
    server.delete(0)
    let requests = server.requests.count
    await feed.refresh()
    #expect(server.requests.count == requests + 1)
    #expect(feed.value.items.first?.id == 1)
    #expect(!feed.value.rows.contains { $0.gap?.isStored == false })
    let seen = await scroll(from: 500, to: 1, in: feed)
    #expect(seen == Array((1...500).reversed()))
    #expect(server.requests.count == requests + 1)
  }

  @Test
  func `R2: news of rows on disk are seen when they are read back, and not at the head`() async {
    let feed = feed()
    await feed.refresh()
    _ = await scroll(from: 0, to: 500, in: feed)
    feed.receive(.upsert(Post(id: 200, version: 7)))
    feed.receive(.delete(210))
    #expect(feed.value.items.first?.id == 0)
    let seen = await scroll(from: 500, to: 190, in: feed)
    #expect(seen == (190...500).reversed().filter { $0 != 210 })
    #expect(feed.value.items.first { $0.id == 200 }?.version == 7)
    // The same once a part of them was read.
    feed.receive(.upsert(Post(id: 100, version: 8)))
    #expect(feed.value.items.first?.id == 0)
    let more = await scroll(from: 190, to: 90, in: feed)
    #expect(more == Array((90...190).reversed()))
    #expect(feed.value.items.first { $0.id == 100 }?.version == 8)
  }

  @Test
  func `where the order is known, news wait for rows on disk`() async {
    let feed = Feed(
      server.source(.keyset), sortedBy: { $0.id < $1.id },
      cache: .file("sorted", in: directory.caches),
      configuration: FeedConfiguration(pageSize: 20, maximumRows: 100))
    await feed.refresh()
    while await feed.loadNext() != .end {}
    _ = await scroll(from: 980, to: 500, in: feed)
    feed.receive(.upsert(Post(id: 990, version: 1)))
    feed.receive(.insert(Post(id: 2000)))
    #expect(feed.value.items.first?.id == 0)
    let seen = await scroll(from: 500, to: 2000, in: feed)
    #expect(seen == Array(500..<1000) + [2000])
    #expect(feed.value.items.first { $0.id == 990 }?.version == 1)
  }

  @Test
  func `T2: a damaged run is a gap to ask the source about`() async throws {
    let feed = feed()
    await feed.refresh()
    _ = await scroll(from: 0, to: 600, in: feed)
    await feed.flush()
    for (path, data) in directory.files where !path.hasSuffix("manifest") && !data.isEmpty {
      try directory.write(Data(data.reversed()), to: path)
    }
    var issues = feed.cacheIssues.makeAsyncIterator()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    await feed.load(gap)
    #expect(feed.value.rows.compactMap(\.gap).first?.isStored == false)
    guard case .damagedRows? = await issues.next() else {
      Issue.record("nobody was told of the damage")
      return
    }
  }
}

extension Feed {
  /// Waits until nothing is loading.
  func settled() async {
    // What was called before may still be on its way.
    await engine.eventQueue.ask { _ in }
    let (subscription, _) = publisher.steps.subscribe(to: .stepsAndStates)
    var states = subscription.buffer.signals.makeAsyncIterator()
    while value.state.next == .loading || value.state.gaps.values.contains(.loading)
      || value.state.refresh == .loading
    {
      _ = await states.next()
    }
  }
}
