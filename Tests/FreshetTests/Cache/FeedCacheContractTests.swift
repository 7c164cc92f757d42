import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FeedCacheContractTests {
  let directory = TemporaryDirectory()
  let contract = FeedCacheContract { Post(id: $0, version: $1) }

  @Test
  func `files are a cache`() async throws {
    var number = 0
    try await contract.check(rounds: 40) {
      number += 1
      let name = "\(number)"
      return { FileFeedCache<Post>(name, in: directory.caches, coder: JSONCoder()) }
    }
  }

  @Test
  func `files whose logs end with how the list begins are a cache`() async throws {
    var number = 0
    try await contract.check(rounds: 40) {
      number += 1
      let name = "\(number)"
      return {
        FileFeedCache<Post>(
          name, in: directory.caches, coder: JSONCoder(), locks: .shared, longLog: 0)
      }
    }
  }

  @Test
  func `a store is a cache`() async throws {
    try await contract.check(rounds: 40) {
      let store = MemoryStore<Post>()
      return { StoreFeedCache(store, "home", version: 1) }
    }
  }

  @Test
  func `a store that a family shares is a cache`() async throws {
    try await contract.check(rounds: 40) {
      let store = FamilyStore(MemoryStore<Post>(), "posts", limits: .none) { Date() }
      return { store.cache(named: "home") }
    }
  }

  /// The cache of the snippet `OwnCache`, without its issues.
  final class ValueCache: FeedCache {
    private let archive: Archive<CachedRows<Post>>
    private let stored = Locked(CachedRows<Post>())

    init(_ name: String, in directory: CacheDirectory) { archive = Archive(name, in: directory) }

    func loadFirst() -> CachedRows<Post>? {
      let rows = archive.load()
      stored.withLock { $0 = rows ?? CachedRows() }
      return rows
    }
    func loadRest() async -> CachedRows<Post> { CachedRows() }
    func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Post>.Row]? {
      stored.withLock { $0.rows.count == count ? Array($0.rows[range]) : nil }
    }
    func save(_ commit: FeedCommit<Post>) async -> Bool {
      let rows = stored.withLock { stored in
        stored = CachedRows(rows: commit.rows(after: stored.rows), state: commit.state)
        return stored
      }
      return (try? archive.save(rows)) != nil
    }
    func removeAll() async {
      stored.withLock { $0 = CachedRows() }
      archive.remove()
    }
    func takeIssues() -> [CacheIssue] { [] }
  }

  @Test
  func `one value is a cache`() async throws {
    var number = 0
    try await contract.check(rounds: 40) {
      number += 1
      let name = "value \(number)"
      return { ValueCache(name, in: directory.caches) }
    }
  }

  /// A cache that keeps the rows in memory only, and not those that it is not told of.
  final class ForgetfulCache: FeedCache {
    private let stored = Locked(CachedRows<Post>())
    func loadFirst() -> CachedRows<Post>? { stored.withLock { $0 } }
    func loadRest() async -> CachedRows<Post> { CachedRows() }
    func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Post>.Row]? { nil }
    func save(_ commit: FeedCommit<Post>) async -> Bool {
      let rows = commit.rows.compactMap { row in
        row.item.map { CachedRows<Post>.Row.item($0, commit.mark(of: $0.id)) }
      }
      stored.withLock { $0 = CachedRows(rows: rows, state: commit.state) }
      return true
    }
    func removeAll() async { stored.withLock { $0 = CachedRows() } }
    func takeIssues() -> [CacheIssue] { [] }
  }

  @Test
  func `a cache that forgets something is found out`() async throws {
    await #expect(throws: ContractViolation.self) {
      try await contract.check {
        let cache = ForgetfulCache()
        return { cache }
      }
    }
  }
}
