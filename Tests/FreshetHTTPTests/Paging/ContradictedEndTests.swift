import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// T8: where the head speaks of another number of rows than the list has, the feed looks again.
@Suite(.timeLimit(.minutes(5)))
struct ContradictedEndTests {
  /// A list by offsets, in pages of ten, and how many requests it got.
  final class Server: Sendable {
    let rows: Locked<[Int]>
    let requests = Locked(0)
    /// By how many rows its total is wrong.
    let surplus: Int

    init(_ count: Int, surplus: Int = 0) {
      rows = Locked(Array(0..<count))
      self.surplus = surplus
    }

    func feed(_ style: PagingStyle = .offset()) throws -> Feed<Row> {
      let transport = FunctionTransport { [self] request in
        requests.withLock { $0 += 1 }
        let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems
        let offset = query?.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
        let limit = query?.first { $0.name == "limit" }?.value.flatMap { Int($0) } ?? 10
        let rows = rows.withLock { $0 }
        let page = rows.dropFirst(offset).prefix(limit).map { "{\"id\":\($0)}" }
        return .text(
          200, [:],
          "{\"total\":\(rows.count + surplus),\"items\":[\(page.joined(separator: ","))]}")
      }
      return Feed(
        try HTTPFeedSource<Row>(
          try #require(URL(string: PagedServer.url)), paging: style,
          configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
        configuration: FeedConfiguration(pageSize: 10, retryPolicy: .never))
    }
  }

  @Test
  func `T8: a row that went or came further down is seen by the total of the head`() async throws {
    let server = Server(45)
    let feed = try server.feed()
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.state.next == .end && feed.value.items.count == 45)
    for change in [{ $0.remove(at: 33) }, { $0.append(100) }] as [(inout [Int]) -> Void] {
      server.rows.withLock { change(&$0) }
      await feed.refresh()
      let rows = server.rows.withLock { $0 }
      #expect(await eventually { feed.value.items.map(\.id) == rows })
      #expect(await eventually { feed.value.state.next == .end })
    }
  }

  @Test
  func `T8: a list too long to be read again by itself says that its total is another`()
    async throws
  {
    let server = Server(230)
    let feed = try server.feed()
    await feed.refresh()
    await feed.loadAll()
    await feed.loadAll()
    await feed.refresh()
    #expect(feed.value.diagnostics.unexplainedTotal == nil)
    _ = server.rows.withLock { $0.remove(at: 133) }
    let before = server.requests.withLock { $0 }
    await feed.refresh()
    #expect(server.requests.withLock { $0 } == before + 1)
    #expect(feed.value.diagnostics.unexplainedTotal == 229 && feed.value.items.count == 230)
    await feed.refresh(.all)
    #expect(feed.value.diagnostics.unexplainedTotal == nil && feed.value.items.count == 229)
  }

  @Test
  func `T8: a style that is trusted has no total`() async throws {
    let server = Server(45, surplus: 3)
    let feed = try server.feed(.offset().trusted)
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.state.next == .end)
    let loaded = server.requests.withLock { $0 }
    for _ in 0..<5 { await feed.refresh() }
    #expect(server.requests.withLock { $0 } == loaded + 5)
    let body = #"{"items": [{"id": 1}, {"id": 2}], "total": 45}"#
    let configuration = HTTPConfiguration(
      transport: FunctionTransport { _ in .text(200, [:], body) })
    let url = try #require(URL(string: PagedServer.url))
    for style in [PagingStyle.offset(), .page()] {
      for (style, hasTotal) in [(style, true), (style.trusted, false)] {
        let source = try HTTPFeedSource<Row>(url, paging: style, configuration: configuration)
        #expect((try await source.page(PageRequest(limit: 2)).total != nil) == hasTotal)
      }
    }
  }

  @Test(arguments: [true, false])
  func `T8: a total that does not follow the list is looked into twice at most`(
    isOnEachPage: Bool
  ) async throws {
    let rows = Locked(Array(0..<9))
    let requests = Locked(0)
    let transport = FunctionTransport { request in
      requests.withLock { $0 += 1 }
      let start = request.url.query.flatMap { Int($0.dropFirst(3)) }
      let rows = rows.withLock { $0 }
      let from = start.flatMap(rows.firstIndex) ?? 0
      let page = rows[from...].prefix(5)
      let more = rows.count > from + 5 ? "\"next\":\"?c=\(rows[from + 5])\"," : ""
      let total = isOnEachPage || start == nil ? "\"total\":3," : ""
      let ids = page.map { "{\"id\":\($0)}" }.joined(separator: ",")
      return .text(200, [:], "{\(more)\(total)\"items\":[\(ids)]}")
    }
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: .nextURL("/next"),
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(retryPolicy: .never))
    await feed.refresh()
    await feed.loadAll()
    for id in 100..<110 {
      rows.withLock { $0.insert(id, at: 0) }
      await feed.refresh()
      #expect(await eventually { feed.value.state.refresh == .idle })
    }
    let before = requests.withLock { $0 }
    #expect(before < 30)
    rows.withLock { $0.insert(200, at: 0) }
    await feed.refresh()
    #expect(feed.value.items.first?.id == 200 && requests.withLock { $0 } == before + 1)
  }

  @Test
  func `T8: rows that cannot be read make a total no reason to ask again and again`() async throws {
    let requests = Locked(0)
    let transport = FunctionTransport { request in
      requests.withLock { $0 += 1 }
      let isFirst = request.url.query.map { !$0.contains("c=x") } ?? true
      return .text(
        200, [:],
        isFirst
          ? #"{"total":4,"next":"?c=x","items":[{"id":1},{"id":"x"}]}"#
          : #"{"total":4,"items":[{"id":3},{"id":4}]}"#)
    }
    var configuration = HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)
    configuration.invalidItems = .skipInvalid
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: .nextURL("/next"),
        configuration: configuration),
      configuration: FeedConfiguration(retryPolicy: .never))
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.items.map(\.id) == [1, 3, 4])
    await feed.refresh()
    #expect(
      await eventually { requests.withLock { $0 } == 5 && feed.value.state.refresh == .idle },
      "the head, then all of both pages: \(requests.withLock { $0 }), \(feed.value.state)")
    for _ in 0..<3 { await feed.refresh() }
    #expect(requests.withLock { $0 } == 8 && feed.value.state.next == .end)
  }
}
