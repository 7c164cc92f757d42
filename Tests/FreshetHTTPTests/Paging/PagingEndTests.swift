import Foundation
import Freshet
import FreshetTesting
import FreshetHTTP
import Testing

/// T8: the end is the end only on evidence, whatever a server sends and whatever style it is asked
/// by.
@Suite(.timeLimit(.minutes(5)))
struct PagingEndTests {
  static let styles: [(name: String, style: PagingStyle)] = [
    ("automatic", .automatic), ("linkHeader", .linkHeader), ("/next", .nextURL("/next")),
    ("/nxt", .nextURL("/nxt")), ("/links/next", .nextURL("/links/next")),
    ("/a/b", .nextURL("/a/b")), ("/next_url", .nextURL("/next_url")), ("links", .links()),
    ("links at /x", .links(at: "/x")), ("Next-Page", .nextHeader("Next-Page")),
    ("X-Next-Page", .nextHeader("X-Next-Page")),
    ("X-Next-Cursor", .nextHeader("X-Next-Cursor", parameter: "cursor")),
    ("/next_cursor", .cursor(at: "/next_cursor", parameter: "cursor")),
    ("/cursor", .cursor(at: "/cursor", parameter: "c")),
    ("last", .lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")),
    ("last, no flag", .lastItem(id: "/id", parameter: "starting_after")),
    ("page", .page()), ("page limit", .page(size: "limit")),
    ("page 0", .page(size: "limit", first: 0)),
    ("offset", .offset()), ("skip", .offset("skip", limit: "limit")),
    ("offset 1", .offset(first: 1)),
    ("single", .single),
  ]

  /// How each convention is to be asked, where it is understood.
  static let right: [Convention: PagingStyle] = [
    .linkHeader: .linkHeader, .linkHeaderPages: .linkHeader, .restFrameworkPages: .nextURL("/next"),
    .restFrameworkOffset: .nextURL("/next"), .restFrameworkCursor: .nextURL("/next"),
    .fastAPI: .page(size: "size"), .spring: .page(size: "size", first: 0),
    .laravel: .nextURL("/links/next"),
    .stripe: .lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more"),
    .slack: .cursor(at: "/response_metadata/next_cursor", parameter: "cursor"),
    .google: .cursor(at: "/nextPageToken", parameter: "pageToken"),
    .matrix: .cursor(at: "/end", parameter: "from"),
    .matrixAdmin: .cursor(at: "/next_token", parameter: "from"),
    .bluesky: .cursor(at: "/cursor", parameter: "cursor"),
    .relay: .cursor(
      at: "/pageInfo/endCursor", parameter: "after", hasMore: "/pageInfo/hasNextPage"),
    .oData: .nextURL("/@odata.nextLink"), .jsonAPI: .nextURL("/links/next"),
    .jsonAPIPages: .page(size: "limit"), .jsonFeed: .nextURL("/next_url"), .hal: .links(),
    .ogc: .links(at: "/links"), .kinto: .nextHeader("next-page"),
    .nextCursorHeader: .nextHeader("X-Next-Cursor", parameter: "cursor"),
    .gitLab: .nextHeader("X-Next-Page", parameter: "page"), .totalHeader: .page(size: "limit"),
    .contentRange: .offset(), .truncated: .offset(), .fdsn: .offset(first: 1),
    .continuation: .cursor(at: "/continuationToken", parameter: "continuationToken"),
    .hasNext: .page(size: "limit"), .datasette: .nextURL("/next_url"),
    .reddit: .cursor(at: "/after", parameter: "after"), .nextObject: .page(size: "limit"),
    .numbers: .offset(), .nextPageNumber: .cursor(at: "/next_page", parameter: "page"),
    .scroll: .cursor(at: "/scroll_id", parameter: "cursor"), .bareArray: .page(size: "limit"),
    .bareOffsets: .offset(), .salesforce: .automatic, .paginationHeader: .page(size: "limit"),
    .countOnly: .offset(), .plone: .nextURL("/batching/next"),
  ]

  @Test(arguments: Convention.allCases)
  func `T8: no style takes a list for complete of which rows are missing`(
    convention: Convention
  ) async throws {
    for count in [35, 40, 11, 37].prefix(max(2, SeededGenerator.seeds(4).count)) {
      for (name, style) in Self.styles {
        let server = PagedServer(Array(1...count), convention)
        let feed = try server.feed(style)
        await feed.refresh()
        await feed.loadAll()
        // Who says where the server begins to count is believed.
        if isFirstWrong(name, convention) { continue }
        let (ids, state) = (feed.value.items.map(\.id), feed.value.state)
        if state.next == .end {
          #expect(ids == Array(1...count), "\(convention) by \(name), \(count) rows")
        } else {
          #expect(state.next.failure ?? state.refresh.failure != nil, "\(convention) by \(name)")
          // An error is no reason to show nothing.
          if state.refresh.failure == nil { #expect(ids.starts(with: Array(1...10))) }
        }
        #expect(server.requests.count < 60, "\(convention) by \(name)")
      }
    }
  }

  private func isFirstWrong(_ style: String, _ convention: Convention) -> Bool {
    style.hasPrefix("page") && convention == .spring || style == "offset 1"
  }

  @Test(arguments: Convention.allCases)
  func `every convention has a style that reads it to its end`(convention: Convention) async throws
  {
    let style = try #require(Self.right[convention])
    for count in [0, 1, 9, 10, 11, 35, 40] {
      let server = PagedServer(Array(1...40).suffix(count), convention)
      let feed = try server.feed(style, query: "")
      await feed.refresh()
      await feed.loadAll()
      #expect(feed.value.items.map(\.id) == server.rows, "\(count) rows")
      let state = feed.value.state
      #expect(state.next == .end, "\(count) rows: \(state)")
    }
  }

  @Test(arguments: Convention.allCases)
  func `T8: an error names the style that reads the list, or one to try`(
    convention: Convention
  ) async throws {
    let server = PagedServer(Array(1...35), convention)
    let feed = try server.feed(.single)
    await feed.refresh()
    guard case .unreadPages(let seen, let advice, let url)? = feed.value.state.next.failure else {
      // Nothing in these answers speaks of more.
      #expect([.bareArray, .bareOffsets, .fdsn].contains(convention), "\(convention)")
      return
    }
    #expect(feed.value.items.count == 10 && !seen.isEmpty && url != nil)
    #expect(advice.contains("--paging ") && advice.contains("."))
    let expected: [Convention: String] = [
      .slack: ".cursor(at: \"/response_metadata/next_cursor\", parameter: \"cursor\")",
      .google: "cursor:/nextPageToken:pageToken", .kinto: ".nextHeader(\"Next-Page\")",
      .gitLab: ".nextHeader(\"X-Next-Page\", parameter: \"page\")", .linkHeader: ".linkHeader",
      .restFrameworkPages: ".nextURL(\"/next\")", .hal: ".nextURL(\"/_links/next\")",
      .ogc: "links:/links", .stripe: "last:/id:starting_after:/has_more",
      .fastAPI: ".page(\"page\", size: \"size\")",
      .numbers: ".offset(\"offset\", limit: \"limit\")",
      .relay: ".cursor(at: \"/pageInfo/endCursor\", parameter: \"after\")",
      .matrixAdmin: "cursor:/next_token:from", .datasette: ".nextURL(\"/next_url\")",
      .nextPageNumber: ".page(",
    ]
    if let words = expected[convention] { #expect(advice.contains(words), "\(advice)") }
  }

  @Test
  func `T8: a failed end is asked for again by retry alone, and stands once the server leads on`()
    async throws
  {
    let url = try #require(URL(string: PagedServer.url))
    let transport = StubTransport([PagedServer.url: .init(body: #"{"items":[{"id":1}],"total":2}"#)]
    )
    let feed = Feed(
      try HTTPFeedSource<Row>(url, configuration: HTTPConfiguration(transport: transport)))
    await feed.refresh()
    let row = try #require(feed.value.items.first)
    feed.willDisplay(row)
    #expect(feed.value.state.next.failure != nil && feed.value.state.refresh == .idle)
    #expect(transport.requests.count == 1)
    transport.answers = [
      PagedServer.url: .init(body: #"{"items":[{"id":1}],"total":2,"next":"/items?c=1"}"#),
      "\(PagedServer.url)?c=1": .init(body: #"{"items":[{"id":2}],"total":2,"next":null}"#),
    ]
    await feed.retry()
    await feed.loadAll()
    #expect(feed.value.items.map(\.id) == [1, 2] && feed.value.state.next == .end)
  }

  @Test(arguments: [
    (#"{"items":[{"id":1}],"total":9}"#, PagingStyle.automatic),
    (#"{"items":[{"id":1}],"cursor":"x"}"#, .nextURL("/next")),
    (#"{"items":[{"id":1}],"has_more":true}"#, .single),
    (#"{"items":[{"id":1}]}"#, .nextURL("/a/next")),
  ])
  func `T8: a trusted style is taken at its word`(body: String, style: PagingStyle) async throws {
    let url = try #require(URL(string: PagedServer.url))
    for (style, isEnd) in [(style, false), (style.trusted, true)] {
      let transport = StubTransport([PagedServer.url: .init(body: body)])
      let feed = Feed(
        try HTTPFeedSource<Row>(
          url, paging: style, configuration: HTTPConfiguration(transport: transport)))
      await feed.refresh()
      #expect((feed.value.state.next == .end) == isEnd)
      #expect(feed.value.items.map(\.id) == [1])
    }
  }

  @Test(arguments: [
    PagingStyle.nextURL("/next"), .automatic, .cursor(at: "/next", parameter: "after"),
  ])
  func `N4, T8: a next link or cursor of megabytes is an error, and no end`(
    style: PagingStyle
  ) async throws {
    let long = "/x?" + String(repeating: "a&", count: 2_000_000)
    let transport = FunctionTransport { _ in
      .text(200, [:], #"{"items":[{"id":1}],"next":"\#(long)"}"#)
    }
    let source = try HTTPFeedSource<Commit>(
      try #require(URL(string: "https://api.example.com/items")), paging: style,
      configuration: HTTPConfiguration(
        rateLimiter: RateLimiter(clock: ManualClock()), transport: transport))
    let page = try await source.page(PageRequest())
    guard case .decoding(_, _, "\(long.utf8.count) bytes", _)? = page.unread else {
      Issue.record("\(page.unread as Any)")
      return
    }
    #expect(page.next == nil && page.items.map(\.id) == [1])
  }
}
