import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@MainActor @Suite(.timeLimit(.minutes(5)))
struct QueryControllerTests {
  let hits = Hits()

  final class Delegate: ListControllerDelegate {
    typealias Item = Hit
    var checker = BatchUpdateChecker<ListRow<Hit>>()
    var violations: [String] = []
    var failures: [FeedError] = []

    func controller(
      _ controller: ListController<some LiveList<Hit>>, didChangeContent update: ListUpdate<Hit>
    ) {
      violations += checker.violations(performing: update.step)
    }

    func controller(_ controller: ListController<some LiveList<Hit>>, didFail error: FeedError) {
      failures.append(error)
    }
  }

  @Test
  func `delegate, updates and observers see one list throughout`() async {
    let controller = QueryController(hits.family(), query: 0)
    let delegate = Delegate()
    controller.delegate = delegate
    var updates = controller.updates.makeAsyncIterator()
    await controller.refresh()
    _ = await updates.next()
    let changes = Locked(0)
    withObservationTracking {
      _ = (controller.items.count, controller.isShowingOldRows)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    hits.servers[1].hold()
    controller.show(1)
    #expect(controller.isShowingOldRows && controller.items.count == 8)
    #expect(changes.withLock { $0 } == 1)
    #expect(await hits.servers[1].waiting(1))
    hits.servers[1].failNext(with: ScriptedFailure())
    hits.servers[1].releaseAll()
    #expect(await eventually { !delegate.failures.isEmpty })
    #expect(controller.isShowingOldRows && controller.state.failure != nil)
    await controller.refresh()
    #expect(!controller.isShowingOldRows && controller.items.allSatisfy { $0.query == 1 })
    #expect(await updates.next()?.after == controller.value.list)
    #expect(delegate.violations == [] && delegate.checker.shown == controller.value.list)
    #expect(controller.feed.value.items == controller.items)
  }

  @Test
  func `a query in memory needs no request, and edits are edits of what is on display`()
    async
  {
    let family = hits.family()
    await family.prefetch(0)
    await family.prefetch(1)
    let controller = QueryController(family, query: 0)
    #expect(controller.items.count == 8)
    controller.show(1)
    #expect(
      await eventually { controller.items.first?.query == 1 && !controller.isShowingOldRows })
    controller.removeLocally(at: 0)
    #expect(
      await eventually { controller.items.count == 7 && family[1].value.items.count == 7 })
    #expect(family[0].value.items.count == 8)
  }

  @Test
  func `R6: edits and events are those of the feed on display`() async throws {
    let family = hits.family()
    await family.prefetch(0)
    let controller = QueryController(family, query: 0)
    let last = try #require(controller.items.last)
    await #expect(throws: ScriptedFailure.self) {
      try await controller.remove(last.id) {
        #expect(await eventually { controller.items.count == 7 })
        #expect(family[0].value.items.count == 7)
        throw ScriptedFailure()
      }
    }
    #expect(controller.items.count == 8)
    controller.receive(.delete(last.id))
    #expect(await eventually { controller.items.count == 7 })
    let (events, feeder) = AsyncStream.makeStream(of: FeedEvent<Hit>.self)
    feeder.yield(.insert(last))
    feeder.finish()
    try await controller.follow(events)
    #expect(await eventually { controller.items.contains { $0.id == last.id } })
  }

  @Test
  func `P1: stored rows of the first query are on display before the first request`() async {
    let directory = TemporaryDirectory()
    let cache = FamilyCache<Hit>.files("hits", in: directory.caches)
    do {
      let family = hits.family(cache: cache)
      await family.prefetch(2)
      await family.flush()
    }
    let controller = QueryController(hits.family(cache: cache), query: 2)
    controller.loadCacheSynchronously()
    #expect(controller.items.count == 8 && hits.requests == [0, 0, 1, 0])
  }

  @Test
  func `pause() holds whatever is shown, until resume()`() async {
    let controller = QueryController(hits.family(), query: 0)
    await controller.refresh()
    controller.pause()
    #expect(controller.state.isPaused)
    controller.show(1)
    #expect(await eventually { controller.state.isPaused && controller.state.refresh == .loading })
    #expect(hits.requests == [1, 0, 0, 0] && controller.isShowingOldRows)
    controller.resume()
    #expect(await eventually { !controller.isShowingOldRows })
    #expect(hits.requests == [1, 1, 0, 0] && !controller.state.isPaused)
  }

  @Test
  func `a controller that nobody holds goes, and its list with it`() async {
    weak var list: QueryFeed<Int, Hit>?
    do {
      let controller = QueryController(hits.family(), query: 0)
      list = controller.list
      hits.servers[0].hold()
      controller.show(0)
      controller.show(1, debounce: .seconds(1000))
      #expect(await hits.servers[0].waiting(1))
    }
    #expect(await eventually { list == nil })
    hits.servers[0].releaseAll()
  }
}
