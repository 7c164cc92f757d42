import FreshetTesting
import Testing

@testable import Freshet

/// W3: jumps after events, and jumps whose pages adjoin loaded ones.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct AdjoiningJumpTests {
  private func list(
    of count: Int, _ paging: ScriptedPaging
  ) async -> (ScriptedServer<Post>, Feed<Post>) {
    let server = ScriptedServer((0..<count).map { Post(id: $0) })
    server.countRows()
    let feed = Feed(
      server.source(paging),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0, retryPolicy: .never))
    await feed.refresh()
    return (server, feed)
  }

  private func gaps(of feed: Feed<Post>) -> [Gap] { feed.value.rows.compactMap(\.gap) }

  /// The number of rows above an item, those in gaps included; `nil` if it is not loaded.
  private func place(of id: Int, in feed: Feed<Post>) -> Int? {
    var place = 0
    for row in feed.value.rows {
      if row.item?.id == id { return place }
      place += row.gap.map { feed.value.state.gapSizes[$0.id]?.count ?? 0 } ?? 1
    }
    return nil
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W3: after insertions at the head, a jump loads the row at its new index`(
    paging: ScriptedPaging
  ) async {
    let (server, feed) = await list(of: 1_000, paging)
    for id in 1_000..<1_013 {
      let post = Post(id: id)
      server.insert(post, at: 0)
      feed.receive(.insert(post))
    }
    #expect(await eventually { feed.value.state.total == .exact(1_013) })
    await feed.load(rowAt: 500)
    let post = server.items[500]
    #expect(place(of: post.id, in: feed) == 500)
    await feed.load(rowAt: 300)
    #expect(place(of: server.items[300].id, in: feed) == 300)
    #expect(place(of: post.id, in: feed) == 500)
    #expect(feed.value.state.total == .exact(1_013))
    while let gap = gaps(of: feed).first { await feed.load(gap) }
    while await feed.loadNext() == .idle {}
    #expect(Array(feed.value.items) == server.items)
  }

  @Test func `T5: pages that adjoin are proven once the feed is resumed, if it was paused`()
    async
  {
    let (server, feed) = await list(of: 100, .page)
    await feed.load(rowAt: 20)
    #expect(gaps(of: feed).count == 1)
    server.hold()
    let jump = Task { _ = await feed.load(rowAt: 10) }
    #expect(await server.waiting(1))
    feed.pause()
    server.releaseAll()
    await jump.value
    #expect(feed.value.items.count == 30)
    // The rows are shown between gaps of no rows, until it is proven that there are none.
    let sizes = gaps(of: feed).map { feed.value.state.gapSizes[$0.id] }
    #expect((1...2).contains(sizes.count) && sizes.allSatisfy { $0 == .exact(0) }, "\(sizes)")
    let requests = server.requests.count
    feed.resume()
    #expect(await eventually { gaps(of: feed).isEmpty })
    #expect(server.requests.count <= requests + 4)
    #expect(Array(feed.value.items) == Array(server.items.prefix(30)))
  }

  @Test func `T5: if the page beside the one of a jump cannot be read, the gap stays`() async {
    let (server, feed) = await list(of: 100, .page)
    await feed.load(rowAt: 20)
    let rows = Array(feed.value.rows)
    server.hold()
    let jump = Task { await feed.load(rowAt: 10) }
    #expect(await server.waiting(1))
    server.release()
    #expect(await server.waiting(1))
    server.failNext(with: ScriptedFailure())
    server.releaseAll()
    #expect(await jump.value.failure != nil)
    #expect(Array(feed.value.rows) == rows)
    // It is not read again by itself (rule R4).
    let requests = server.requests.count
    feed.willDisplay(feed.value.items[10])
    await feed.load(rowAt: 25)
    #expect(server.requests.count == requests)
    await feed.retry()
    #expect(await eventually { gaps(of: feed).isEmpty })
    #expect(server.requests.count <= requests + 4)
    #expect(Array(feed.value.items) == Array(server.items.prefix(30)))
  }
}
