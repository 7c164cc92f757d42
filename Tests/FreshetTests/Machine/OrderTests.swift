import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// News in a list whose order is known: the frontier rule.
@Suite(.timeLimit(.minutes(5)))
struct OrderTests {
  /// Even ids, the highest first.
  let server = ScriptedServer((0..<50).reversed().map { Post(id: $0 * 2) })

  func feed(startingAt index: Int? = nil, refreshPages: Int = 3) -> Feed<Post> {
    Feed(
      server.source(.keyset), startingAt: index.map(server.key(ofPageAt:)),
      sortedBy: { $0.id > $1.id },
      configuration: FeedConfiguration(pageSize: 10, refreshPages: refreshPages))
  }

  @Test
  func `news come where they belong`() async {
    let feed = feed()
    await feed.refresh()
    feed.receive(.insert(Post(id: 91)))
    feed.receive(.upsert(Post(id: 101)))
    feed.receive(.upsert(Post(id: 81)))
    #expect(feed.value.items.map(\.id) == [101, 98, 96, 94, 92, 91, 90, 88, 86, 84, 82, 81, 80])
  }

  @Test
  func `what belongs beyond the loaded rows waits until they get there`() async {
    let feed = feed()
    await feed.refresh()
    feed.receive(.insert(Post(id: 75, version: 1)))
    feed.receive(.insert(Post(id: 55, version: 1)))
    #expect(feed.value.items.last?.id == 80)
    // The server has one of them; the other one is gone again by the time it is asked.
    server.insert(Post(id: 75, version: 1), at: server.items.firstIndex { $0.id < 75 } ?? 0)
    await feed.loadNext()
    #expect(feed.value.items.map(\.id).suffix(10) == [78, 76, 75, 74, 72, 70, 68, 66, 64, 62])
    while await feed.loadNext() != .end {}
    #expect(Array(feed.value.items) == server.items)
  }

  @Test
  func `news that come while an answer is under way stand in order among each other`() async {
    let feed = feed()
    await feed.refresh()
    server.hold()
    async let more = feed.loadNext()
    #expect(await server.waiting(1))
    for id in [103, 107, 101, 105, 91] { feed.receive(.insert(Post(id: id))) }
    feed.receive(.upsert(Post(id: 103, version: 1)))
    #expect(
      feed.value.items.map(\.id)
        == [107, 105, 103, 101, 98, 96, 94, 92, 91, 90, 88, 86, 84, 82, 80])
    server.releaseAll()
    _ = await more
    #expect(feed.value.items.map(\.id).prefix(5) == [107, 105, 103, 101, 98])
  }

  @Test(arguments: [false, true])
  func `R2: news before the first answer stand where they belong once it is there`(isAsking: Bool)
    async
  {
    let feed = feed()
    server.hold()
    let first = isAsking ? Task { await feed.refresh() } : nil
    if isAsking { #expect(await server.waiting(1)) }
    for id in [91, 101, 71] { feed.receive(.insert(Post(id: id))) }
    #expect(feed.value.items.isEmpty)  // Where they belong is not known.
    server.releaseAll()
    _ = await first?.value
    let news = [101, 91, 71].map { Post(id: $0) }
    for post in news { server.insert(post, at: server.items.firstIndex { $0.id < post.id } ?? 0) }
    if !isAsking { await feed.refresh() }
    #expect(feed.value.items.map(\.id).starts(with: [101, 98, 96, 94, 92, 91, 90, 88]))
    while await feed.loadNext() != .end {}
    #expect(Array(feed.value.items) == server.items)
  }

  @Test
  func `R4: news before a first answer that fails are there with the one that does not`() async {
    let feed = feed()
    server.failNext(with: ScriptedFailure())
    feed.receive(.insert(Post(id: 91)))
    await feed.refresh()
    #expect(feed.value.items.isEmpty)
    server.insert(Post(id: 91), at: 4)
    await feed.refresh()
    #expect(feed.value.items.map(\.id).starts(with: [98, 96, 94, 92, 91, 90]))
  }

  @Test
  func `news that no answer can lead to are not kept`() {
    var history = History(
      Array(0..<100), sortedBy: { $0.id < $1.id }, configuration: FeedConfiguration(pageSize: 5))
    history.ask { $0.load(.refresh) }
    for id in 200..<300 {
      history.ask { $0.follow(.insert(Post(id: id)), token: id, at: $1) }
    }
    #expect(history.machine.rows.unplacedNews.isEmpty)
    history.begin { $0.load(.next) }
    for id in 300..<310 {
      history.begin { $0.follow(.insert(Post(id: id)), token: id, at: $1) }
    }
    #expect(history.machine.rows.unplacedNews.count == 10)
    history.settle()
    #expect(history.machine.rows.unplacedNews.isEmpty && history.violations == [])
  }

  @Test
  func `R2: an answer that was asked for before the news does not hide it`() async {
    let feed = feed()
    await feed.refresh()
    server.hold()
    async let more = feed.loadNext()
    #expect(await server.waiting(1))
    feed.receive(.insert(Post(id: 75, version: 1)))
    feed.receive(.upsert(Post(id: 70, version: 1)))
    #expect(feed.value.items.last?.id == 80)
    server.releaseAll()
    _ = await more
    #expect(feed.value.items.map(\.id).suffix(11) == [78, 76, 75, 74, 72, 70, 68, 66, 64, 62, 60])
    #expect(feed.value.items.first { $0.id == 70 }?.version == 1)
  }

  @Test
  func `what belongs into a gap, or above a feed that began in the middle, waits`() async throws {
    let feed = feed(startingAt: 20, refreshPages: 1)
    await feed.refresh()
    feed.receive(.insert(Post(id: 65)))
    #expect(feed.value.items.first?.id == 58)
    await feed.refresh()
    #expect(!feed.value.items.contains { $0.id == 65 })
    feed.receive(.insert(Post(id: 67)))
    server.insert(Post(id: 67), at: server.items.firstIndex { $0.id < 67 } ?? 0)
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    while await feed.load(gap) != .end {}
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }

  struct Score: ListItem {
    let id: Int
    var points: Int
  }

  @Test
  func `R2: what waits beyond the end is forgotten where newer news put it among the rows`() async {
    let server = ScriptedServer((0..<20).map { Score(id: $0, points: 100 - $0) })
    let feed = Feed(
      server.source(.keyset), sortedBy: { $0.points > $1.points },
      configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    server.hold()
    async let more = feed.loadNext()
    #expect(await server.waiting(1))
    feed.receive(.upsert(Score(id: 50, points: 85)))
    feed.receive(.upsert(Score(id: 50, points: 95)))
    #expect(feed.value.items.first { $0.id == 50 }?.points == 95)
    server.releaseAll()
    _ = await more
    #expect(feed.value.items.first { $0.id == 50 }?.points == 95)
  }

  @Test
  func `an item whose place changes moves, as one step`() async throws {
    let scores = (0..<20).map { Score(id: $0, points: 100 - $0) }
    let server = ScriptedServer(scores)
    let feed = Feed(
      server.source(.keyset), sortedBy: { $0.points > $1.points },
      configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    var updates = feed.updates.makeAsyncIterator()
    _ = await updates.next()
    feed.receive(.upsert(Score(id: 7, points: 98)))
    let changes = try #require(await updates.next()).changes
    #expect(changes.movedRows.map { [$0.from.row, $0.to.row] } == [[7, 3]])
    feed.receive(.upsert(Score(id: 2, points: 50)))
    #expect(feed.value.items.map(\.id) == [0, 1, 7, 3, 4, 5, 6, 8, 9])
    feed.receive(.delete(2))
    while await feed.loadNext() != .end {}
    #expect(feed.value.items.map(\.id) == [0, 1, 7, 3, 4, 5, 6, 8, 9] + Array(10..<20))
  }
}
