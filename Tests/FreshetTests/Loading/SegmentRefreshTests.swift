import FreshetTesting
import Testing

@testable import Freshet

/// T3: rows that a jump loaded are requested again where they are.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct SegmentRefreshTests {
  static let pagings: [ScriptedPaging] = [.keyset, .offset, .page]

  /// A server with a thousand rows, and a feed of it with the head and the page of row 500.
  private func jumped(
    _ paging: ScriptedPaging, staleAfter: Duration? = nil
  ) async -> (ScriptedServer<Post>, Feed<Post>) {
    let server = ScriptedServer((0..<1_000).map { Post(id: $0) })
    server.countRows()
    let feed = Feed(
      server.source(paging),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 3, staleAfter: staleAfter))
    await feed.refresh()
    await feed.load(rowAt: 500)
    return (server, feed)
  }

  private func segments(of feed: Feed<Post>) -> [[Post]] {
    feed.value.rows.split { $0.gap != nil }.map { $0.compactMap(\.item) }
  }

  /// Whether the rows that the server has are in its order.
  private func isInOrder(_ feed: Feed<Post>, of server: ScriptedServer<Post>) -> Bool {
    let places = feed.value.items.compactMap { server.items.firstIndex(of: $0) }
    return places == places.sorted()
  }

  @Test(arguments: pagings)
  func `T3: a refresh of the rows on display reads them and the head`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    server.update(Post(id: 501, version: 1))
    server.update(Post(id: 3, version: 1))
    let requests = server.requests.count
    feed.willDisplay(Post(id: 501))
    #expect(await feed.refresh(.visible) == .idle)
    #expect(server.requests.count == requests + 2)
    let rows = segments(of: feed)
    #expect(rows.count == 2 && rows[0].count == 10 && rows[0].contains(Post(id: 3, version: 1)))
    let last = try #require(rows.last)
    #expect(last.contains(Post(id: 501, version: 1)))
    let first = try #require(server.items.firstIndex(of: last[0]))
    #expect(last == Array(server.items[first..<(first + last.count)]))
    let gap = try #require(feed.value.rows.lazy.compactMap(\.gap).first)
    #expect(feed.value.state.gapSizes[gap.id] == .exact(first - 10))
  }

  @Test(arguments: pagings)
  func `T3: a refresh reads all rows on display, on whichever pages they are`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    await feed.loadNext()
    for id in 503..<513 { server.update(Post(id: id, version: 1)) }
    let requests = server.requests.count
    // Three more rows are on display. A page by number is proven by the one above it, read again.
    feed.willDisplay(Post(id: 509))
    #expect(await feed.refresh(.visible) == .idle)
    #expect(server.requests.count == requests + (paging == .page ? 4 : 2))
    #expect(segments(of: feed).count == 2)
    let shown = segments(of: feed)[1].filter { 506..<513 ~= $0.id }
    #expect(shown.count == 7 && shown.allSatisfy { $0.version == 1 }, "\(shown)")
  }

  @Test(arguments: pagings)
  func `T3: a refresh reads the rows on display above a gap from the head on`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    for _ in 0..<4 {
      let gap = try #require(feed.value.rows.lazy.compactMap(\.gap).first)
      await feed.load(gap)
    }
    let last = try #require(segments(of: feed)[0].last)
    server.update(Post(id: last.id, version: 1))
    feed.willDisplay(last)
    await feed.refresh(.visible)
    #expect(segments(of: feed)[0].last == Post(id: last.id, version: 1))
    #expect(segments(of: feed).count == 2)
  }

  @Test(arguments: pagings)
  func `T3: rows that others displace from their page stay`(paging: ScriptedPaging) async throws {
    let (server, feed) = await jumped(paging)
    let loaded = segments(of: feed)[1]
    for id in 2_000..<2_004 { server.insert(Post(id: id), at: loaded[6].id) }
    feed.willDisplay(loaded[3])
    await feed.refresh(.visible)
    let ids = Set(feed.value.items.map(\.id))
    #expect(loaded.allSatisfy { ids.contains($0.id) }, "\(feed.value.outline)")
    #expect(isInOrder(feed, of: server) && feed.value.state.gaps.count == 1)
  }

  @Test(arguments: pagings)
  func `T3: rows are found below any number of rows that were inserted above them`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    for step in 0..<8 {
      for id in 0..<3 { server.insert(Post(id: 2_000 + 10 * step + id), at: 0) }
      await feed.refresh()
    }
    server.update(Post(id: 503, version: 1))
    feed.willDisplay(Post(id: 501))
    let requests = server.requests.count
    await feed.refresh(.visible)
    #expect(segments(of: feed)[1].contains(Post(id: 503, version: 1)))
    #expect(server.requests.count <= requests + (paging == .page ? 5 : 3))
    await feed.loadNext()
    let gap = try #require(feed.value.rows.lazy.compactMap(\.gap).last)
    await feed.load(gap)
    #expect(server.requests.count <= requests + (paging == .page ? 16 : 7))
    #expect(
      isInOrder(feed, of: server) && feed.value.state.gaps.count == 1, "\(feed.value.outline)")
  }

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T3: the next page is found below rows that were inserted unseen`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    for _ in 0..<3 {
      let gap = try #require(feed.value.rows.lazy.compactMap(\.gap).first)
      await feed.load(gap)
    }
    for id in 2_000..<2_025 { server.insert(Post(id: id), at: 12) }
    let last = try #require(feed.value.items.last)
    for _ in 0..<2 { await feed.loadNext() }
    #expect(feed.value.items.contains { $0.id == last.id + 5 }, "\(feed.value.outline)")
    #expect(isInOrder(feed, of: server) && feed.value.state.gaps.count == 1)
  }

  @Test(arguments: pagings)
  func `T3: a row that moved below a gap takes none with it`(paging: ScriptedPaging) async {
    let (server, feed) = await jumped(paging)
    await feed.load(rowAt: 10)
    let ids = feed.value.items.map(\.id)
    for id in 2_000..<2_003 { server.insert(Post(id: id), at: 0) }
    server.move(8, to: 498)
    feed.willDisplay(Post(id: 502))
    await feed.refresh(.visible)
    let shown = Set(feed.value.items.map(\.id))
    #expect(ids.allSatisfy { shown.contains($0) || $0 == 8 }, "\(feed.value.outline)")
    #expect(feed.value.state.gaps.count >= 1)
  }

  @Test func `T3: rows that were read before a failure stay in their place`() async throws {
    let (server, feed) = await jumped(.page)
    await feed.loadNext()
    let ids = feed.value.items.map(\.id)
    for fails in [true, false] {
      server.hold()
      feed.willDisplay(Post(id: 509))
      let refresh = Task { await feed.refresh(.visible) }
      for _ in 0..<2 {
        #expect(await server.waiting(1))
        server.release()
      }
      #expect(await server.waiting(1))
      #expect(feed.value.state.refresh == .loading)
      // The pages of the segment no longer continue each other.
      if fails { server.failNext(with: ScriptedFailure()) } else { server.delete(509) }
      server.releaseAll()
      #expect((await refresh.value.failure != nil) == fails)
      #expect(feed.value.items.map(\.id) == ids)
    }
  }

  @Test(arguments: pagings)
  func `T3: rows that a jump loaded are asked for again as they appear`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging, staleAfter: .zero)
    server.update(Post(id: 502, version: 1))
    server.delete(503)
    server.insert(Post(id: 2_000), at: 502)
    let requests = server.requests.count
    feed.willDisplay(Post(id: 500))
    #expect(await eventually { segments(of: feed).last?.contains(Post(id: 2_000)) == true })
    #expect(server.requests.count == requests + 1)
    let last = try #require(segments(of: feed).last)
    let first = try #require(server.items.firstIndex(of: last[0]))
    #expect(last == Array(server.items[first..<(first + last.count)]))
    #expect(segments(of: feed).count == 2)
  }

  @Test(arguments: pagings)
  func `T3: rows that moved by less than a page are found by what they repeat`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    for id in 2_000..<2_004 { server.insert(Post(id: id), at: 0) }
    server.update(Post(id: 500, version: 1))
    feed.willDisplay(Post(id: 500))
    await feed.refresh(.visible)
    #expect(segments(of: feed).count == 2)
    #expect(segments(of: feed)[0].first == Post(id: 2_003))
    #expect(segments(of: feed)[1].contains(Post(id: 500, version: 1)))
    #expect(isInOrder(feed, of: server))
    #expect(feed.value.items.allSatisfy(server.items.contains))
  }

  @Test(arguments: pagings)
  func `T3: rows that are not found where they were stay as they are`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    let loaded = segments(of: feed)[1]
    for id in 100..<300 { server.delete(id) }
    let requests = server.requests.count
    feed.willDisplay(loaded[3])
    #expect(await feed.refresh(.visible) == .idle)
    #expect(server.requests.count == requests + 2)
    // By a key, rows were skipped from the head on; no row proves where the page is.
    #expect(segments(of: feed).last == loaded && segments(of: feed).count == 2)
  }

  @Test(arguments: pagings)
  func `R4: a refresh that cannot read the rows on display has failed`(
    paging: ScriptedPaging
  ) async throws {
    let (server, feed) = await jumped(paging)
    server.hold()
    feed.willDisplay(segments(of: feed)[1][5])
    let refresh = Task { await feed.refresh(.visible) }
    #expect(await server.waiting(1))
    server.release()
    #expect(await server.waiting(1))
    server.failNext(with: ScriptedFailure())
    server.releaseAll()
    #expect(await refresh.value.failure != nil)
    #expect(feed.value.state.refresh.failure != nil)
    #expect(segments(of: feed).map(\.count) == [10, 10])
    #expect(await feed.refresh(.visible) == .idle)
    #expect(feed.value.state.failure == nil)
  }
}
