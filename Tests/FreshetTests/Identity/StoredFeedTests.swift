import FreshetTesting
import Testing

@testable import Freshet

/// A feed over a store and live results of the store that share their items (rules I1 and I3).
@Suite(.timeLimit(.minutes(1 * SeededGenerator.minutes)))
struct StoredFeedTests {
  private typealias Results = LiveResults<Post, MemoryStore<Post>.Request>

  private let posts = IdentityMap<Post>()
  private let store = MemoryStore([Post(id: 1)])
  private let server = ScriptedServer([Post(id: 1, version: 1), Post(id: 2)])

  private func home(_ map: IdentityMap<Post>? = nil) -> Feed<Post> {
    Feed(server.source(.keyset), cache: .store(store, named: "home"), identity: map ?? posts)
  }

  private func results(
    of store: some WritableDataStore<Post, MemoryStore<Post>.Request>
  ) async -> Results {
    let results = Results(
      store: store, arrangement: .sorted(by: \.id), identity: posts, window: .zero)
    #expect(await results.fetch(.all) == .loaded)
    return results
  }

  /// Writes what a feed stores late, and waits until the results have received it.
  private func writeLate(_ post: Post, of feed: String, _ results: Results) async throws {
    var changes = ChangeBatch<Post>()
    changes.add(post, as: .update)
    changes.add(Post(id: 9, version: post.version), as: .insert)
    try await store.write(changes, notes: [:], of: feed)
    #expect(await eventually { results.value.items.contains { $0.id == 9 } })
  }

  @Test func `I1: what a feed writes after an event does not overwrite the event`() async throws {
    let (feed, results) = (home(), await results(of: store))
    await feed.refresh()
    #expect(await eventually { results.value.outline == "1v1 2" })
    posts.update(Post(id: 1, version: 2))
    await feed.flush()
    try await writeLate(Post(id: 1, version: 1), of: "home", results)
    #expect(results.value.outline == "1v2 2 9v1" && feed.value.outline == "1v2 2")
  }

  @Test func `I1: what others write into the store shows in the feed`() async throws {
    let (feed, results) = (home(), await results(of: store))
    await feed.refresh()
    #expect(await eventually { results.value.outline == "1v1 2" })
    try await store.write(updating: [Post(id: 1, version: 3)])
    #expect(await eventually { feed.value.outline == "1v3 2" })
    #expect(results.value.outline == "1v3 2")
  }

  @Test func `I1: what a feed of another map writes is news`() async throws {
    let (feed, results) = (home(IdentityMap()), await results(of: store))
    posts.update(Post(id: 1, version: 2))
    try await writeLate(Post(id: 1, version: 1), of: "home", results)
    #expect(await eventually { results.value.outline == "1v1 9v1" })
    withExtendedLifetime(feed) {}
  }

  @Test func `I1: what a feed of the map with another name writes is news`() async throws {
    let (feed, results) = (home(), await results(of: store))
    posts.update(Post(id: 1, version: 2))
    try await writeLate(Post(id: 1, version: 1), of: "mentions", results)
    #expect(await eventually { results.value.outline == "1v1 9v1" })
    withExtendedLifetime(feed) {}
  }

  @Test func `I1: rows that were stored before are older than a page asked for before the fetch`()
    async throws
  {
    let feed = home()
    server.hold()
    async let isRefreshed = feed.refresh()
    #expect(await server.waiting(1))
    let results = await results(of: store)
    #expect(results.value.outline == "1")
    server.releaseAll()
    _ = await isRefreshed
    #expect(await eventually { results.value.outline == "1v1 2" })
    #expect(feed.value.outline == "1v1 2")
    await feed.flush()
    #expect(store.items.sorted { $0.id < $1.id } == [Post(id: 1, version: 1), Post(id: 2)])
  }

  @Test func `S1: what others wrote while no results ran shows with the next fetch`() async throws {
    let feed = home()
    await feed.refresh()
    await feed.flush()
    try await store.write(updating: [Post(id: 1, version: 3)])
    let results = await results(of: store)
    #expect(results.value.outline == "1v3 2")
    #expect(await eventually { feed.value.outline == "1v3 2" })
  }

  @Test func `I3: a row that leaves the feed leaves the results of its store, and no other list`()
    async throws
  {
    let (feed, results) = (home(), await results(of: store))
    let other = Feed(ScriptedServer([Post(id: 2)]).source(.keyset), identity: posts)
    await feed.refresh()
    await other.refresh()
    #expect(await eventually { results.value.outline == "1v1 2" })
    server.delete(2)
    await feed.refresh(.all)
    #expect(await eventually { results.value.outline == "1v1" })
    #expect(other.value.outline == "2" && posts.item(2) == Post(id: 2))
  }

  @Test func `I1: the feeds of a family are known by the names that they have in the store`()
    async throws
  {
    let server = server
    let family = FeedFamily(cache: .store(store, named: "search"), identity: posts) {
      (_: Int) in server.source(.keyset)
    }
    let (feed, results) = (family[7], await results(of: store))
    await feed.refresh()
    posts.update(Post(id: 1, version: 2))
    await feed.flush()
    try await writeLate(Post(id: 1, version: 1), of: "search/7", results)
    #expect(results.value.outline == "1v2 2 9v1" && feed.value.outline == "1v2 2")
    try await writeLate(Post(id: 1, version: 3), of: "search/8", results)
    #expect(await eventually { feed.value.outline == "1v3 2" })
  }

  @Test func `I1: what a feed writes is no news in results of a draft either`() async throws {
    let (feed, results) = (home(), await results(of: Draft(of: store)))
    await feed.refresh()
    posts.update(Post(id: 1, version: 2))
    await feed.flush()
    try await writeLate(Post(id: 1, version: 1), of: "home", results)
    #expect(results.value.outline == "1v2 2 9v1" && feed.value.outline == "1v2 2")
  }

  @Test func `a feed is known until everything is stored, and not longer`() async throws {
    var feed: Feed<Post>? = home()
    await feed?.refresh()
    await feed?.flush()
    let stored = try #require(StoredFeed(store, named: "home"))
    #expect(posts.hub.feeds.contains(stored))
    feed = nil
    #expect(await eventually { !posts.hub.feeds.contains(stored) })
  }

  // MARK: - Batches

  @Test(arguments: SeededGenerator.seeds(200))
  func `an echo hides no other version, and every other change hides an echo`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var batch = ChangeBatch<Post>()
    var model: [Int: (item: Post?, isEcho: Bool)] = [:]
    for version in 0..<40 {
      var later = ChangeBatch<Post>()
      for id in 0..<12 where random.oneIn(3) {
        later.add(Post(id: id, version: version), as: random.oneIn(4) ? .delete : .update)
      }
      let isEcho = random.oneIn(2)
      batch.add(isEcho ? later.asEchoes() : later)
      for change in later.all {
        if isEcho, change.item != nil, let known = model[change.id], known.item != nil,
          !known.isEcho
        {
          continue
        }
        model[change.id] = (change.item, isEcho)
      }
    }
    for change in batch.all {
      #expect(change.item == model[change.id]?.item)
      #expect(batch.isEcho(change.id) == model[change.id]?.isEcho)
    }
    #expect(batch.count == model.count)
  }
}
