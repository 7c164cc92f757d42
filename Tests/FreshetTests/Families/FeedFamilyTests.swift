import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FeedFamilyTests {
  let hits = Hits()
  let directory = TemporaryDirectory()

  func cache(_ maximumFeeds: Int = 64) -> FamilyCache<Hit> {
    .files("hits", limits: CacheLimits(count: maximumFeeds), in: directory.caches)
  }
  var stored: CacheDirectory { directory.caches.directory(named: "hits", of: .family) }

  /// The feeds that are stored.
  func storedQueries() -> Set<Int> {
    let folders = Set(directory.files.keys.map { $0.split(separator: "/").dropLast().last ?? "" })
    return Set(
      (0..<4).filter {
        folders.contains(Substring(stored.name(for: "\($0)", of: .feed)))
      })
  }

  /// Waits until nobody but the family and the test holds a feed, and what is too much is removed.
  func settle(
    _ family: FeedFamily<Int, Hit>, until isRight: (Set<Int>) -> Bool
  ) async {
    while !isRight(storedQueries()) { await family.flush() }
  }

  @Test
  func `what a feed was asked for itself is not asked for again`() async {
    let family = hits.family()
    let feed = family[0]
    await feed.refresh()
    await family.prefetch(0)
    #expect(hits.requests[0] == 1)
    family.invalidate()
    await family.prefetch(0)
    #expect(hits.requests[0] == 2)
  }

  @Test
  func `one query is one feed, two queries are two`() async {
    let family = hits.family(maximumFeeds: 1)
    let first = family[0]
    #expect(family[0] === first && family[1] !== first)
    // It is not kept any more, but held here.
    #expect(family[0] === first)
    await first.refresh()
    await family[1].refresh()
    #expect(first.value.items.allSatisfy { $0.query == 0 })
    #expect(family[1].value.items.allSatisfy { $0.query == 1 })
  }

  @Test
  func `a feed that nobody holds goes, unless it was used lately`() async {
    let family = hits.family(maximumFeeds: 2)
    weak let feed = family[0]
    _ = family[1]
    await family[0].refresh()
    _ = family[2]
    #expect(feed?.value.items.count == 8)
    _ = family[1]
    #expect(await eventually { feed == nil })
  }

  @Test
  func `a paused feed with a question under way goes once nobody observes it`() async {
    weak var feed: Feed<Hit>?
    do {
      let family = hits.family(cache: cache(), maximumFeeds: 1)
      let paused = family[0]
      feed = paused
      await paused.refresh()
      await paused.flush()
      let updates = paused.updates
      paused.pause()
      family.invalidate()
      #expect(await eventually { paused.value.state.refresh == .loading })
      withExtendedLifetime(updates) {}
    }
    #expect(await eventually { feed == nil })
    // Another one writes to its folder.
    let family = hits.family(cache: cache())
    await family[0].refresh()
    await family[0].flush()
    #expect(family[0].isSaved)
  }

  @Test
  func `R1: what is prefetched is not asked for again, and meanwhile is asked for once`() async {
    let family = hits.family()
    #expect(await family.prefetch(1) == .idle)
    #expect(await family.prefetch(1) == .idle)
    #expect(hits.requests == [0, 1, 0, 0])
    hits.servers[2].hold()
    async let first = family.prefetch(2)
    async let second = family.prefetch(2)
    #expect(await hits.servers[2].waiting(1))
    #expect(await eventually { await family[2].waiters >= 2 })
    hits.servers[2].releaseAll()
    #expect(await (first, second) == (.idle, .idle))
    #expect(hits.requests == [0, 1, 1, 0])
  }

  @Test
  func `a prefetch that failed, or was cancelled, is asked for again`() async {
    let family = hits.family()
    hits.servers[0].failNext(with: ScriptedFailure())
    #expect(await family.prefetch(0).failure != nil)
    #expect(await family.prefetch(0) == .idle)
    #expect(hits.requests == [2, 0, 0, 0])
    hits.servers[1].hold()
    let task = Task { await family.prefetch(1) }
    #expect(await hits.servers[1].waiting(1))
    task.cancel()
    _ = await task.value
    hits.servers[1].releaseAll()
    #expect(await family.prefetch(1) == .idle)
    #expect(family[1].value.items.count == 8)
  }

  @Test
  func `what is invalid is asked for again: at once where somebody looks, else when somebody does`()
    async
  {
    let family = hits.family()
    for query in 0..<3 { await family.prefetch(query) }
    for server in hits.servers { server.insert(Hit(id: 100, query: -1), at: 0) }
    var updates = family[0].updates.makeAsyncIterator()
    _ = await updates.next()
    family.invalidate(.head) { $0 < 2 }
    #expect(await updates.next()?.value.items.first?.id == 100)
    #expect(hits.requests == [2, 1, 1, 0])
    var others = family[1].updates.makeAsyncIterator()
    _ = await others.next()
    #expect(await others.next()?.value.items.first?.id == 100)
    #expect(hits.requests == [2, 2, 1, 0])
    await family.prefetch(2)
    #expect(hits.requests == [2, 2, 1, 0])
    family.invalidate()
    await family.prefetch(2)
    #expect(family[2].value.items.first?.id == 100)
  }

  @Test
  func `what was asked before it became invalid is asked for again`() async {
    let family = hits.family()
    let server = hits.servers[1]
    server.hold()
    let before = Task { await family.prefetch(1) }
    #expect(await server.waiting(1))
    family.invalidate()
    let after = Task { await family.prefetch(1) }
    #expect(await eventually { await family[1].waiters >= 2 })
    server.release()
    _ = await before.value
    #expect(await server.waiting(1))
    server.releaseAll()
    #expect(await after.value == .idle)
    #expect(server.requests.count == 2)
    await family.prefetch(1)
    #expect(server.requests.count == 2)
  }

  @Test
  func `a source that cannot be made fails its own feed`() async {
    let family = FeedFamily { [hits] (query: Int) in
      guard query > 0 else { throw ScriptedFailure() }
      return hits.servers[query].source(.cursor)
    }
    #expect(await family.prefetch(0) == .failed(.source(ScriptedFailure())))
    #expect(await family.prefetch(1) == .idle)
  }

  @Test
  func `P5: each query is stored on its own, and is there again at the next launch`() async {
    do {
      let family = hits.family(cache: cache())
      await family.prefetch(0)
      await family.prefetch(1)
      await family[1].loadNext()
      await family.flush()
    }
    for server in hits.servers { server.hold() }
    let family = hits.family(cache: cache())
    for query in 0..<2 {
      await family[query].loadCache()
      #expect(
        Array(family[query].value.items.map(\.id))
          == Array(hits.servers[query].items.prefix(query == 0 ? 8 : 15).map(\.id)))
      #expect(family[query].value.items.allSatisfy { $0.query == query })
    }
  }

  @Test
  func `P9: on disk are as many feeds as there may be, those used last`() async throws {
    let cache = cache(2)
    let old = Date(timeIntervalSince1970: 1_000)
    do {
      let family = hits.family(cache: self.cache())
      for query in 0..<3 { await family.prefetch(query) }
      await family.flush()
    }
    for (query, age) in [(0, 0), (1, 2), (2, 1)] {
      try await directory.date("\(query)", in: stored, old + TimeInterval(age))
    }
    let family = hits.family(cache: cache, maximumFeeds: 1)
    await family.prefetch(3)
    await settle(family) { $0 == [1, 3] }
    // What is read counts as used, even where nothing new is stored.
    await family[1].loadCache()
    await family.flush()
    try await directory.date("3", in: stored, old)
    await family.prefetch(2)
    await settle(family) { $0 == [1, 2] }
  }

  @Test
  func `P9: what somebody holds stays on disk`() async {
    let cache = cache(1)
    let family = hits.family(cache: cache, maximumFeeds: 1)
    let held = family[0]
    for query in 0..<4 { await family.prefetch(query) }
    await settle(family) { $0 == [0, 3] }
    #expect(held.value.items.count == 8)
  }

  @Test
  func `P8: caches that are switched off stay as they are, and all go with their folder`() async {
    let family = hits.family(cache: cache(1))
    await family.prefetch(0)
    await family.flush()
    directory.caches.isEnabled = false
    await hits.family(cache: cache(1)).prefetch(1)
    #expect(storedQueries() == [0])
    directory.caches.isEnabled = true
    directory.caches.removeAll()
    #expect(storedQueries() == [])
  }
}
