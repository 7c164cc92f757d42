import FreshetTesting
import Testing

@testable import Freshet

/// New rows that wait at the head until the reader wants them.
@Suite(.timeLimit(.minutes(5)))
struct WaitingRowsTests: FeedSuite {
  let server = ScriptedServer((0..<100).map { Post(id: $0) })

  @Test
  func `new rows wait while they are held back, and are counted`() async {
    let feed = feed()
    await feed.refresh()
    feed.holdNew()
    for id in 100..<103 { server.insert(Post(id: id), at: 0) }
    server.update(Post(id: 4, version: 1))
    var updates = feed.updates.makeAsyncIterator()
    _ = await updates.next()
    await feed.refresh()
    #expect(feed.value.state.newItems == 3)
    #expect(feed.value.items.map(\.id) == Array(0..<10))
    #expect(await updates.next()?.changes.updatedRows == [RowPath(section: 0, row: 4)])
    // What the user puts at the head is seen at once.
    feed.insertLocally(Post(id: 500), after: nil)
    #expect(feed.value.items.map(\.id) == [500] + Array(0..<10))
    feed.removeLocally(500)
    await feed.loadNext()
    #expect(feed.value.items.count == 20)
    feed.showNew()
    #expect(feed.value.items.map(\.id) == [102, 101, 100] + Array(0..<20))
    #expect(feed.value.state.newItems == 0)
  }

  @Test
  func `new rows go on waiting where the first rows shown go, or the user adds one`() async throws {
    let feed = feed()
    await feed.refresh()
    feed.holdNew()
    for id in 0..<3 { server.delete(id) }
    server.insert(Post(id: 100), at: 0)
    await feed.refresh()
    #expect(feed.value.items.first?.id == 3)
    #expect(!feed.value.items.contains { $0.id == 100 } && feed.value.state.newItems == 1)
    try await feed.insert(Post(id: -1)) {
      server.insert(Post(id: 101), at: 0)
      await feed.refresh()
      #expect(feed.value.items.prefix(2).map(\.id) == [-1, 3])
      #expect(feed.value.state.newItems == 2)
      return Post(id: -1)
    }
    feed.showNew()
    #expect(feed.value.items.prefix(4).map(\.id) == [101, 100, -1, 3])
  }

  @Test
  func `A4: a gap under rows that wait is told of`() async {
    let feed = feed(refreshPages: 1)
    await feed.refresh()
    feed.holdNew()
    for id in 100..<125 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    #expect(feed.value.state.newItems == 10)
    for id in 0..<3 { feed.removeLocally(id) }
    #expect(!feed.value.isComplete(0))
    feed.showNew()
    #expect(feed.value.rows.count { $0.gap != nil } == 1)
  }
}
