import FreshetTesting
import Testing

@testable import Freshet

/// Feeds of one name are stored one after the other, also after they are gone.
@Suite(.timeLimit(.minutes(5)))
struct DepartedWritersTests {
  /// What caches did, in its order.
  final class Log: Sendable {
    private let list = Locked<[String]>([])
    var entries: [String] { list.withLock { $0 } }
    func add(_ entry: String) { list.withLock { $0.append(entry) } }
  }

  /// A cache whose steps end once they may, and that notes when they begin and end.
  final class SlowCache: FeedCache, LockingCache {
    let lockName = "slow"
    let name: String
    let log: Log
    private let (steps, step) = AsyncStream<Void>.makeStream()

    init(_ name: String, _ log: Log) {
      self.name = name
      self.log = log
    }

    /// Lets one step end.
    func go() { step.yield() }

    func save(_ commit: FeedCommit<Post>) async -> Bool {
      log.add("\(name) begins")
      for await _ in steps { break }
      log.add("\(name) ends")
      return true
    }

    func close() { log.add("\(name) closes") }
    func rest() {}
    func loadFirst() -> CachedRows<Post>? { nil }
    func loadRest() async -> CachedRows<Post> { CachedRows() }
    func load(_ range: Range<Int>, of count: Int) async -> [CachedRows<Post>.Row]? { nil }
    func removeAll() async {}
    func takeIssues() -> [CacheIssue] { [] }
  }

  @Test
  func `a feed that opens while earlier ones that are gone are being stored stores after them`()
    async
  {
    let log = Log()
    let caches = ["a", "b", "c"].map { SlowCache($0, log) }
    let commit = FeedCommit(rows: RowTree([ListRow.item(Post(id: 1))]))
    for cache in caches.dropLast() {
      let writer = CacheWriter(cache)
      writer.save(commit)
      // The first one is at it when the second one comes.
      if cache.name == "a" { #expect(await eventually { log.entries == ["a begins"] }) }
    }
    let last = CacheWriter(caches[2])
    last.save(commit)
    for _ in 0..<100 { await Task.yield() }
    for cache in caches.reversed() { cache.go() }
    await last.flush()
    #expect(
      log.entries == [
        "a begins", "a ends", "a closes", "b begins", "b ends", "b closes", "c begins", "c ends",
      ])
    #expect(last.isSaved)
  }
}
