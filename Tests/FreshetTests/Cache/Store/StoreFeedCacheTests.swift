import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct StoreFeedCacheTests {
  typealias Store = MemoryStore<Post>

  /// A store that fails when it is told to.
  final class FailingStore: FeedStore {
    let store = Store()
    let failures = Locked(0)
    /// Whether what fails is stored all the same, and only the answer lost.
    let takesFailing = Locked(false)

    func execute(_ query: DataStoreQuery<Post, Store.Request>) async throws {
      try await store.execute(query)
    }
    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
    func write(
      _ changes: ChangeBatch<Post>, notes: [String: Data?], of feed: String
    ) async throws {
      if takesFailing.withLock({ $0 }) {
        try await store.write(changes, notes: notes, of: feed)
        try fail()
      } else {
        try fail()
        try await store.write(changes, notes: notes, of: feed)
      }
    }
    func notes(of feed: String) async throws -> [String: Data] {
      try fail()
      return try await store.notes(of: feed)
    }
    func items(withIDs ids: [Int]) async throws -> [Post] {
      try fail()
      return try await store.items(withIDs: ids)
    }

    private func fail() throws {
      let fails = failures.withLock { failures in
        defer { failures = max(0, failures - 1) }
        return failures > 0
      }
      if fails { throw ScriptedFailure() }
    }
  }

  @Test
  func `P2, P4, P5: what any history stored is in the store, and is what the next launch shows`()
    async throws
  {
    for seed in SeededGenerator.seeds(200) {
      var history = History(
        seed: seed, paging: ScriptedPaging.allCases[seed % 5], changes: .all, isWild: true,
        isEdited: seed % 2 == 0, isWindowed: seed % 3 == 0)
      let model = ModelCache()
      history.relaunch(from: model)
      history.run(steps: 60)
      history.readAll()
      let store = FailingStore()
      let cache = StoreFeedCache(store, "home", version: 1)
      var generator = SeededGenerator(seed: seed)
      for (index, commit) in model.commits.enumerated() {
        if index < model.commits.count - 1, generator.oneIn(5) {
          store.failures.withLock { $0 = 1 }
          store.takesFailing.withLock { $0 = generator.oneIn(2) }
        }
        _ = await cache.save(commit)
      }
      let loaded = await StoreFeedCache(store, "home", version: 1).loadRest()
      let rows = loaded.rows.map(Self.outline)
      let isStored = Set(store.store.items.map(\.id)) == Set(model.ids)
      guard isStored, loaded.state == model.state, rows == model.rows.map(Self.outline) else {
        Issue.record("seed \(seed): \(rows) is not \(model.rows.map(Self.outline))")
        return
      }
      // Keys that expired stay on disk until their row is written again.
      let next = Self.next(model.rows.last)
      #expect(next == nil || Self.next(loaded.rows.last) == next)
    }
  }

  /// The key of the page that follows a row.
  static func next(_ row: CachedRows<Post>.Row?) -> PageKey? {
    if case .item(_, let mark) = row { mark?.next } else { nil }
  }

  static func outline(_ row: CachedRows<Post>.Row) -> String {
    if case .item(let post, _) = row { "\(post)" } else { "|" }
  }

  @Test
  func `a feed through a store: pages are shown by live results, and a relaunch goes on`()
    async throws
  {
    let server = ScriptedServer((0..<200).map { Post(id: $0) })
    let store = Store()
    let results = LiveResults(store: store, arrangement: .sorted(by: \.id, .reverse), window: .zero)
    await results.fetch(.all)
    do {
      let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"))
      await feed.refresh()
      await feed.loadNext()
      await feed.flush()
    }
    let count = store.items.count
    #expect(count > 25)
    let requests = server.requests.count
    let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await feed.loadNext()
    await feed.flush()
    #expect(server.requests.count == requests + 1)
    #expect(store.items.count > count)
    var updates = results.updates.makeAsyncIterator()
    while Array(results.value.items) != feed.value.items.reversed(),
      await updates.next() != nil
    {}
    // What the source no longer has leaves the store.
    server.delete(3)
    await feed.refresh(.all)
    await feed.flush()
    #expect(!store.items.contains { $0.id == 3 })
    await feed.clearCache()
    #expect(store.items.isEmpty)
    #expect(try await store.notes(of: "home").isEmpty)
  }

  @Test
  func `P4: a page costs a page, and the log does not grow for ever`() async throws {
    let server = ScriptedServer((0..<10_000).map { Post(id: $0) })
    let store = Store()
    let feed = Feed(
      server.source(.keyset), cache: .store(store, named: "home"),
      configuration: FeedConfiguration(pageSize: 50))
    var largest = 0
    for _ in 0..<200 {
      await feed.loadNext()
      await feed.flush()
      let notes = try await store.notes(of: "home")
      largest = max(largest, notes.filter { $0.key.hasPrefix("m") && $0.key != "manifest" }.count)
    }
    #expect(store.items.count == 10_000 && largest > 10 && largest < 150)
    let notes = try await store.notes(of: "home")
    #expect(notes.keys.count { $0.hasPrefix("p") } == 200)
  }

  @Test
  func `a store that fails is reported, and gets everything later`() async throws {
    let server = ScriptedServer((0..<100).map { Post(id: $0) })
    let store = FailingStore()
    let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await feed.loadCache()
    // The step, and once more by `flush()`.
    store.failures.withLock { $0 = 2 }
    await feed.loadNext()
    await feed.flush()
    #expect(!feed.isSaved && store.store.items.isEmpty)
    var issues = feed.cacheIssues.makeAsyncIterator()
    guard case .notSaved? = await issues.next() else { return #expect(Bool(false)) }
    await feed.loadNext()
    await feed.flush()
    #expect(
      feed.isSaved && store.store.items.map(\.id).sorted() == feed.value.items.map(\.id).sorted())
    // Notes that cannot be read are not overwritten.
    store.failures.withLock { $0 = 1 }
    let other = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await other.loadNext()
    await other.flush()
    #expect(!other.isSaved && store.store.items.count == feed.value.items.count)
  }

  @Test
  func `flush() stores again what could not be stored`() async throws {
    let server = ScriptedServer((0..<100).map { Post(id: $0) })
    let store = FailingStore()
    let feed = await windowed(store, server, at: 40)
    store.failures.withLock { $0 = 1 }
    server.insert(Post(id: 1001), at: 0)
    await feed.refresh()
    await feed.flush()
    #expect(feed.isSaved && store.store.items.contains { $0.id == 1001 })
    let other = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await other.loadCache()
    #expect(other.value.items.first?.id == 1001)
  }

  @Test(arguments: [true, false])
  func `P2: a removal that fails, or only seems to, is followed by a whole list`(
    isTaken: Bool
  ) async throws {
    let server = ScriptedServer((0..<100).map { Post(id: $0) })
    let store = FailingStore()
    let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await feed.refresh()
    await feed.flush()
    store.takesFailing.withLock { $0 = isTaken }
    store.failures.withLock { $0 = 1 }
    await feed.clearCache()
    await feed.loadNext()
    await feed.loadNext()
    await feed.flush()
    #expect(feed.isSaved)
    let other = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await other.loadCache()
    #expect(other.value.items.map(\.id) == feed.value.items.map(\.id))
    #expect(other.value.rows.allSatisfy { $0.gap == nil } && other.value.items.count > 40)
  }

  /// A feed that keeps a hundred rows in memory, scrolled down to a row.
  func windowed(_ store: FailingStore, _ server: ScriptedServer<Post>, at last: Int) async -> Feed<
    Post
  > {
    let feed = Feed(
      server.source(.keyset), cache: .store(store, named: "home"),
      configuration: FeedConfiguration(pageSize: 20, prefetchDistance: 10, maximumRows: 100))
    await feed.refresh()
    for id in stride(from: 5, through: last, by: 5) { await display(id, in: feed) }
    await feed.flush()
    return feed
  }

  func display(_ id: Int, in feed: Feed<Post>) async {
    feed.engine.perform { $0.willDisplay(RowID(id, of: Post.self), at: $1) }
    await feed.settled()
  }

  @Test
  func `a row that moved while its old copy was in the store only stays there`() async throws {
    let server = ScriptedServer((0..<1000).map { Post(id: $0) })
    let store = FailingStore()
    let feed = await windowed(store, server, at: 600)
    #expect(store.store.items.count > 600 && feed.value.items.count < 300)
    server.delete(300)
    server.insert(Post(id: 300, version: 1), at: 0)
    await feed.refresh()
    for id in stride(from: 600, through: 5, by: -5) { await display(id, in: feed) }
    await feed.flush()
    #expect(store.store.items.contains(Post(id: 300, version: 1)))
    #expect(feed.value.items.first?.id == 300)
  }

  @Test
  func `P2: a write or read that fails costs no row that is in the store only`() async throws {
    let server = ScriptedServer((0..<1000).map { Post(id: $0) })
    let store = FailingStore()
    let feed = await windowed(store, server, at: 600)
    let ids = Set(store.store.items.map(\.id))
    store.failures.withLock { $0 = 2 }
    server.insert(Post(id: 1001), at: 0)
    await feed.refresh()
    await feed.flush()
    #expect(!feed.isSaved && Set(store.store.items.map(\.id)) == ids)
    server.insert(Post(id: 1002), at: 0)
    await feed.refresh()
    await feed.flush()
    #expect(feed.isSaved && Set(store.store.items.map(\.id)) == ids.union([1001, 1002]))
    // Rows that cannot be read fail, and can be tried again.
    store.failures.withLock { $0 = 1 }
    for id in stride(from: 595, through: 400, by: -5)
    where feed.value.items.contains(where: { $0.id == id }) {
      await display(id, in: feed)
    }
    await feed.flush()
    #expect(Set(store.store.items.map(\.id)) == ids.union([1001, 1002]))
    await feed.retry()
    await feed.settled()
    for id in stride(from: 595, through: 5, by: -5) { await display(id, in: feed) }
    #expect(feed.value.items.contains { $0.id == 10 })
    await feed.flush()
    #expect(Set(store.store.items.map(\.id)) == ids.union([1001, 1002]))
  }

  @Test
  func `steps that wait are stored when the feed is gone`() async {
    let server = ScriptedServer((0..<200).map { Post(id: $0) })
    let store = Store()
    let results = LiveResults(store: store, window: .zero)
    await results.fetch(.all)
    var feed: Feed<Post>? = Feed(
      server.source(.keyset), cache: .store(store, named: "home"),
      configuration: FeedConfiguration(pageSize: 20))
    for _ in 0..<5 { await feed?.loadNext() }
    feed = nil
    var updates = results.updates.makeAsyncIterator()
    while results.value.list.count < 100, await updates.next() != nil {}
  }

  @Test
  func `rows that others deleted are gaps, damaged notes a feed anew`() async throws {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let store = Store()
    let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await feed.loadNext()
    await feed.flush()
    try await store.write(deleting: [2])
    let second = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await second.loadCache()
    #expect(second.value.outline.hasPrefix("0 1 | 3"))
    try await store.write(ChangeBatch(), notes: ["manifest": Data([1, 2, 3])], of: "home")
    let third = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await third.refresh()
    await third.flush()
    #expect(third.isSaved && !third.value.items.isEmpty)
    let fourth = Feed(server.source(.keyset), cache: .store(store, named: "home"))
    await fourth.loadCache()
    #expect(fourth.value.items == third.value.items)
  }

  @Test
  func `P3: what is stored after a damaged record of the log is not lost behind it`() async throws {
    let server = ScriptedServer((0..<300).map { Post(id: $0) })
    let store = Store()
    let configuration = FeedConfiguration(pageSize: 30)
    let open = {
      Feed(
        server.source(.keyset), cache: .store(store, named: "home"), configuration: configuration)
    }
    let first = open()
    // Each page is a record of its own: steps that wait for each other are stored as one.
    for _ in 0..<5 {
      await first.loadNext()
      await first.flush()
    }
    #expect(try await store.notes(of: "home")["m3"] != nil)
    try await store.write(ChangeBatch(), notes: ["m2": Data([1, 2, 3])], of: "home")
    let second = open()
    await second.loadCache()
    #expect(second.value.items.map(\.id) == Array(0..<60))
    while await second.loadNext() != .end {}
    await second.flush()
    let third = open()
    await third.loadCache()
    #expect(Array(third.value.items) == server.items)
  }
}
