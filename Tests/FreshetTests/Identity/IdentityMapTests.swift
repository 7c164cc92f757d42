import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What lists with one identity map show (rules I1 to I6).
@Suite(.timeLimit(.minutes(1 * SeededGenerator.minutes)))
struct IdentityMapTests {
  private let posts = IdentityMap<Post>()

  /// A feed of the map, with the posts of its server.
  private func feed(
    _ server: ScriptedServer<Post>, in map: IdentityMap<Post>? = nil,
    cache: FeedCacheChoice<Post>? = nil
  ) async -> Feed<Post> {
    let feed = Feed(server.source(.keyset), cache: cache, identity: map ?? posts)
    await feed.refresh()
    return feed
  }

  private func feed(_ ids: [Int]) async -> Feed<Post> {
    await feed(ScriptedServer(ids.map { Post(id: $0) }))
  }

  /// Waits until a feed shows something.
  private func eventually(_ feed: Feed<Post>, shows outline: String) async {
    let isShown = await FreshetTesting.eventually { feed.value.outline == outline }
    #expect(isShown, "\(feed.value.outline)")
  }

  // MARK: - What lists learn

  @Test func `I1: an event that one list receives changes the item in the others`() async {
    let (home, liked, other) = (await feed([1, 2, 3]), await feed([5, 2]), await feed([7]))
    home.receive(.upsert(Post(id: 2, version: 1)))
    await eventually(home, shows: "1 2v1 3")
    await eventually(liked, shows: "5 2v1")
    #expect(other.value.outline == "7")
  }

  @Test func `I1: an answer changes the item in the others`() async {
    let server = ScriptedServer([Post(id: 1), Post(id: 2)])
    let (home, liked) = (await feed(server), await feed([2, 5]))
    server.update(Post(id: 2, version: 1))
    await home.refresh()
    await eventually(liked, shows: "2v1 5")
  }

  @Test func `I1: an older answer of another list does not overwrite`() async {
    let (server, late) = (ScriptedServer([Post(id: 1)]), ScriptedServer([Post(id: 1)]))
    let home = await feed(server)
    let liked = Feed(late.source(.keyset), identity: posts)
    late.hold()
    async let answer = liked.refresh()
    _ = await late.waiting(1)
    server.update(Post(id: 1, version: 1))
    await home.refresh()
    late.releaseAll()
    _ = await answer
    #expect(liked.value.outline == "1v1" && home.value.outline == "1v1")
  }

  @Test func `I1: an item that is received while a list loads an older version is shown`() async {
    let late = ScriptedServer([Post(id: 1), Post(id: 2)])
    let home = await feed([5])
    let liked = Feed(late.source(.keyset), identity: posts)
    late.hold()
    async let answer = liked.refresh()
    _ = await late.waiting(1)
    posts.update(Post(id: 1, version: 1))
    home.receive(.update(Post(id: 2, version: 2)))
    late.releaseAll()
    _ = await answer
    #expect(liked.value.outline == "1v1 2v2" && home.value.outline == "5")
    #expect(await FreshetTesting.eventually { posts.item(1) == Post(id: 1, version: 1) })
  }

  @Test func `I1: the item that a source returns counts even if the list lost its row`()
    async throws
  {
    let server = ScriptedServer([Post(id: 1), Post(id: 2)])
    let (home, liked) = (await feed(server), await feed([2]))
    try await home.update(2, optimistically: { $0.version = 1 }) {
      server.delete(2)
      await home.refresh(.all)
      return Post(id: 2, version: 3)
    }
    await eventually(liked, shows: "2v3")
  }

  @Test func `I1: items with a version of their own are compared by it`() async {
    let map = IdentityMap<Post> { $0.version }
    let home = await feed(ScriptedServer([Post(id: 1, version: 5)]), in: map)
    let liked = await feed(ScriptedServer([Post(id: 1, version: 4)]), in: map)
    #expect(liked.value.outline == "1v5")
    home.receive(.update(Post(id: 1, version: 3)))
    #expect(home.value.outline == "1v5")
    map.update(Post(id: 1, version: 6))
    await eventually(liked, shows: "1v6")
  }

  @Test func `I5: two versions are combined if the map merges`() async {
    let map = IdentityMap<Post>(merge: { old, new in
      Post(id: new.id, version: max(old.version, new.version))
    })
    let home = await feed(ScriptedServer([Post(id: 1, version: 5)]), in: map)
    let liked = await feed(ScriptedServer([Post(id: 1, version: 4)]), in: map)
    #expect(liked.value.outline == "1v5" && home.value.outline == "1v5")
  }

  @Test func `I2: derived lists follow, and an item that fails their filter leaves`() async {
    let (home, liked) = (await feed([1, 2]), await feed([2]))
    let unread = home.filter { $0.version == 0 }
    liked.receive(.upsert(Post(id: 2, version: 1)))
    let isGone = await FreshetTesting.eventually { unread.value.outline == "1" }
    #expect(isGone)
  }

  @Test func `I2: all items of an answer change in one step`() async {
    let server = ScriptedServer((1...20).map { Post(id: $0) })
    let (home, liked) = (await feed(server), await feed(Array(1...20)))
    for id in 1...20 { server.update(Post(id: id, version: 1)) }
    var updates = liked.updates.makeAsyncIterator()
    _ = await updates.next()
    await home.refresh()
    let update = await updates.next()
    #expect(update?.changes.updatedRows.count == 20)
  }

  // MARK: - What disappears

  @Test func `I3: a deletion that is reported reaches all lists, also those that load`() async {
    let late = ScriptedServer([Post(id: 2), Post(id: 3)])
    let (home, liked) = (await feed([1, 2, 3]), await feed([2, 5]))
    let loading = Feed(late.source(.keyset), identity: posts)
    late.hold()
    async let answer = loading.refresh()
    _ = await late.waiting(1)
    home.receive(.delete(2))
    await eventually(liked, shows: "5")
    late.releaseAll()
    _ = await answer
    await eventually(loading, shows: "3")
  }

  @Test func `I3: an item that leaves one list stays in the others`() async {
    let server = ScriptedServer([Post(id: 1), Post(id: 2)])
    let (home, liked) = (await feed(server), await feed([2]))
    server.delete(2)
    await home.refresh(.all)
    home.removeLocally(1)
    #expect(home.value.outline == "" && liked.value.outline == "2")
  }

  @Test func `I4: items and lists are held weakly`() async {
    var home: Feed<Post>? = await feed([1, 2])
    let liked = await feed([2, 3])
    #expect(posts.item(1) == Post(id: 1))
    weak let released = home
    home = nil
    let isGone = await FreshetTesting.eventually { posts.item(1) == nil }
    #expect(isGone && released == nil)
    #expect(posts.item(2) == Post(id: 2))
    withExtendedLifetime(liked) {}
  }

  @Test func `I6: rows that are read from disk show what is known by then`() async throws {
    let (folder, server) = (TemporaryDirectory(), ScriptedServer([Post(id: 1), Post(id: 2)]))
    let cache = FeedCacheChoice<Post>.file("home", in: folder.caches)
    var first: Feed<Post>? = await feed(server, in: IdentityMap(), cache: cache)
    await first?.flush()
    first = nil
    let liked = await feed(ScriptedServer([Post(id: 2, version: 4)]))
    let again = Feed(server.source(.keyset), cache: cache, identity: posts)
    again.loadCacheSynchronously()
    #expect(again.value.outline == "1 2v4")
    withExtendedLifetime(liked) {}
  }

  // MARK: - Edits

  @Test func `O6: an edit is shown in all lists while it is sent, and undone in all`() async {
    let (home, liked) = (await feed([1, 2]), await feed([2, 5]))
    try? await home.update(2, optimistically: { $0.version = 9 }) {
      await eventually(liked, shows: "2v9 5")
      throw URLError(.badServerResponse)
    }
    #expect(home.value.outline == "1 2")
    await eventually(liked, shows: "2 5")
  }

  @Test func `O5: an edit that was taken stays in all lists`() async throws {
    let (home, liked) = (await feed([1, 2]), await feed([2, 5]))
    try await home.update(2, optimistically: { $0.version = 9 }) {}
    await eventually(liked, shows: "2v9 5")
    try await liked.update(2, optimistically: { $0.version = 10 }) { Post(id: 2, version: 11) }
    await eventually(home, shows: "1 2v11")
  }

  @Test func `I3: an item that the user deletes leaves all lists`() async throws {
    let (home, liked) = (await feed([1, 2]), await feed([2, 5]))
    try await home.remove(2) { await eventually(liked, shows: "5") }
    await eventually(home, shows: "1")
    await eventually(liked, shows: "5")
    #expect(posts.item(2) == nil)
  }

  @Test func `O6: a list that loads the item later shows the edit, too`() async throws {
    let home = await feed([1, 2])
    try? await home.update(2, optimistically: { $0.version = 9 }) {
      let liked = await feed([2, 5])
      #expect(liked.value.outline == "2v9 5")
      throw URLError(.badServerResponse)
    }
  }
}
