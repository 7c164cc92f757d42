import Freshet
import FreshetTesting
import Testing

/// A source that begins to ask for another list: what the documentation says to do then.
@Suite(.timeLimit(.minutes(5)))
struct QueryTests {
  /// Lists that share every third row, as two searches do.
  let servers = [
    ScriptedServer((0..<60).map { Post(id: $0) }),
    ScriptedServer((0..<60).filter { $0 % 3 == 0 }.map { Post(id: $0) }),
  ]

  /// A feed of one list, whose source asks for the other one afterwards.
  func changed(_ policy: FeedConfiguration.RefreshPolicy) async -> Feed<Post> {
    let query = Query()
    let sources = servers.map { $0.source(.keyset) }
    let feed = Feed(
      ClosureSource { try await sources[query.number].page($0) },
      configuration: FeedConfiguration(pageSize: 10, refreshPolicy: policy))
    for _ in 0..<4 { await feed.loadNext() }
    query.change()
    return feed
  }

  final class Query: Sendable {
    private let current = Locked(0)
    var number: Int { current.withLock { $0 } }
    func change() { current.withLock { $0 = 1 } }
  }

  func expectNewList(_ feed: Feed<Post>) async {
    #expect(feed.value.items.allSatisfy { $0.id % 3 == 0 })
    while await feed.loadNext() == .idle {}
    #expect(Array(feed.value.items) == servers[1].items && feed.value.state.gaps.isEmpty)
  }

  @Test
  func `refresh(.all) makes the list that of the new query`() async {
    let feed = await changed(.keepGap)
    #expect(await feed.refresh(.all).failure == nil)
    await expectNewList(feed)
  }

  @Test
  func `replace makes the list that of the new query`() async {
    let feed = await changed(.replace)
    #expect(await feed.refresh().failure == nil)
    await expectNewList(feed)
  }
}
