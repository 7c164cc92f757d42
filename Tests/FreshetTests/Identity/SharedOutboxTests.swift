import FreshetTesting
import Testing

@testable import Freshet

/// An outbox whose lists share their items.
@Suite(.timeLimit(.minutes(1 * SeededGenerator.minutes)))
struct SharedOutboxTests {
  private struct Raise: Mutation {
    var target: Post.ID
    func edit() -> ItemEdit<Post> { .update { $0.version = 10 } }
  }

  private struct Remove: Mutation {
    var target: Post.ID
    func edit() -> ItemEdit<Post> { .delete }
  }

  private let posts = IdentityMap<Post>()

  private func feed(_ ids: [Int]) async -> Feed<Post> {
    let feed = Feed(
      ScriptedServer(ids.map { Post(id: $0) }).source(.keyset), identity: posts)
    await feed.refresh()
    return feed
  }

  @Test func `O6: lists with one identity map show a mutation once, and its answer`() async throws {
    let (home, liked, other) = (await feed([1, 2]), await feed([2, 5]), await feed([2]))
    let outbox = Outbox(.memory, isPaused: true) {
      Sender(Raise.self) { raise, _ in Post(id: raise.target, version: 11) }
      Sender(Remove.self) { _, _ in }
    }
    outbox.attach(home)
    outbox.attach(liked)
    try await outbox.perform(Raise(target: 2))
    #expect(await eventually { home.value.outline == "1 2v10" })
    #expect(await eventually { liked.value.outline == "2v10 5" })
    outbox.resume()
    // The map brings what the sender returned to lists that are not attached.
    #expect(await eventually { other.value.outline == "2v11" })
    #expect(await eventually { home.value.outline == "1 2v11" && liked.value.outline == "2v11 5" })
    try await outbox.perform(Remove(target: 2))
    #expect(await eventually { other.value.outline == "" })
    #expect(await eventually { home.value.outline == "1" && liked.value.outline == "5" })
  }
}
