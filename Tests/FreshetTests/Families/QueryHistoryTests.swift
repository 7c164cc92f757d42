import FreshetTesting
import Testing

@testable import Freshet

/// Queries asked for at random while answers come late, fail and overtake each other.
@Suite(.timeLimit(.minutes(5)))
struct QueryHistoryTests {
  @Test(arguments: SeededGenerator.seeds(100))
  func `R2: no row is of another query than the list says, in no list and in no cache`(
    seed: Int
  ) async {
    let directory = TemporaryDirectory()
    let cache = FamilyCache<Hit>.files(
      "hits", limits: CacheLimits(count: 3), in: directory.caches)
    let (hits, clock) = (Hits(), ManualClock())
    var random = SeededGenerator(seed: seed)
    do {
      let family = hits.family(cache: cache, maximumFeeds: 2, clock: clock)
      let list = QueryFeed(family, query: 0)
      let watcher = Task { await watch(list, seed) }
      for server in hits.servers { server.hold() }
      var loads: [Task<LoadState, Never>] = []
      for _ in 0..<60 {
        loads += step(list, family, hits, clock, &random)
        let (asked, value) = await list.eventQueue.ask { ($0.queries.asked, $0.value) }
        let queries = Set(value.items.map(\.query))
        let isRight =
          queries.count <= 1
          && (queries.isEmpty || value.state.isShowingOldRows || queries == [asked])
        #expect(isRight, "seed \(seed): \(queries) for \(asked)")
      }
      // The network is well again.
      let last = Int.random(in: 0..<4, using: &random)
      for server in hits.servers { server.releaseAll() }
      list.show(last)
      while await list.refresh(.all).failure != nil {}
      for load in loads { _ = await load.value }
      while await list.loadNext() == .idle {}
      #expect(Array(list.value.items) == hits.servers[last].items, "seed \(seed)")
      #expect(!list.value.state.isShowingOldRows, "seed \(seed)")
      await family.flush()
      watcher.cancel()
      await watcher.value
    }
    for query in 0..<4 {
      let feed = hits.family(cache: cache)[query]
      await feed.loadCache()
      #expect(feed.value.items.allSatisfy { $0.query == query }, "seed \(seed)")
    }
  }

  private func step(
    _ list: QueryFeed<Int, Hit>, _ family: FeedFamily<Int, Hit>, _ hits: Hits,
    _ clock: ManualClock, _ random: inout SeededGenerator
  ) -> [Task<LoadState, Never>] {
    let query = Int.random(in: 0..<4, using: &random)
    let server = hits.servers[query]
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1, 2: list.show(query, debounce: random.oneIn(2) ? .milliseconds(20) : nil)
    case 3, 4: server.release(Int.random(in: 0..<2, using: &random))
    case 5: clock.advance(by: .milliseconds(Int.random(in: 5..<30, using: &random)))
    case 6:
      let isRefresh = random.oneIn(2)
      return [Task { isRefresh ? await list.refresh() : await list.loadNext() }]
    case 7: list.value.items.last.map(list.willDisplay)
    case 8:
      server.failNext(with: ScriptedFailure())
      server.insert(Hit(id: 100 + server.items.count, query: query), at: 0)
    default:
      family.invalidate { $0 == query }
      return [Task { await family.prefetch(query) }]
    }
    return []
  }

  /// Performs every update as a view would.
  private func watch(_ list: QueryFeed<Int, Hit>, _ seed: Int) async {
    var checker = BatchUpdateChecker<ListRow<Hit>>()
    for await update in list.updates {
      let violations = checker.violations(performing: update.step)
      #expect(violations.isEmpty, "seed \(seed)")
      #expect(Set(update.value.items.map(\.query)).count <= 1, "seed \(seed)")
    }
  }
}
