import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// No call from the main actor waits for a merge, a sort or a restore: the engines stand still
/// inside of the code of a user, and every method returns.
@MainActor @Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)), .serialized)
struct WaitingTests {
  let gate = Gate()
  let directory = TemporaryDirectory()
  let server = ScriptedServer((0..<40).map { Post(id: $0) })

  func feed(_ name: String = "waiting") -> FeedController<Post> {
    let gate = gate
    return FeedController(
      server.source(.cursor), cache: .file(name, in: directory.caches),
      sectionedBy: {
        gate.pass()
        return "\($0.version)"
      }, configuration: FeedConfiguration(pageSize: 10))
  }

  @Test
  func `no method of a feed waits for a merge, and all happen in their order`() async {
    let feed = feed()
    await feed.refresh()
    let posts = Array(feed.items)
    gate.shut()
    Thread.detachNewThread { [feed = feed.feed] in feed.receive(.upsert(Post(id: 100))) }
    await gate.arrival()

    feed.willDisplay(posts[2])
    feed.anchor = posts[3].id
    feed.holdNew()
    feed.showNew()
    feed.pause()
    feed.resume()
    let retried = Task { await feed.retry() }
    feed.loadCacheSynchronously()
    feed.insertLocally(Post(id: 200), at: 2)
    feed.moveLocally(from: 0, to: 5)
    feed.removeLocally(at: 9)
    feed.feed.receive(.upsert(Post(id: 300)))
    #expect(Array(feed.items) == posts && feed.rows.count == 10 && feed.sections.count == 1)
    #expect(feed.state.refresh == .idle && feed.refreshedAt != nil && feed.anchor == nil)
    #expect((try? feed.row(at: IndexPath(indexes: [0, 3])))?.item == posts[3])
    _ = (feed.updates, feed.isSaved, feed.cacheIssues, feed.isComplete(0))
    #expect(FeedController(feed.feed).items.count == 10)
    let cancelled = Task { await feed.loadNext() }
    cancelled.cancel()

    #expect(!gate.hasGivenUp)
    gate.open()
    _ = await (cancelled.value, retried.value, feed.trace(of: 0))
    #expect(
      feed.feed.value.items.map(\.id).prefix(12) == [300, 100, 1, 200, 2, 3, 4, 5, 0, 6, 7, 8])
    #expect(feed.feed.value.anchor == 3)
  }

  @Test
  func `hundreds of rows that waited are shown by a task`() async {
    let feed = feed()
    await feed.refresh()
    feed.holdNew()
    for id in 1000..<1300 { feed.feed.receive(.insert(Post(id: id))) }
    #expect(feed.feed.value.state.newItems == 300)
    gate.shut()
    feed.showNew()
    #expect(feed.items.count == 10)
    gate.open()
    _ = await feed.trace(of: 0)
    feed.holdNew()
    #expect(feed.items.count == 310 && !gate.hasGivenUp)
  }

  @Test
  func `P1: the first rows show before the call returns, and the rest is restored elsewhere`() async
  {
    do {
      let feed = Feed(
        server.source(.cursor), cache: .file("many", in: directory.caches),
        configuration: FeedConfiguration(pageSize: 40))
      await feed.refresh()
      for id in 1000..<1500 { feed.insertLocally(Post(id: id), after: id == 1000 ? 39 : id - 1) }
      await feed.flush()
    }
    let gate = gate
    let feed = FeedController(
      server.source(.cursor), cache: .file("many", in: directory.caches),
      sectionedBy: { post in
        if post.id == 1499 { gate.pass() }
        return ""
      })
    gate.shut()
    feed.loadCacheSynchronously()
    let first = feed.items.count
    #expect(first > 0 && first < 540)
    await gate.arrival()
    feed.anchor = feed.items[2].id
    feed.insertLocally(Post(id: 7000), at: 0)
    #expect(feed.items.count == first && !gate.hasGivenUp)
    gate.open()
    await feed.loadCache()
    _ = await feed.trace(of: 0)
    feed.holdNew()
    #expect(feed.items.count == 541 && feed.items[0].id == 7000 && feed.anchor == 2)
  }

  typealias Request = MemoryStore<Post>.Request

  func results(
    _ store: some DataStore<Post, Request>
  ) -> ResultsController<Post, Request> {
    let gate = gate
    return ResultsController(
      store: store,
      arrangement: .sorted { first, second in
        gate.pass()
        return first.id < second.id
      }, window: .zero)
  }

  /// Lets results stand still inside of a sort, on a thread of its own.
  private func hold(_ results: LiveResults<Post, Request>) {
    let gate = gate
    gate.shut()
    Thread.detachNewThread {
      results.arrange(
        .sorted { first, second in
          gate.pass()
          return first.id < second.id
        })
    }
  }

  @Test
  func `no method of results waits for a sort, and all happen in their order`() async throws {
    let store = MemoryStore((0..<200).map { Post(id: $0) })
    let results = results(store)
    await results.fetch(.all)
    let shown = results.fetchedObjects
    hold(results.list)
    await gate.arrival()
    // Who writes does not sort for those who look.
    try await store.write(inserting: (200..<900).map { Post(id: $0) })

    #expect(results.indexPath(for: Post(id: 30)) == IndexPath(indexes: [0, 30]))
    #expect(try results.object(at: IndexPath(indexes: [0, 3])).id == 3)
    #expect(results.sections.count == 1 && results.sectionIndexTitles == [""])
    #expect(results.section(forIndexTitle: "") == 0 && results.state.failure == nil)
    _ = (results.updates, results.list.values)
    #expect(ResultsController(results.list).fetchedObjects == shown)
    results.arrange(.sorted(by: \.id, .reverse).limited(to: 3))
    results.stop()
    results.performFetch(.init { $0.id < 2 })
    let cancelled = Task { await results.fetch(.init { $0.id < 2 }) }
    cancelled.cancel()
    #expect(results.fetchedObjects == shown && !gate.hasGivenUp)

    gate.open()
    _ = await cancelled.value
    _ = await results.fetch(.init { $0.id > 5 })
    #expect(results.fetchedObjects.map(\.id) == [899, 898, 897])
  }

  @Test
  func `hundreds of items are laid out by a task, and few at once`() async {
    let results = results(MemoryStore((0..<600).map { Post(id: $0) }))
    let few = self.results(MemoryStore((0..<60).map { Post(id: $0) }))
    await results.fetch(.all)
    await few.fetch(.all)
    few.arrange(.sorted(by: \.id, .reverse))
    #expect(few.fetchedObjects.first?.id == 59)
    let gate = gate
    gate.shut()
    results.arrange(
      .sorted { first, second in
        gate.pass()
        return first.id > second.id
      })
    #expect(results.fetchedObjects.first?.id == 0)
    gate.open()
    #expect(await results.item(withID: 3)?.id == 3)
    results.stop()
    #expect(results.fetchedObjects.first?.id == 599 && !gate.hasGivenUp)
  }

  @Test
  func `however far results are behind, one change waits for each item`() async throws {
    let store = MemoryStore((0..<10).map { Post(id: $0) })
    let results = results(store).list
    await results.fetch(.all)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    hold(results)
    await gate.arrival()
    for version in 1...10_000 { try await store.write(updating: [Post(id: 5, version: version)]) }
    gate.open()
    var count = 0
    while await results.item(withID: 5)?.version != 10_000, await updates.next() != nil {
      count += 1
    }
    #expect(count < 20 && !gate.hasGivenUp)
  }
}
