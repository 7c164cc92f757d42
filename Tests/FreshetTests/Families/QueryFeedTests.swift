import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct QueryFeedTests {
  let hits = Hits()

  /// Waits until a list shows something.
  func value<Query>(
    of list: QueryFeed<Query, Hit>, where isRight: (ListValue<Hit>) -> Bool
  ) async -> ListValue<Hit> {
    for await value in list.values where isRight(value) { return value }
    return list.value
  }

  /// Waits until a feed lets its loads wait, or does not: whoever decides that tells it a moment
  /// later.
  func paused(_ feed: Feed<Hit>, _ isPaused: Bool) async {
    #expect(await eventually { feed.value.state.isPaused == isPaused })
  }

  func shown(_ query: Int) -> @Sendable (ListValue<Hit>) -> Bool {
    { !$0.state.isShowingOldRows && $0.items.first?.query == query }
  }

  @Test
  func `a list that is paused and resumed while its query changes is not left paused`() async {
    for _ in 0..<20 {
      let list = QueryFeed(hits.family(), query: 0)
      await list.refresh()
      list.pause()
      list.show(1)
      list.resume()
      await list.refresh()
      _ = await value(of: list) { !$0.state.isPaused && shown(1)($0) }
    }
  }

  @Test
  func `who else looks at a feed does not wait for a list that left it while it was paused`() async
  {
    let family = hits.family()
    let (first, second) = (family[0], family[1])
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    list.pause()
    list.show(1)
    list.resume()
    await list.refresh()
    await paused(first, false)
    await paused(second, false)
    list.pause()
    list.show(0)
    await paused(first, true)
    await paused(second, false)
  }

  @Test
  func `a feed waits as long as any list that shows it is paused`() async {
    let family = hits.family()
    let feed = family[0]
    let (first, second) = (QueryFeed(family, query: 0), QueryFeed(family, query: 0))
    await first.refresh()
    await second.refresh()
    first.pause()
    second.pause()
    first.show(1)
    first.resume()
    await first.refresh()
    await paused(family[1], false)
    #expect(feed.value.state.isPaused)
    second.resume()
    await paused(feed, false)
  }

  @Test(arguments: 0..<4)
  func `pauses and turns that meet leave no feed waiting for good`(seed: Int) async {
    var random = SeededGenerator(seed: seed)
    let family = hits.family()
    let feeds = (0..<3).map { family[$0] }
    let list = QueryFeed(family, query: 0)
    for _ in 0..<200 {
      let first = Int.random(in: 0..<3, using: &random)
      let second = Int.random(in: 0..<3, using: &random)
      await withTaskGroup { group in
        group.addTask {
          list.pause()
          list.resume()
        }
        group.addTask {
          list.show(first)
          list.pause()
        }
        group.addTask {
          family.invalidate(.head)
          list.show(second)
          list.resume()
        }
      }
      list.resume()
      await list.refresh()
      // Who let go of a feed may not have come to tell it yet; one that is left waiting waits for
      // good.
      #expect(
        await eventually {
          !feeds.contains(where: \.value.state.isPaused) && !list.value.state.isPaused
        })
    }
  }

  @Test
  func `a list that is gone keeps nobody waiting`() {
    let family = hits.family()
    let feed = family[0]
    do {
      let list = QueryFeed(family, query: 0)
      list.pause()
      #expect(feed.value.state.isPaused)
    }
    #expect(!feed.value.state.isPaused)
  }

  @Test
  func `old rows stay and say so until the new ones are there, in one exact update`() async {
    let list = QueryFeed(hits.family(), query: 0)
    await list.refresh()
    #expect(list.value.items.count == 8 && !list.value.state.isShowingOldRows)
    var updates = list.updates.makeAsyncIterator()
    var checker = BatchUpdateChecker<ListRow<Hit>>()
    _ = await updates.next().map { checker.violations(performing: $0.step) }
    hits.servers[1].hold()
    list.show(1)
    #expect(await hits.servers[1].waiting(1))
    #expect(
      await eventually {
        list.value.state.isShowingOldRows && list.value.state.refresh == .loading
      })
    #expect(list.value.items.allSatisfy { $0.query == 0 } && list.value.items.count == 8)
    hits.servers[1].releaseAll()
    let update = await updates.next()
    #expect(update.map { checker.violations(performing: $0.step) } == [])
    #expect(update.map(\.value).map(shown(1)) == true)
    #expect(list.value.items.map(\.id) == Array(hits.servers[1].items.prefix(8)).map(\.id))
    #expect(await list.query == 1)
  }

  @Test
  func `what is in memory is shown, and is not asked for again`() async {
    let family = hits.family()
    await family.prefetch(1)
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    list.show(1)
    #expect(await eventually { shown(1)(list.value) })
    list.show(0)
    #expect(await eventually { shown(0)(list.value) })
    await list.eventQueue.ask { _ in }
    #expect(hits.requests == [1, 1, 0, 0])
    family.invalidate { $0 == 1 }
    list.show(1)
    #expect(await eventually { shown(1)(list.value) })
    #expect(await eventually { hits.requests[1] >= 2 })
  }

  @Test
  func `R3: the request for the query before is cancelled, unless others wait for it`() async {
    let family = hits.family()
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    for server in hits.servers { server.hold() }
    list.show(1)
    #expect(await hits.servers[1].waiting(1))
    let waiting = Task { await family.prefetch(2) }
    #expect(await hits.servers[2].waiting(1))
    list.show(2)
    #expect(await eventually { await family[1].loads == 0 })
    #expect(await eventually { await family[2].waiters >= 2 })
    list.show(3)
    #expect(await hits.servers[3].waiting(1))
    #expect(await eventually { await family[2].waiters <= 1 })
    #expect(await family[2].loads == 1)
    for server in hits.servers { server.releaseAll() }
    #expect(await waiting.value == .idle)
    #expect(shown(3)(await value(of: list, where: shown(3))))
    #expect(family[1].value.items.isEmpty && hits.requests == [1, 1, 1, 1])
  }

  @Test
  func `R3: what nobody waits for is cancelled with its query, and its callers hear`() async {
    let family = hits.family()
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    hits.servers[0].hold()
    list.willDisplay(list.value.items[7])
    #expect(await hits.servers[0].waiting(1))
    let more = Task { await list.loadNext() }
    #expect(await eventually { await family[0].waiters >= 1 })
    list.show(1)
    #expect(await more.value == .idle)
    #expect(await eventually { await family[0].loads == 0 })
    #expect(shown(1)(await value(of: list, where: shown(1))))
    hits.servers[0].releaseAll()
    list.show(0)
    #expect(list.value.items.count == 8)
  }

  @Test
  func `R3: a screen that looks at the query before keeps what it loads`() async {
    let family = hits.family()
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    let other = QueryFeed(family, query: 0)
    hits.servers[0].hold()
    other.willDisplay(other.value.items[7])
    #expect(await hits.servers[0].waiting(1))
    list.show(1)
    _ = await value(of: list, where: shown(1))
    #expect(await family[0].loads == 1)
    hits.servers[0].releaseAll()
    #expect(await value(of: other) { $0.items.count == 16 }.items.count == 16)
  }

  @Test
  func `a debounced query is asked for once nobody asks for another`() async {
    let clock = ManualClock()
    let list = QueryFeed(hits.family(clock: clock), query: 0)
    await list.refresh()
    for query in 1...3 {
      list.show(query, debounce: .milliseconds(300))
      #expect(await clock.sleepers(1))
      clock.advance(by: .milliseconds(299))
      #expect(list.value.state.isShowingOldRows && list.value.items.count == 8)
    }
    clock.advance(by: .milliseconds(1))
    #expect(shown(3)(await value(of: list, where: shown(3))))
    #expect(hits.requests == [1, 0, 0, 1])
    #expect(clock.sleeping == 0)
  }

  @Test
  func `a load does not wait for the debounce, and the query on display is back at once`() async {
    let clock = ManualClock()
    let list = QueryFeed(hits.family(clock: clock), query: 0)
    await list.refresh()
    list.show(1, debounce: .seconds(1))
    #expect(await clock.sleepers(1))
    list.show(0, debounce: .seconds(1))
    #expect(shown(0)(list.value))
    list.show(2, debounce: .seconds(1))
    #expect(await list.refresh() == .idle)
    #expect(shown(2)(list.value))
    // The refresh joins the request that the query begins with, unless that was quicker.
    #expect([[1, 0, 1, 0], [1, 0, 2, 0]].contains(hits.requests))
  }

  @Test
  func `R4: a failure leaves the old rows, says so, and is asked for again by a retry`() async {
    let family = hits.family()
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    hits.servers[1].failNext(with: ScriptedFailure())
    list.show(1)
    let failed = await value(of: list) { $0.state.refresh.failure != nil }
    #expect(failed.state.isShowingOldRows && failed.items.count == 8)
    #expect(await list.retry() == .idle)
    #expect(shown(1)(list.value))
    // That is an answer like any other.
    await family.prefetch(1)
    #expect(hits.requests[1] == 2)
  }

  @Test
  func `a query without rows is an answer too`() async {
    let family = FeedFamily { (query: Int) in
      ScriptedServer(query == 0 ? [Hit(id: 1, query: 0)] : []).source(.cursor)
    }
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    list.show(1)
    let value = await value(of: list) { !$0.state.isShowingOldRows && $0.items.isEmpty }
    #expect(value.state.next == .end && value.refreshedAt != nil)
  }

  @Test
  func `stored rows are shown before the source answers`() async {
    let directory = TemporaryDirectory()
    let cache = FamilyCache<Hit>.files("hits", in: directory.caches)
    do {
      let family = hits.family(cache: cache)
      await family.prefetch(1)
      await family.flush()
    }
    let list = QueryFeed(hits.family(cache: cache), query: 0)
    await list.refresh()
    hits.servers[1].hold()
    list.show(1)
    let value = await value(of: list) { shown(1)($0) && $0.state.refresh == .loading }
    #expect(value.items.count == 8)
    hits.servers[1].releaseAll()
  }

  @Test
  func `edits and gaps are those of the rows on display`() async throws {
    let family = hits.family()
    let list = QueryFeed(family, query: 0)
    await list.refresh()
    hits.servers[1].hold()
    list.show(1)
    #expect(await hits.servers[1].waiting(1))
    list.feed.removeLocally(3)
    #expect(list.value.items.count == 7 && list.value.state.isShowingOldRows)
    #expect(await list.load(Gap(id: 1)) == .idle)
    hits.servers[1].releaseAll()
    _ = await value(of: list, where: shown(1))
    #expect(family[0].value.items.count == 7 && list.feed === family[1])
  }

  @Test
  func `other lists are made of it`() async {
    let list = QueryFeed(hits.family(), query: 0)
    let even = list.filter { $0.id % 4 == 0 }
    var updates = even.updates.makeAsyncIterator()
    await list.refresh()
    list.show(2)
    while let value = await updates.next()?.value {
      if value.items.first?.query == 2 {
        #expect(value.items.allSatisfy { $0.query == 2 && $0.id % 4 == 0 })
        break
      }
    }
  }
}
