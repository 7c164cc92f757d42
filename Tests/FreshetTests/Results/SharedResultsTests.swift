import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Live results that share their items with other lists (rules I1 to I4).
@Suite(.timeLimit(.minutes(1 * SeededGenerator.minutes)))
struct SharedResultsTests {
  private let posts = IdentityMap<Post>()
  /// The clock of the time in which a store reports edits.
  private let clock = ManualClock()

  private func feed(_ ids: [Int]) async -> Feed<Post> {
    let server = ScriptedServer(ids.map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), identity: posts)
    await feed.refresh()
    return feed
  }

  private func results(
    _ store: MemoryStore<Post>, _ arrangement: Arrangement<Post> = .all
  ) async -> LiveResults<Post, MemoryStore<Post>.Request> {
    let results = LiveResults(
      store: store, arrangement: arrangement, identity: posts, window: .zero,
      clock: clock)
    #expect(await results.fetch(.all) == .loaded)
    return results
  }

  @Test func `I1: what a feed learns changes the item in live results, and back`() async throws {
    let store = MemoryStore([Post(id: 1), Post(id: 2)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    feed.receive(.upsert(Post(id: 2, version: 4)))
    #expect(await eventually { results.value.outline == "1 2v4" })
    try await store.write(updating: [Post(id: 2, version: 5)])
    #expect(await eventually { feed.value.outline == "2v5 3" })
    #expect(results.value.outline == "1 2v5")
  }

  @Test func `I2: an item enters live results whose filter it passes since`() async {
    let store = MemoryStore([Post(id: 1, version: 1), Post(id: 2)])
    let feed = await feed([2])
    let results = await results(store, .filtered { $0.version > 0 })
    #expect(results.value.outline == "1v1")
    feed.receive(.update(Post(id: 2, version: 4)))
    #expect(await eventually { results.value.outline == "1v1 2v4" })
    feed.receive(.update(Post(id: 2)))
    #expect(await eventually { results.value.outline == "1v1" })
  }

  @Test func `O6: an edit is shown in feeds and live results while it is sent`() async throws {
    let store = MemoryStore([Post(id: 1), Post(id: 2)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    try? await results.update(2, optimistically: { $0.version = 9 }) {
      #expect(await eventually { feed.value.outline == "2v9 3" })
      throw URLError(.timedOut)
    }
    #expect(await eventually { feed.value.outline == "2 3" })
    try await feed.update(2, optimistically: { $0.version = 9 }) {
      #expect(await eventually { results.value.outline == "1 2v9" })
    }
    #expect(results.value.outline == "1 2v9" && feed.value.outline == "2v9 3")
  }

  @Test func `I1: news ends an edit that the store has not reported yet`() async throws {
    let store = MemoryStore([Post(id: 1), Post(id: 2)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    try await results.update(2, optimistically: { $0.version = 11 }) {}
    #expect(await eventually { feed.value.outline == "2v11 3" })
    feed.receive(.update(Post(id: 2, version: 12)))
    #expect(await eventually { results.value.outline == "1 2v12" })
    try await feed.update(2, optimistically: { $0.version = 13 }) {}
    #expect(await eventually { results.value.outline == "1 2v13" })
  }

  @Test func `I3: a deletion that is reported removes the item from live results`() async throws {
    let store = MemoryStore([Post(id: 1), Post(id: 2)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    feed.receive(.delete(2))
    #expect(await eventually { results.value.outline == "1" })
    try await store.write(deleting: [1])
    #expect(await eventually { posts.item(1) == nil })
  }

  @Test func `I3: an item that the user deleted stays away if the store of results keeps it`()
    async throws
  {
    let store = MemoryStore([Post(id: 1), Post(id: 2), Post(id: 3)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    try await feed.remove(2) {}
    #expect(await eventually { results.value.outline == "1 3" && feed.value.outline == "3" })
    try await results.remove(3) {}
    #expect(await eventually { results.value.outline == "1" && feed.value.outline == "" })
    await settle(results)
    #expect(results.value.outline == "1" && feed.value.outline == "" && posts.item(2) == nil)
  }

  @Test func `I1: an edit that the store never reports stays in all lists`() async throws {
    let store = MemoryStore([Post(id: 1), Post(id: 2)])
    let (feed, results) = (await feed([2, 3]), await results(store))
    try await results.update(2, optimistically: { $0.version = 11 }) {}
    #expect(await eventually { feed.value.outline == "2v11 3" })
    await settle(results)
    #expect(results.value.outline == "1 2v11" && feed.value.outline == "2v11 3")
    try await store.write(updating: [Post(id: 2, version: 12)])
    #expect(
      await eventually { feed.value.outline == "2v12 3" && results.value.outline == "1 2v12" })
  }

  @Test func `S1: what changes while results load counts, and an older answer does not`()
    async throws
  {
    let server = ScriptedServer([Post(id: 1)])
    let feed = Feed(server.source(.keyset), identity: posts)
    let store = HeldStore()
    let results = LiveResults(store: store, identity: posts, window: .zero, clock: clock)
    results.performFetch(0)
    #expect(await eventually { store.queries.withLock { $0.count } == 1 })
    let query = store.queries.withLock { $0[0] }
    query.enqueue([Post(id: 1), Post(id: 2)], as: .insert)
    #expect(await eventually { results.value.outline == "1 2" })
    query.enqueue([Post(id: 2, version: 1)], as: .update)
    #expect(await eventually { results.value.outline == "1 2v1" })
    // The feed asks after the fetch began.
    server.update(Post(id: 1, version: 2))
    await feed.refresh()
    query.enqueue([Post(id: 1, version: 1)], as: .update)
    query.finishInitialResults()
    #expect(await eventually { results.fetchStatus.state == .loaded })
    #expect(results.value.outline == "1v2 2v1" && feed.value.outline == "1v2")
    query.enqueue([Post(id: 1, version: 3)], as: .update)
    #expect(await eventually { feed.value.outline == "1v3" && results.value.outline == "1v3 2v1" })
  }

  /// Lets the time pass in which the store could have reported the edits of the results.
  private func settle(_ results: LiveResults<Post, MemoryStore<Post>.Request>) async {
    let isOver = await eventually {
      clock.advance(by: .seconds(3))
      return results.confirmationTimers.withLock(\.isEmpty)
    }
    #expect(isOver)
  }
}

/// A store whose queries are answered by a test.
private final class HeldStore: DataStore {
  let queries = Locked<[DataStoreQuery<Post, Int>]>([])

  func execute(_ query: DataStoreQuery<Post, Int>) async throws {
    queries.withLock { $0.append(query) }
    await query.untilStopped()
  }
}
