import Foundation
import Freshet
import Testing

@testable import FreshetHTTP

/// T8: what public services say of more rows, each in its own words.
@Suite
struct PaginationSignalTests {
  /// What an answer of two rows is seen to say.
  private func seen(
    _ body: String, items: JSONPointer? = nil, headers: [String: String] = [:]
  ) throws -> String? {
    let envelope = try Envelope<Row>.read(
      Data(body.utf8), PagingStyle.Kind.automatic.reading(items: items, skipsInvalid: true),
      with: JSONDecoder())
    let url = try #require(URL(string: PagedServer.url))
    var answer = PageAnswer<Row>(
      HTTPResponse(status: 200, headers: HTTPHeaders(headers)), url: url, answered: url)
    answer.take(envelope)
    return MorePagesEvidence(in: answer.signals, position: answer.rowCount, page: 1)?.seen
  }

  @Test(
    arguments: [
      (
        #"{"link":[{"relation":"self","url":"/"},{"relation":"next","url":"/x"}],"entry":[1,2]}"#,
        "/entry", "/link"
      ),
      (#"{"Links":[{"Rel":"next","Href":"/x"}],"features":[1,2]}"#, nil, "/Links"),
      (#"{"link":{"next":"/x?p=2"},"features":[1,2]}"#, nil, "/link/next"),
      (#"{"batching":{"next":"/x"},"items":[1,2]}"#, nil, "/batching/next"),
      (
        #"{"pages":{"page":1,"next":{"starting_after":"x"}},"data":[1,2]}"#, nil,
        "/pages/next/starting_after"
      ),
      (#"{"endOfRecords":false,"results":[1,2]}"#, nil, "/endOfRecords = false"),
      (#"{"data":[1,2],"meta":{"page":{"after":"eyJ"}}}"#, nil, "/meta/page/after"),
      (
        #"{"result":[1,2],"result_info":{"count":2,"total_count":2000}}"#, "/result",
        "/result_info/total_count = 2000"
      ),
      (#"{"hits":[1,2],"estimatedTotalHits":2000}"#, nil, "/estimatedTotalHits = 2000"),
      (
        #"{"metadata":{"resultset":{"count":2000,"limit":25}},"results":[1,2]}"#, nil,
        "/metadata/resultset/count = 2000"
      ),
      (#"{"meta":{"results":{"total":9}},"results":[1,2]}"#, nil, "/meta/results/total = 9"),
      (
        #"{"pagination":{"totalAvailable":"2000"},"workbooks":{"workbook":[1,2]}}"#,
        "/workbooks/workbook", "/pagination/totalAvailable = 2000"
      ),
      (#"{"meta":{"filter_count":9},"data":[1,2]}"#, nil, "/meta/filter_count = 9"),
      (#"{"users":[1,2],"total_users":9}"#, nil, "/total_users = 9"),
      (#"{"data":[1,2],"total_users":9}"#, nil, "/total_users = 9"),
      (#"{"release-count":9,"releases":[1,2]}"#, nil, "/release-count = 9"),
      (#"{"entry_count":9,"entries":[1,2]}"#, nil, "/entry_count = 9"),
      (#"{"items":[1,2],"total":"2,000"}"#, nil, "/total = 2,000"),
      (#"{"items":[1,2],"total":2000.0}"#, nil, "/total = 2000"),
      (
        #"{"tracks":{"track":[1,2],"@attr":{"totalPages":"80"}}}"#, "/tracks/track",
        "/tracks/@attr/totalPages = 80"
      ),
      (
        #"{"response":{"docs":[1,2],"meta":{"hits":9}}}"#, "/response/docs",
        "/response/meta/hits = 9"
      ),
      (
        #"{"data":[1,2],"additional_data":{"pagination":{"start":0,"more_items_in_collection":true}}}"#,
        nil, "/additional_data/pagination/more_items_in_collection = true"
      ),
      (
        #"{"activities":[1,2],"page_meta":{"limit":2,"next":"/x?offset=2","offset":0,"total_count":9}}"#,
        nil, "/page_meta/next, /page_meta/total_count = 9"
      ),
      (#"{"items":[1,2],"number_of_results":9}"#, nil, "/number_of_results = 9"),
      (
        #"{"search-results":{"opensearch:totalResults":"9","entry":[1,2]}}"#,
        "/search-results/entry", "/search-results/opensearch:totalResults = 9"
      ),
      (
        #"{"search-results":{"link":[{"@ref":"next","@href":"/x"}],"entry":[1,2]}}"#,
        "/search-results/entry", "/search-results/link"
      ),
      (
        #"[{"page":1,"pages":60,"per_page":"2","total":9},[1,2]]"#, "/1",
        "/0/pages = 60, /0/total = 9"
      ),
      (#"{"tags":[1,2],"has_additional":true}"#, nil, "/has_additional = true"),
      (#"{"servers":[1,2],"servers_links":[{"rel":"next","href":"/x"}]}"#, nil, "/servers_links"),
      (
        #"{"value":[1,2],"@Microsoft.Dynamics.CRM.morerecords":true}"#, nil,
        "/@Microsoft.Dynamics.CRM.morerecords = true"
      ),
      (
        #"{"results":[{"series":[{"values":[1,2],"partial":true}]}]}"#,
        "/results/0/series/0/values", "/results/0/series/0/partial = true"
      ),
      (#"{"list":{"next":"/x","size":2},"items":[1,2]}"#, "/items", "/list/next"),
      // Errors beside the rows.
      (#"{"items":[],"error":"Database is locked"}"#, nil, "/error = Database is locked"),
      (#"{"data":[1,2],"errors":[{"message":"a field failed"}]}"#, nil, "/errors = a field failed"),
      (#"{"hits":{"hits":[1,2]},"timed_out":true}"#, "/hits/hits", "/timed_out = true"),
      (
        #"{"hits":{"hits":[1,2]},"_shards":{"total":5,"failed":1}}"#, "/hits/hits",
        "/_shards/failed = 1"
      ),
      (
        #"{"elements":[1,2],"remark":"runtime error: Query timed out"}"#, nil,
        "/remark = runtime error: Query timed out"
      ),
      (#"{"rows":[1,2],"isPartial":true}"#, nil, "/isPartial = true"),
      (#"{"items":[1,2],"error":null,"errors":[],"timed_out":false,"remark":"ok"}"#, nil, nil),
      (#"{"items":[1,2],"error":0,"_shards":{"total":5,"failed":0},"partial":false}"#, nil, nil),
      (#"{"errors":[1,2]}"#, nil, nil),
      (#"{"results":[1,2],"error":"OK","status_code":1}"#, nil, nil),
      (#"{"items":[1,2],"error":{"code":0,"message":""},"errors":{}}"#, nil, nil),
      (#"{"items":[1,2],"error":0.03}"#, nil, nil), (#"{"items":[1,2],"error":200}"#, nil, nil),
      (#"{"items":[1,2],"error":{"message":""},"errors":{"count":0}}"#, nil, nil),
      (#"{"items":[1,2],"page_metadata":{"total":312}}"#, nil, "/page_metadata/total = 312"),
      (#"{"items":[1,2],"error":{"code":7,"message":"no index"}}"#, nil, "/error = no index"),
      (#"{"items":[1,2],"totalItems":-1,"totalPages":-1}"#, nil, nil),
      // What is none.
      (#"{"content":[1,2],"numberOfElements":2}"#, nil, nil),
      (#"{"items":[1,2],"maxRecordCount":2000}"#, nil, nil),
      (#"{"items":[1,2],"page_views":{"total":91200}}"#, nil, nil),
      (
        #"{"responses":[{"hits":{"hits":[1,2]}},{"hits":{"total":9,"hits":[3]}}]}"#,
        "/responses/0/hits/hits", nil
      ),
      (#"{"saved_links":[1,2]}"#, nil, nil),
      (#"{"items":[1,2],"playlist":{"next":"a song"}}"#, nil, nil),
      (#"{"items":[1,2],"stats":{"count":9,"size":3}}"#, nil, nil),
      (#"{"items":[1,2],"comment_count":9}"#, nil, nil),
      (#"{"items":[1,2],"unread_count":9,"total_time":9,"total_price":"2,000"}"#, nil, nil),
      (#"{"users":[1,2],"total_comments":9,"follower_count":9}"#, nil, nil),
      (#"{"items":[{"comment_count":9,"total_users":7},2]}"#, nil, nil),
      (#"{"items":[1,2],"total":"2.000","count":"1,00"}"#, nil, nil),
      (#"{"items":[1,2],"page":{"start":0,"end":2}}"#, nil, nil),
      (#"{"items":[1,2],"page_count":2,"page":1}"#, nil, nil),
      (#"{"items":[1,2],"page_count":3}"#, nil, "/page_count = 3"),
      (#"{"items":[1,2],"results":[{"rel":"next","href":"/x"}]}"#, "/items", nil),
    ] as [(String, JSONPointer?, String?)])
  func `T8: what public services say of more rows`(
    body: String, items: JSONPointer?, expected: String?
  ) throws {
    #expect(try seen(body, items: items) == expected)
  }

  @Test(
    arguments: [
      (["X-Nomad-NextToken": "a"], "the header X-Nomad-NextToken"),
      (["X-Container-Object-Count": "9"], "the header X-Container-Object-Count = 9"),
      (["Link": "</x>; rel=\"next\"; results=\"true\""], "the header Link"),
      (["Link": "</x>; rel=\"next\"; results=\"false\""], nil),
      (["CB-BEFORE": "0", "CB-AFTER": "24"], "the header CB-AFTER"),
      (["X-Page-Before": "0", "X-Page-After": "24"], "the header X-Page-After"),
      (["Retry-After": "24"], nil),
      (["X-RateLimit-Reset-After": "24", "X-Delete-After": "1"], nil),
    ] as [([String: String], String?)])
  func `T8: header fields speak of more rows`(
    headers: [String: String], expected: String?
  ) throws {
    #expect(try seen("[1,2]", headers: headers) == expected)
  }

  @Test
  func `T8: a number of pages that is one of rows proves no end, nor does an estimate`() {
    let signals = [PaginationSignal(.total, at: "/estimatedTotalHits", .number("10"))]
    #expect(!MorePagesEvidence.provesEnd(signals, position: 10, page: 1, rows: 10))
    let exact = [PaginationSignal(.total, at: "/total", .number("10"))]
    #expect(MorePagesEvidence.provesEnd(exact, position: 10, page: 1, rows: 10))
  }

  // MARK: - A member that is not there

  @Test(arguments: [
    // Names that servers leave out at their end.
    ("/next_url", "", 37, true), ("/nextPageToken", "", 50, true),
    ("/@odata.nextLink", "", 10, true),
    ("/next_url", "?limit=50", 50, false), ("/next_url", "?limit=50", 49, true),
    // Any other: as many rows as people ask for may be a part.
    ("/nxt", "", 50, false), ("/nxt", "", 32, false), ("/nxt", "", 37, true), ("/nxt", "", 5, true),
    ("/nxt", "?limit=50", 50, false), ("/nxt", "?limit=50", 30, true),
  ])
  func `T8: a member that is missing on the first page is the end by its name and the rows`(
    pointer: JSONPointer, query: String, rows: Int, isEnd: Bool
  ) async throws {
    let ids = (1...rows).map { "{\"id\":\($0)}" }.joined(separator: ",")
    for style in [PagingStyle.nextURL(pointer), .cursor(at: pointer, parameter: "c")] {
      let page = try await StubTransport.page("{\"items\":[\(ids)],\"version\":1}", style, query)
      #expect(page.next == nil && (page.unread == nil) == isEnd, "\(style.kind)")
    }
  }

  @Test(arguments: [
    (#"{"items":[{"id":1},{"id":2}],"per_page":2}"#, false),
    (#"{"items":[{"id":1},{"id":2}],"limit":"2"}"#, false),
    (#"{"items":[{"id":1},{"id":2}],"meta":{"pageSize":2}}"#, false),
    (#"{"items":[{"id":1}],"per_page":2}"#, true), (#"{"items":[{"id":1}],"size":1}"#, true),
  ])
  func `T8: a page as long as the answer says that pages are may not be all`(
    body: String, isEnd: Bool
  ) async throws {
    for style in [PagingStyle.automatic, .single] {
      #expect((try await StubTransport.page(body, style).unread == nil) == isEnd)
    }
  }

  @Test
  func `T8: a flag that is null is none: the page behind tells`() async throws {
    let style = PagingStyle.lastItem(id: "/id", parameter: "after", hasMore: "/has_more")
    let page = try await StubTransport.page(#"{"data":[{"id":1}],"has_more":null}"#, style)
    #expect(page.next == .cursor("1"))
    #expect(try await StubTransport.page(#"{"data":[],"has_more":null}"#, style).next == nil)
  }

  @Test(arguments: [PagingStyle.automatic, .nextURL("/next"), .page(size: "limit"), .offset()])
  func `T8: a later page that is an error with status 200 is no end`(style: PagingStyle)
    async throws
  {
    let transport = FunctionTransport { request in
      let isFirst = request.url.query.map { !$0.contains("p=2") } ?? true
      let query = request.url.query ?? ""
      guard isFirst, !query.contains("page=2"), !query.contains("offset=9") else {
        return .text(200, [:], #"{"error":"try later","items":[]}"#)
      }
      let rows = (0..<10).map { "{\"id\":\($0)}" }.joined(separator: ",")
      return .text(200, [:], "{\"items\":[\(rows)],\"next\":\"?p=2\"}")
    }
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: style,
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(pageSize: 10, retryPolicy: .never))
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.items.count == 10)
    guard case .unreadPages(let seen, _, _)? = feed.value.state.next.failure else {
      Issue.record("\(style.kind): \(feed.value.state)")
      return
    }
    #expect(seen.contains("try later"))
  }

  @Test(arguments: [PagingStyle.automatic, .nextURL("/next"), .page(size: "limit"), .offset()])
  func `T2: rows beside an error lead to no next page, unless the style is trusted`(
    style: PagingStyle
  ) async throws {
    let rows = (0..<50).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let body = "{\"items\":[\(rows)],\"next\":\"?page=2\",\"timed_out\":true}"
    for style in [style, style.trusted] {
      let transport = FunctionTransport { _ in .text(200, [:], body) }
      let source = try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: style,
        configuration: HTTPConfiguration(transport: transport))
      let page = try await source.page(PageRequest(limit: 50))
      #expect(page.items.count == 50 && (page.next == nil) == (page.unread != nil))
      #expect((page.unread == nil) == (style == style.trusted), "\(style.kind)")
    }
  }

  @Test
  func `T8: a count of the rows on a page proves no end`() async throws {
    let rows = (0..<20).map { "{\"id\":\($0)}" }.joined(separator: ",")
    for style in [PagingStyle.page(size: "size"), .offset()] {
      let transport = FunctionTransport { _ in
        .text(200, [:], "{\"content\":[\(rows)],\"numberOfElements\":20}")
      }
      let source = try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: style,
        configuration: HTTPConfiguration(transport: transport))
      #expect(try await source.page(PageRequest(limit: 20)).next != nil, "\(style.kind)")
    }
  }

  // MARK: - A total that links do not reach

  @Test(
    arguments: [
      // Total, rows a page, rows that come, where the total is told, and whether that is the end.
      ([2000, 2000, 2000, 2000], 25, 100, false), ([100, 100, 100, 100], 25, 100, true),
      // Rows came above, rows went below, both.
      ([100, 110, 120, 130], 25, 100, true), ([110, 105, 101, 100], 25, 100, true),
      ([110, 110, 110, 110], 25, 100, true), ([2000, 60, 60, 60], 25, 100, true),
      ([125, 125, 125, 125], 25, 100, false), ([2000, nil, nil, nil], 25, 100, false),
      ([nil, 2000, 2000, 2000], 25, 100, true),
    ] as [([Int?], Int, Int, Bool)])
  func `T8: links and tokens that end far before the total do not end`(
    totals: [Int?], size: Int, rows: Int, isEnd: Bool
  ) async throws {
    for style in [PagingStyle.automatic, .cursor(at: "/next_cursor", parameter: "c")] {
      let transport = FunctionTransport { request in
        let query = request.url.query ?? ""
        let start = Int(query.replacing("c=t", with: "")) ?? 0
        let ids = (start..<min(rows, start + size)).map { "{\"id\":\($0)}" }
          .joined(separator: ",")
        let end = start + size
        let next = end < rows ? "\"next_cursor\":\"t\(end)\",\"next\":\"?c=t\(end)\"," : ""
        let total = totals[start / size].map { "\"total\":\($0)," } ?? ""
        return .text(200, [:], "{\(next)\(total)\"items\":[\(ids)]}")
      }
      let feed = Feed(
        try HTTPFeedSource<Row>(
          try #require(URL(string: PagedServer.url)), paging: style,
          configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)))
      await feed.refresh()
      await feed.loadAll()
      #expect(feed.value.items.map(\.id) == Array(0..<rows))
      #expect((feed.value.state.next == .end) == isEnd, "\(style.kind): \(feed.value.state)")
    }
  }

  @Test
  func `T8: by automatic, a token on a later page speaks of more`() async throws {
    let url = PagedServer.url
    let transport = StubTransport([
      url: .init(body: #"{"items":[{"id":1}],"next":"?c=x"}"#),
      url + "?c=x": .init(body: #"{"items":[{"id":2}],"next_cursor":"y"}"#),
    ])
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: url)), configuration: HTTPConfiguration(transport: transport)))
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.items.count == 2 && feed.value.state.next.failure != nil)
  }

  @Test
  func `T8: a part of an unknown whole is one`() async throws {
    let url = PagedServer.url
    let transport = StubTransport([
      url: .init(status: 206, headers: ["Content-Range": "0-0/*"], body: #"[{"id":1}]"#)
    ])
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: url)), configuration: HTTPConfiguration(transport: transport))
    #expect(try await source.page(PageRequest()).unread != nil)
  }
}
