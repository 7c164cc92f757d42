import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Feeds of a family that share a store.
@Suite(.timeLimit(.minutes(15)))
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

  func shared(_ limits: CacheLimits) -> FamilyStore<Store> {
    FamilyStore(store, "posts", limits: limits) { [time] in time.date }
  }

  func family(_ limits: CacheLimits = .none) -> FeedFamily<Int, Post> { family(shared(limits)) }

  func family(_ shared: FamilyStore<Store>) -> FeedFamily<Int, Post> {
    FeedFamily(
      cache: FamilyCache(shared, version: 1), maximumFeeds: 1,
      configuration: FeedConfiguration(pageSize: 50)
    ) { [servers] (query: Int) in servers[query].source(.keyset) }
  }

  func pass(_ seconds: TimeInterval) { time.pass(seconds) }

  @Test(arguments: 0..<100)
  func `an item is anybody's until the last feed that holds it lets it go`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var (items, model) = (SharedItems<Int>(), [String: Set<Int>]())
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
        free = items.take(id, from: feed) ? [id] : []
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

  @Test(arguments: 0..<30)
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
        while before != nil { await Task.yield() }
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
      held.formUnion(NotedRuns<Post>.ids(in: try await store.notes(of: "posts/\(query)")))
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

  /// How many are inside.
  private final class Inside: Sendable {
    private let count = Locked(0)
    func enter() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
    func leave() { count.withLock { $0 -= 1 } }
  }

  @Test
  func `who waits for a turn gets it, one after the other`() async {
    let (lock, inside) = (AsyncLock(), Inside())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await lock.withLock {
            #expect(inside.enter() == 1)
            await Task.yield()
            inside.leave()
          }
        }
      }
    }
    await lock.withLock {}
  }
}
