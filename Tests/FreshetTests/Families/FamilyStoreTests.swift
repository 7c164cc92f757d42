import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Feeds of a family that share a store.
@Suite(.timeLimit(.minutes(5)))
struct FamilyStoreTests {
  typealias Store = StoreFeedCacheTests.FailingStore

  let store = Store()
  /// Two lists that overlap, and others.
  let servers = [0..<20, 10..<30, 25..<35, 5..<12].map { ScriptedServer($0.map { Post(id: $0) }) }
  let time = Time()

  /// A clock that is told the time.
  final class Time: Sendable {
    private let now = Locked(Date(timeIntervalSince1970: 1_000_000))
    var date: Date { now.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }
  }

  var stored: Set<Int> { Set(store.store.items.map(\.id)) }

  /// The feeds that the family knows, by their queries.
  func queries() async throws -> Set<String> {
    Set(try await store.store.notes(of: "posts/").keys.map { String($0.dropFirst(6)) })
  }

  func shared(_ limits: CacheLimits, version: Int = 1) -> FamilyStore<Store> {
    FamilyStore(store, "posts", version: version, limits: limits) { [time] in time.date }
  }

  func family(_ limits: CacheLimits = .none) -> FeedFamily<Int, Post> { family(shared(limits)) }

  func family(_ shared: FamilyStore<Store>) -> FeedFamily<Int, Post> {
    FeedFamily(
      cache: FamilyCache(shared), maximumFeeds: 1,
      configuration: FeedConfiguration(pageSize: 50)
    ) { [servers] (query: Int) in servers[query].source(.keyset) }
  }

  func pass(_ seconds: TimeInterval) { time.pass(seconds) }

  @Test(arguments: SeededGenerator.seeds(100))
  func `an item is anybody's until the last feed that holds it lets it go`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var (items, model) = (ItemReferenceCounts<Int>(), [String: Set<Int>]())
    for _ in 0..<200 {
      let (id, feed) = (
        Int.random(in: 0..<6, using: &random), "\(Int.random(in: 0..<4, using: &random))"
      )
      let free: Set<Int>
      let expected: Set<Int>
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        free = Set(items.remove(feed))
        let gone = model.removeValue(forKey: feed) ?? []
        expected = gone.filter { id in !model.values.contains { $0.contains(id) } }
      case 1...3:
        free = items.remove(id, from: feed) ? [id] : []
        model[feed]?.remove(id)
        expected = model.values.contains { $0.contains(id) } ? [] : [id]
      default:
        items.put(id, in: feed)
        model[feed, default: []].insert(id)
        (free, expected) = ([], [])
      }
      #expect(free == expected, "seed \(seed)")
      #expect(items.count(of: feed) == model[feed]?.count ?? 0, "seed \(seed)")
    }
  }

  @Test
  func `P9: items of another version go, and those that a feed of this one holds stay`()
    async throws
  {
    do {
      let family = family()
      for query in 0..<4 { await family[query].refresh() }
      await family.flush()
      #expect(stored == Set(0..<35))
    }
    let family = family(shared(.none, version: 2))
    let first = family[0]
    await first.loadCache()
    #expect(first.value.items.isEmpty)
    // What others of the old version hold goes with them, when limits are looked at.
    #expect(stored.isDisjoint(with: 0..<5))
    await first.refresh()
    await family.flush()
    #expect(stored == Set(0..<20))
    #expect(try await queries() == ["0"])
  }

  @Test
  func `P9: a feed that is closed goes where there are too many`() async throws {
    let family = family(CacheLimits(count: 1))
    do {
      let feeds = (0..<3).map { family[$0] }
      for feed in feeds {
        pass(100)
        await feed.refresh()
      }
      await family.flush()
      #expect(try await queries() == ["0", "1", "2"])
    }
    // The family keeps the last one in memory: it is in use.
    #expect(try await eventually { try await queries() == ["2"] })
    #expect(await eventually { stored == Set(25..<35) })
  }

  @Test
  func `P9: feeds that go with their family go where there are too many, too`() async throws {
    do {
      let family = family(CacheLimits(count: 1))
      let feeds = (0..<3).map { family[$0] }
      for feed in feeds {
        pass(100)
        await feed.refresh()
      }
      await family.flush()
      #expect(try await queries() == ["0", "1", "2"])
    }
    // Which one stays depends on which was closed last.
    #expect(try await eventually { try await queries().count <= 1 })
  }

  @Test
  func `an item that two feeds hold stays in the store until neither does, after a launch too`()
    async throws
  {
    do {
      let family = family()
      for query in 0..<2 { await family[query].refresh() }
      await family.flush()
      #expect(stored == Set(0..<30))
      servers[0].delete(15)
      await family[0].refresh(.all)
      await family.flush()
      #expect(stored == Set(0..<30))
    }
    do {
      // The other feed is not open.
      let family = family()
      for id in [2, 12] { servers[0].delete(id) }
      await family[0].loadCache()
      await family[0].refresh(.all)
      await family.flush()
      #expect(stored == Set(0..<30).subtracting([2]))
    }
    let family = family()
    for id in [12, 15, 16] { servers[1].delete(id) }
    await family[1].loadCache()
    #expect(family[1].value.items.map(\.id) == Array(10..<30))
    await family[1].refresh(.all)
    await family.flush()
    #expect(stored == Set(0..<30).subtracting([2, 12, 15]))
    await family[0].clearCache()
    #expect(stored == Set(10..<30).subtracting([12, 15, 16]))
    #expect(try await queries() == ["1"])
  }

  @Test
  func `P9: in a store are as many feeds as there may be, and the items that they hold`()
    async throws
  {
    do {
      let family = family()
      for query in 0..<3 {
        pass(3600)
        await family[query].refresh()
        await family.flush()
      }
      // What is read counts as used.
      pass(3600)
      await family[0].loadCache()
    }
    let limited = family(CacheLimits(count: 2))
    while try await queries() != ["0", "2"] { await limited.flush() }
    #expect(stored == Set(0..<20).union(25..<35))
    #expect(try await store.store.notes(of: "posts/1").isEmpty)
    // What somebody holds stays.
    let held = limited[0]
    await held.loadCache()
    pass(7200)
    for query in [3, 2] {
      pass(3600)
      await limited[query].refresh()
      await limited.flush()
    }
    while try await queries() != ["0", "2"] { await limited.flush() }
    #expect(held.value.items.count == 20)
  }

  @Test
  func `P9: rows and age hold for feeds in a store`() async throws {
    for query in 0..<4 {
      let family = family()
      pass(3600)
      await family[query].refresh()
      await family.flush()
    }
    #expect(stored == Set(0..<35))
    let few = family(CacheLimits(rows: 27))
    while try await queries() != ["2", "3"] { await few.flush() }
    #expect(stored == Set(25..<35).union(5..<12))
    let young = family(CacheLimits(age: .seconds(1800)))
    while try await queries() != ["3"] { await young.flush() }
    #expect(stored == Set(5..<12))
  }

  @Test(arguments: SeededGenerator.seeds(30))
  func `P2: whatever fails or ends, the store has the items that its feeds hold, and no others`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let limits = CacheLimits(count: 3)
    var shared: FamilyStore? = shared(limits)
    var family: FeedFamily? = family(shared!)
    var next = 1000
    for _ in 0..<40 {
      let query = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        store.takesFailing.withLock { $0 = random.oneIn(2) }
        store.failures.withLock { $0 = Int.random(in: 1..<3, using: &random) }
      case 1:
        // Another launch: nobody is there any more who writes.
        await family?.flush()
        weak let before = shared
        (family, shared) = (nil, nil)
        #expect(await eventually { before == nil })
        shared = self.shared(limits)
        family = shared.map { self.family($0) }
      case 2:
        servers[query].items.randomElement(using: &random).map { servers[query].delete($0.id) }
      case 3:
        next += 1
        for server in servers.prefix(2) { server.insert(Post(id: next), at: 0) }
      case 4: await family?.flush()
      default: await family?[query].refresh(random.oneIn(2) ? .all : .head)
      }
      pass(Double.random(in: 0..<90, using: &random))
    }
    store.failures.withLock { $0 = 0 }
    // Each feed that is left stores all that it shows.
    for query in 0..<4 {
      guard let feed = family?[query] else { return }
      next += 1
      servers[query].insert(Post(id: next), at: 0)
      await feed.refresh(.all)
      await feed.flush()
    }
    await family?.flush()
    var held: Set<Int> = []
    for query in try await queries() {
      held.formUnion(StoreRuns<Post>.ids(in: try await store.notes(of: "posts/\(query)")))
    }
    #expect(held.isSubset(of: stored), "seed \(seed): \(held.subtracting(stored)) are missing")
    #expect(stored.isSubset(of: held), "seed \(seed): \(stored.subtracting(held)) are nobody's")
  }

  @Test
  func `the store of a family is a store`() async throws {
    let contract = StoreContract<FamilyStore<MemoryStore<Post>>>(asking: .all) {
      Post(id: $0, version: $1)
    }
    let make = { FamilyStore(MemoryStore<Post>(), "posts", limits: .none) { Date() } }
    try await contract.check { make() }
    try await contract.checkNotes { make() }
  }

  /// A store that says when the notes of a feed go.
  final class ToldStore: FeedStore {
    let store: MemoryStore<Post>
    let goes = Locked<(@Sendable (String) -> Void)?>(nil)

    init(_ store: MemoryStore<Post>) { self.store = store }

    func execute(_ query: DataStoreQuery<Post, MemoryStore<Post>.Request>) async throws {
      try await store.execute(query)
    }
    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
    func write(
      _ changes: ChangeBatch<Post>, notes: [String: Data?], of feed: String
    ) async throws {
      if case .some(.none) = notes["manifest"] { goes.withLock { $0 }?(feed) }
      try await store.write(changes, notes: notes, of: feed)
    }
    func notes(of feed: String) async throws -> [String: Data] {
      try await store.notes(of: feed)
    }
    func items(withIDs ids: [Int]) async throws -> [Post] {
      try await store.items(withIDs: ids)
    }
  }

  @Test
  func `P9: a feed that is opened while another one goes stays`() async throws {
    for query in 0..<3 {
      let family = family()
      pass(3600)
      await family[query].refresh()
      await family.flush()
    }
    let told = ToldStore(store.store)
    let shared = FamilyStore(told, "posts", limits: CacheLimits(count: 1)) { [time] in time.date }
    let held = Locked<StoreFeedCache<FamilyStore<ToldStore>>?>(nil)
    told.goes.withLock {
      $0 = { _ in
        let cache = shared.cache(named: "1")
        held.withLock { $0 = cache }
      }
    }
    await shared.enforceLimits()
    #expect(try await queries() == ["1", "2"])
    told.goes.withLock { $0 = nil }
    withExtendedLifetime(held.withLock { $0 }) {}
  }
}
