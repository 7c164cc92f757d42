import Foundation
import Freshet
import Testing

@testable import FreshetHTTP

/// W1: the number of rows in the whole list, as answers report it.
@Suite
struct PageTotalTests {
  @Test(
    arguments: [
      (#"{"items":[1],"total":9}"#, "/items", .exact(9)),
      (#"{"items":[1],"meta":{"total_count":"9"}}"#, "/items", .exact(9)),
      (#"{"hits":[1],"estimatedTotalHits":2000}"#, "/hits", .estimated(2_000)),
      (#"{"hits":{"total":9,"hits":[1]}}"#, "/hits/hits", .exact(9)),
      (#"{"hits":{"total":{"value":9,"relation":"eq"},"hits":[1]}}"#, "/hits/hits", .exact(9)),
      // Elasticsearch and OpenSearch stop counting at 10,000.
      (
        #"{"hits":{"total":{"value":10000,"relation":"gte"},"hits":[1]}}"#, "/hits/hits",
        .atLeast(10_000)
      ),
      (#"{"items":[1],"total":9,"totalItems":10}"#, "/items", nil),
      (#"{"items":[1],"total":-1}"#, "/items", nil),
      (#"{"items":[1]}"#, "/items", nil),
    ] as [(String, JSONPointer, RowTotal?)])
  func `W1: a total is exact, estimated or a lower bound, as the server says`(
    body: String, items: JSONPointer, total: RowTotal?
  ) throws {
    let envelope = try Envelope<Row>.read(
      Data(body.utf8), PagingStyle.Kind.automatic.reading(items: items, skipsInvalid: true),
      with: JSONDecoder())
    let url = try #require(URL(string: PagedServer.url))
    var answer = PageAnswer<Row>(
      HTTPResponse(status: 200, headers: HTTPHeaders([:])), url: url, answered: url)
    answer.take(envelope)
    #expect(answer.rowTotal == total)
  }

  @Test(
    arguments: [
      ("items 50-99/2000", 50, 2_000), ("0-24/3573458", 0, 3_573_458), ("items 5-9/*", 5, nil),
      ("bytes 0-9/10", nil, nil), ("*/0", nil, nil), ("items */20", nil, nil),
      ("items 9-5/20", nil, 20), ("items -5-9/20", 5, 20), ("", nil, nil),
    ] as [(String, Int?, Int?)])
  func `W1: Content-Range says how many rows are above a page, and in all`(
    text: String, rows: Int?, total: Int?
  ) throws {
    let url = try #require(URL(string: PagedServer.url))
    let answer = PageAnswer<Row>(
      HTTPResponse(status: 206, headers: HTTPHeaders(["Content-Range": text])), url: url,
      answered: url)
    #expect(answer.page(nil).rowsAbove == rows.map { .exact($0) })
    #expect(answer.page(nil).total == total.map { .exact($0) })
  }

  @Test
  func `W1: a list by offsets that starts in the middle knows the rows above it`() async throws {
    let server = PagedServer(Array(0..<100), .plone)
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: PagedServer.url + "?limit=10")), paging: .offset("b_start"),
      configuration: HTTPConfiguration(transport: server))
    let feed = Feed(
      source, startingAt: .offset(40, pageSize: 10),
      configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    let first = try #require(feed.value.items.first?.id)
    #expect(feed.value.state.rowsAbove?.count == first, "\(feed.value.state)")
    #expect(first == 40)
  }

  @Test
  func `W3: a list by offsets jumps to any row with one request`() async throws {
    let server = PagedServer(Array(0..<1_000), .numbers)
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: PagedServer.url + "?limit=10")), paging: .offset(),
      configuration: HTTPConfiguration(transport: server))
    let feed = Feed(source, configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    for row in [500, 200] {
      let requests = server.requests.count
      #expect(await feed.load(rowAt: row) == .idle)
      #expect(server.requests.count == requests + 1)
    }
    let ids = Array(0..<10) + Array(195..<205) + Array(495..<505)
    #expect(feed.value.items.map(\.id) == ids)
    #expect(Set(feed.value.state.gapSizes.values) == [.exact(185), .exact(290)])
    #expect(feed.value.state.rowsBelow == .exact(495))
  }

  @Test(arguments: [Convention.fastAPI, .spring, .laravel, .totalHeader, .paginationHeader])
  func `W3: a list by page numbers jumps to the page of any row with one request`(
    convention: Convention
  ) async throws {
    let server = PagedServer(Array(0..<995).map { $0 * 2 }, convention)
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: PagedServer.url)),
      paging: .page(size: "limit", first: convention == .spring ? 0 : 1),
      configuration: HTTPConfiguration(transport: server))
    #expect(source.canJump && source.findsWholePages)
    let feed = Feed(source, configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    for row in [507, 993, 204] {
      let requests = server.requests.count
      #expect(await feed.load(rowAt: row).failure == nil)
      #expect(server.requests.count == requests + 1)
    }
    let rows = Array(0..<10) + Array(200..<210) + Array(500..<510) + Array(990..<995)
    #expect(feed.value.items.map(\.id) == rows.map { $0 * 2 })
    #expect(feed.value.state.next == .end)
    #expect(Set(feed.value.state.gapSizes.values) == [.exact(190), .exact(290), .exact(480)])
  }

  @Test
  func `T8: a lower bound proves no end`() {
    var total = PaginationSignal(.total, at: "/hits/total", .number("10000"))
    #expect(MorePagesEvidence.provesEnd([total], position: 10_000, page: nil, rows: 10))
    total.isLowerBound = true
    #expect(!MorePagesEvidence.provesEnd([total], position: 10_000, page: nil, rows: 10))
  }
}
