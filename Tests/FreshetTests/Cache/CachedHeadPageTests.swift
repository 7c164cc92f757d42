import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rule N3 across launches: the validator of the head is stored with the rows that are its page.
@Suite(.timeLimit(.minutes(5)))
struct CachedHeadPageTests: CachingSuite {
  let directory = TemporaryDirectory()
  let server = ScriptedServer((0..<600).map { Post(id: $0) })

  init() { server.giveValidators() }

  func feed(
    _ cache: FeedCacheChoice<Post>, pageSize: Int = 10, _ paging: ScriptedPaging = .keyset
  ) -> Feed<Post> {
    Feed(server.source(paging), cache: cache, configuration: FeedConfiguration(pageSize: pageSize))
  }

  /// What a first launch stores.
  func store(
    _ cache: FeedCacheChoice<Post>, pageSize: Int = 10, _ paging: ScriptedPaging = .keyset,
    _ more: (Feed<Post>) async -> Void = { _ in }
  ) async {
    let feed = feed(cache, pageSize: pageSize, paging)
    await feed.refresh()
    await feed.loadNext()
    await more(feed)
    await feed.flush()
  }

  @Test(arguments: [3, 10, 40, 250], ScriptedPaging.allCases)
  func `N3: the first refresh after a relaunch is one request without a body, and writes nothing`(
    pageSize: Int, paging: ScriptedPaging
  ) async {
    let name = "home"
    await store(.file(name, in: directory.caches), pageSize: pageSize, paging)
    // The lock says how many rows there are once the first feed has given it up.
    func files() -> [String: Data] { directory.files.filter { !$0.key.hasSuffix("lock") } }
    let stored = files()
    let requests = server.requests.count
    let feed = feed(.file(name, in: directory.caches), pageSize: pageSize, paging)
    feed.loadCacheSynchronously()
    #expect(await feed.refresh() == .idle)
    await feed.cacheIsWritten()
    #expect(server.requests.count == requests + 1 && server.unchangedAnswers == 1)
    let count = feed.value.items.count
    #expect(Array(feed.value.items) == Array(server.items.prefix(count)) && count > pageSize)
    #expect(feed.value.origin == .cache)
    #expect(files() == stored)
    await feed.loadNext()
    #expect(feed.value.items.count > count)
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }

  @Test
  func `N3: a feed in a store has its validator again, unless others wrote its rows`() async throws
  {
    let store = MemoryStore<Post>()
    await self.store(.store(store, named: "home"))
    let second = feed(.store(store, named: "home"))
    #expect(await second.refresh() == .idle)
    #expect(server.unchangedAnswers == 1 && second.value.items.count == 20)
    await second.flush()
    var changes = ChangeBatch<Post>()
    changes.add(Post(id: 3, version: 9), as: .update)
    try await store.write(changes)
    let third = feed(.store(store, named: "home"))
    await third.refresh()
    #expect(server.unchangedAnswers == 1)
    #expect(Array(third.value.items) == Array(server.items.prefix(20)))
  }

  @Test
  func `N3: rows that are not the page any more are stored without its validator`() async {
    await store(.file("news", in: directory.caches)) { feed in
      feed.receive(.upsert(Post(id: 3, version: 1)))
    }
    let feed = feed(.file("news", in: directory.caches))
    await feed.refresh()
    #expect(server.unchangedAnswers == 0)
    #expect(Array(feed.value.items) == Array(server.items.prefix(20)))
  }

  @Test
  func `N3, P3: rows that are damaged have no validator`() async throws {
    await store(.file("home", in: directory.caches), pageSize: 250)
    for path in directory.files.keys.filter({ $0.contains("/p") }).sorted().prefix(3) {
      let files = directory.files
      var data = try #require(files[path])
      data[data.count / 2] ^= 4
      try directory.write(data, to: path)
      let machine = load(cache())
      #expect(machine.planner.answered.count == 0, "\(path)")
      try directory.write(try #require(files[path]), to: path)
    }
    #expect(load(cache()).planner.answered.count == 1)
  }

  @Test
  func `N3, P2: a manifest torn at any byte has the validator of its rows or none`() throws {
    let writing = cache()
    var named: [String: [Post]] = [:]
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    for version in 0..<6 {
      // Every other answer changes rows and not the validator's length.
      let posts = (0..<4).map { Post(id: $0 + version / 2, version: version) }
      named["\(version)"] = posts
      let page = Page(posts, next: PageKey(json: "\(version)"), validator: "\(version)")
      for case .load(.fetch(let ticket, _)) in machine.effects(of: { $0.load(.refresh) }) {
        for case .save(let commit) in machine.effects(of: {
          $0.receive(.success(page), for: ticket, at: .distantPast)
        }) {
          writing.save(commit.typed())
        }
      }
      for case .save(let commit) in machine.effects(of: {
        $0.insert(
          Post(id: 90 + version), after: posts.last?.id, at: .distantPast)
      }) {
        writing.save(commit.typed())
      }
    }
    writing.close()
    let path = try #require(directory.files.keys.first { $0.hasSuffix("manifest") })
    let whole = try #require(directory.files[path])
    var found: Set<String> = []
    for length in 0...whole.count {
      try directory.write(whole.prefix(length), to: path)
      let loaded = load(cache())
      var answered = loaded.planner.answered
      guard let page = answered.offer(for: nil, in: loaded.timeline) else { continue }
      let validator = try #require(page.validator)
      #expect(page.items.map(\.post) == named[validator] && page.next?.json == validator)
      found.insert(validator)
    }
    #expect(found.count > 1, "\(found)")
  }

  @Test
  func `P4: a step that leaves the page alone stores two bytes of it at most`() {
    func sizes(_ validator: String?) -> [Int] {
      var manifest = FeedManifest()
      let page = validator.map { CachedHeadPage(validator: $0, rows: 1, next: nil, previous: nil) }
      return (0..<3).map { sequence in
        let entry = FeedManifest.Entry.run(
          sequence: UInt64(sequence), rows: 1, mark: PageBoundary())
        let step = manifest.step(
          [.init(range: 0..<0, entries: [entry])], CachedState(page: page)
        ) { _ in 7 }
        try? manifest.apply(step)
        return FeedManifest.record(step).count
      }
    }
    let (with, without) = (sizes(String(repeating: "v", count: 500)), sizes(nil))
    #expect(with[0] > without[0] + 500)
    #expect(with[1...].elementsEqual(without[1...]))
  }

  @Test
  func `a page that its record makes impossible is none`() throws {
    let posts = (0..<3).map { Post(id: $0) }
    let rows = posts.map { CachedRows<Post>.Row.item($0, nil) }
    for (validator, count) in [
      ("v", 0), ("v", 4), ("v", .max), ("", 3), (String(repeating: "v", count: 2000), 3),
    ] {
      var machine = FeedMachine(
        configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
      machine.beginRestoring()
      let page = CachedHeadPage(validator: validator, rows: count, next: nil, previous: nil)
      machine.restore(CachedRows(rows: rows, state: CachedState(page: page)), at: .distantPast)
      #expect(machine.planner.answered.count == 0 && machine.value.items.count == 3)
    }
  }

  // What another build of the app reads is not what the source said.

  private struct Before: ListItem, Codable {
    let id: Int
    var author = Author()
    struct Author: Equatable, Codable, Sendable { var name = "" }
  }

  private struct After: ListItem, Codable {
    let id: Int
    var author = Author()
    struct Author: Equatable, Codable, Sendable {
      var name = ""
      var likes: Int?
    }
  }

  private struct Forgetful: ListItem, Codable {
    let id: Int
    var note = ""
    enum CodingKeys: CodingKey { case id }
  }

  private func validator<Item: ListItem & Codable>(of item: Item.Type, in name: String) -> String? {
    let cache = FileFeedCache<Item>(name, in: directory.caches, coder: JSONCoder())
    return cache.loadFirst()?.state.page?.validator
  }

  private func store<Item: ListItem & Codable>(_ item: Item, in name: String) {
    let cache = FileFeedCache<Item>(name, in: directory.caches, coder: JSONCoder())
    let page = Page<Item, PageKey>([item], next: nil, validator: "v")
    for commit in commits(page) { cache.save(commit) }
    cache.close()
  }

  @Test
  func `N3: rows of a type that gained a part, or that lose one in the cache, have no validator`() {
    store(Before(id: 1), in: "grown")
    #expect(validator(of: Before.self, in: "grown") == "v")
    #expect(validator(of: After.self, in: "grown") == nil)
    store(Forgetful(id: 1), in: "lossless")
    #expect(validator(of: Forgetful.self, in: "lossless") == "v")
    store(Forgetful(id: 1, note: "said once"), in: "lossy")
    #expect(validator(of: Forgetful.self, in: "lossy") == nil)
  }
}

extension Feed {
  /// Waits until the cache has nothing more to write, and asks it for nothing.
  fileprivate func cacheIsWritten() async { await cache?.flush() }
}
