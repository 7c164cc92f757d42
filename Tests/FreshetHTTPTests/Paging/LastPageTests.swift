import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

/// T8: last pages of services that always lead on, with all rows there.
@Suite(.timeLimit(.minutes(5)))
struct LastPageTests {
  /// Loads all of a list of five rows, of which a function says the pages.
  private func load(
    _ style: PagingStyle, query: String = "", items: JSONPointer? = nil,
    _ page: @escaping @Sendable (_ parameter: (String) -> String?) -> HTTPResponse
  ) async throws -> (ids: [Int], end: LoadState) {
    let transport = FunctionTransport { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      return page { name in items.first { $0.name == name }?.value }
    }
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url + query)), paging: style, items: items,
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(pageSize: 2, retryPolicy: .never))
    await feed.refresh()
    await feed.loadAll()
    return (feed.value.items.map(\.id), feed.value.state.next)
  }

  private static func rows(_ start: Int, _ count: Int = 2) -> String {
    let ids = (min(start, 5)..<5).prefix(count).map { "{\"id\":\($0)}" }
    return "[\(ids.joined(separator: ","))]"
  }

  @Test(arguments: [PagingStyle.automatic, .nextURL("/result/_links/next")])
  func `CKAN leads beyond its total`(style: PagingStyle) async throws {
    let read = try await load(style, items: "/result/records") { parameter in
      let start = parameter("offset").flatMap { Int($0) } ?? 0
      return .text(
        200, [:],
        """
        {"result":{"total":5,"_links":{"next":"?offset=\(start + 2)"},"records":\(Self.rows(start))}}
        """)
    }
    #expect(read.ids == Array(0..<5) && read.end == .end, "\(read)")
  }

  @Test(arguments: [PagingStyle.automatic, .nextURL("/paging/next")])
  func `Mailgun leads from an empty page to itself`(style: PagingStyle) async throws {
    let read = try await load(style) { parameter in
      let start = parameter("p").flatMap { Int($0.dropFirst()) } ?? 0
      return .text(
        200, [:],
        "{\"items\":\(Self.rows(start)),\"paging\":{\"next\":\"?p=t\(min(5, start + 2))\"}}")
    }
    #expect(read.ids == Array(0..<5) && read.end == .end, "\(read)")
  }

  @Test
  func `CouchDB gives the token it was given`() async throws {
    let style = PagingStyle.cursor(at: "/last_seq", parameter: "since")
    let read = try await load(style) { parameter in
      let start = parameter("since").flatMap { Int($0.dropFirst(2)) } ?? 0
      return .text(
        200, [:], "{\"results\":\(Self.rows(start)),\"last_seq\":\"s-\(min(5, start + 2))\"}")
    }
    #expect(read.ids == Array(0..<5) && read.end == .end, "\(read)")
  }

  @Test(arguments: [2, 4, 5, 10], ["", "?page=1"])
  func `Traefik leads from the last page to the first`(size: Int, query: String) async throws {
    let style = PagingStyle.nextHeader("X-Next-Page", parameter: "page")
    let read = try await load(style, query: query) { parameter in
      let page = parameter("page").flatMap { Int($0) } ?? 1
      if (page - 1) * size >= 5 { return .text(400, [:], "page: \(page), per_page: \(size)") }
      let next = page * size < 5 ? page + 1 : 1
      return .text(
        200, ["X-Next-Page": "\(next)"], Self.rows((page - 1) * size, size))
    }
    #expect(read.ids == Array(0..<5) && read.end == .end, "\(read)")
  }

  /// Rows 5 to 0, of which the last one of a page names the next page.
  @Test(arguments: [
    PagingStyle.lastItem(id: "/id", parameter: "p"), .cursor(at: "/next", parameter: "p"),
  ])
  func `T8: a row or a cursor that is 1 does not lead back to the first page`(
    style: PagingStyle
  ) async throws {
    let items: JSONPointer = "/items"
    let read = try await load(style, items: items) { parameter in
      let start = parameter("p").flatMap { Int($0) } ?? 6
      let ids = Array((0..<start).reversed().prefix(start == 1 ? 1 : start == 6 ? 3 : 2))
      let next = ids.last.flatMap { $0 > 0 ? #","next":"\#($0)""# : nil } ?? #","next":null"#
      let rows = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .text(200, [:], #"{"items":[\#(rows)]\#(next)}"#)
    }
    #expect(read.ids == [5, 4, 3, 2, 1, 0] && read.end == .end, "\(read)")
  }

  @Test
  func `T7: a server that pays no heed to the number of a page is no list of one page`()
    async throws
  {
    let read = try await load(.nextHeader("X-Next-Page", parameter: "page")) { _ in
      .text(200, ["X-Next-Page": "1"], Self.rows(0, 2))
    }
    #expect(read.ids == [0, 1] && read.end.failure != nil, "\(read)")
    // Nor is one that refuses a page, or says with it that something is wrong.
    for (status, body) in [(422, "{}"), (200, #"{"items":[],"error":"overloaded"}"#)] {
      let read = try await load(.nextHeader("X-Next-Page", parameter: "page")) { parameter in
        parameter("page") == "2"
          ? .text(status, [:], body) : .text(200, ["X-Next-Page": "1"], Self.rows(0, 2))
      }
      #expect(read.ids == [0, 1] && read.end.failure != nil, "\(status): \(read)")
    }
  }
}
