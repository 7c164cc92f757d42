import FreshetTesting
import Testing

@testable import Freshet

/// Families whose feeds are observed, paused and asked at random, and let go of meanwhile.
@Suite(.timeLimit(.minutes(5)))
struct FamilyHistoryTests {
  /// A feed that nothing but this history holds, and what it is observed by.
  private struct Hold {
    let feed: Feed<Hit>
    var observer: Task<Void, Never>?
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `a family that is let go of frees its feeds, and another one writes where it wrote`(
    seed: Int
  ) async {
    let directory = TemporaryDirectory()
    let hits = Hits()
    func family() -> FeedFamily<Int, Hit> {
      FeedFamily(
        cache: .files("hits", limits: CacheLimits(count: 3), in: directory.caches),
        maximumFeeds: 1 + seed % 3,
        configuration: FeedConfiguration(pageSize: 8, retryPolicy: .never)
      ) { (query: Int) in hits.servers[query].source(.keyset) }
    }
    let freed = Freed()
    await live(in: family(), hits, freed, seed)
    // The source answers nothing any more: a paused feed, or one that asks, goes all the same.
    #expect(await eventually { freed.areGone }, "seed \(seed)")
    for server in hits.servers { server.releaseAll() }
    let next = family()
    for query in 0..<4 {
      let feed = next[query]
      await feed.loadCache()
      #expect(feed.value.items.allSatisfy { $0.query == query }, "seed \(seed)")
      while await feed.refresh().failure != nil {}
      while await feed.loadNext() == .idle {}
      #expect(Array(feed.value.items) == hits.servers[query].items, "seed \(seed)")
      await feed.flush()
      // A writer that is being freed by another thread holds its lock a moment longer.
      #expect(await eventually { feed.isSaved }, "seed \(seed): feed \(query) is not stored")
    }
  }

  /// Uses a family, and lets everything go that holds it.
  private func live(
    in family: FeedFamily<Int, Hit>, _ hits: Hits, _ freed: Freed, _ seed: Int
  ) async {
    var random = SeededGenerator(seed: seed)
    // Prefetches that begin late hold the family, and make feeds that this history never sees.
    freed.note(family)
    var held: [Int: Hold] = [:]
    var loads: [Task<Void, Never>] = []
    for _ in 0..<40 {
      let query = Int.random(in: 0..<4, using: &random)
      let hold = held[query] ?? Hold(feed: family[query])
      freed.note(hold.feed)
      held[query] = hold
      switch Int.random(in: 0..<10, using: &random) {
      case 0: hold.feed.pause()
      case 1: hold.feed.resume()
      case 2: family.invalidate { $0 == query }
      case 3:
        held[query]?.observer?.cancel()
        held[query]?.observer = Task { [updates = hold.feed.updates] in for await _ in updates {} }
      case 4:
        hold.observer?.cancel()
        held[query] = nil
      case 5: random.oneIn(2) ? hits.servers[query].hold() : hits.servers[query].releaseAll()
      case 6: loads.append(Task { [feed = hold.feed] in await feed.loadNext() })
      case 7: loads.append(Task { await family.prefetch(query) })
      case 8: hits.servers[query].failNext(with: ScriptedFailure())
      default: await Task.yield()
      }
    }
    for load in loads { load.cancel() }
    for hold in held.values { hold.observer?.cancel() }
  }

  /// A family and its feeds, and whether they are there still.
  private final class Freed {
    private struct Weak {
      weak var object: AnyObject?
    }

    private var objects: [Weak] = []

    func note(_ object: AnyObject) { objects.append(Weak(object: object)) }

    var areGone: Bool { objects.allSatisfy { $0.object == nil } }
  }
}
