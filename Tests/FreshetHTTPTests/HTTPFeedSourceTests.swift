import Foundation
import Freshet
@testable import FreshetHTTP
import Testing

struct Commit: ListItem, Decodable {
  let id: Int
  var title = ""

  enum CodingKeys: CodingKey { case id }
}

@Suite(.timeLimit(.minutes(5)))
struct HTTPFeedSourceTests {
  static let base = "https://api.example.com/items"

  func load(
    _ answers: [String: StubTransport.Answer], _ paging: PagingStyle = .automatic,
    items: JSONPointer? = nil, credentials: HTTPCredentials = ["Authorization": "secret"],
    foreignLinks: ForeignLinks = .refused, pages: Int = 2, limit: Int = 50
  ) async throws -> (ids: [Int], state: ListState, requests: [HTTPRequest]) {
    let transport = StubTransport(answers)
    let url = try #require(URL(string: Self.base))
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        url, paging: paging, items: items, credentials: credentials,
        configuration: HTTPConfiguration(
          foreignLinks: foreignLinks, rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(pageSize: limit, retryPolicy: .never))
    await feed.refresh()
    for _ in 1..<max(2, pages) { await feed.loadNext() }
    return (feed.value.items.map(\.id), feed.value.state, transport.requests)
  }

  @Test
  func `the Link header is followed to its end, relative links too`() async throws {
    let (ids, state, requests) = try await load(
      [
        Self.base: .init(
          headers: ["Link": #"<items?page=9>; rel="last", <items?page=2>; rel="next""#],
          body: #"[{"id":1},{"id":2}]"#),
        "\(Self.base)?page=2": .init(body: #"[{"id":3}]"#),
      ], .linkHeader)
    // The link counts, and so few rows prove nothing: the page before is read again.
    #expect(ids == [1, 2, 3] && state.next == .end && requests.count == 3)
  }

  @Test(arguments: ["next", "next_url", "@odata.nextLink", "links.next", "links.next.href"])
  func `automatic finds the usual places of a next URL`(name: String) async throws {
    let next = "\"\(Self.base)?c=%2B1\""
    let member =
      switch name {
      case "links.next": "\"links\":{\"next\":\(next)}"
      case "links.next.href": "\"links\":{\"next\":{\"href\":\(next)}}"
      default: "\"\(name)\":\(next)"
      }
    let (ids, state, _) = try await load([
      Self.base: .init(body: "{\"data\":[{\"id\":1}],\"other\":[],\(member)}"),
      "\(Self.base)?c=%2B1": .init(body: #"{"data":[{"id":2}],"other":[],"next":null}"#),
    ])
    #expect(ids == [1, 2] && state.next == .end)
  }

  @Test(arguments: [PagingStyle.linkHeader, .automatic, .nextURL("/next", previous: "/prev")])
  func `a gap fills from below by the previous links`(paging: PagingStyle) async throws {
    func answer(_ ids: [Int], next: String?, previous: String?) -> StubTransport.Answer {
      let links = [
        next.map { "<\(Self.base)?\($0)>; rel=\"next\"" },
        previous.map { "<\(Self.base)?\($0)>; rel=\"prev\"" },
      ]
      let items = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
      func quoted(_ query: String?) -> String { query.map { "\"\(Self.base)?\($0)\"" } ?? "null" }
      return StubTransport.Answer(
        headers: ["Link": links.compactMap { $0 }.joined(separator: ", ")],
        body: "{\"items\":[\(items)],\"next\":\(quoted(next)),\"prev\":\(quoted(previous))}")
    }
    let transport = StubTransport([
      Self.base: answer([3, 2], next: "max_id=2", previous: "min_id=3")
    ])
    let url = try #require(URL(string: Self.base))
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        url, paging: paging, configuration: HTTPConfiguration(transport: transport)),
      configuration: FeedConfiguration(refreshPages: 1))
    await feed.refresh()
    transport.answers = [
      Self.base: answer([9, 8], next: "max_id=8", previous: "min_id=9"),
      "\(Self.base)?min_id=3": answer([5, 4], next: "max_id=4", previous: "min_id=5"),
      "\(Self.base)?min_id=5": answer([8, 7], next: "max_id=7", previous: "min_id=8"),
    ]
    await feed.refresh()
    let gap = try #require(feed.value.rows.compactMap(\.gap).first)
    #expect(await feed.load(gap, from: .below) == .idle)
    #expect(feed.value.rows.map { $0.item?.id } == [9, 8, nil, 5, 4, 3, 2])
    #expect(await feed.load(gap, from: .below) == .end)
    #expect(feed.value.items.map(\.id) == [9, 8, 7, 5, 4, 3, 2])
  }

  @Test
  func `offset asks one row early, and counts from the first offset`() async throws {
    let (ids, state, requests) = try await load(
      [
        "\(Self.base)?limit=2&offset=1": .init(body: #"{"features":[{"id":1},{"id":2}]}"#),
        "\(Self.base)?limit=2&offset=2": .init(body: #"{"features":[{"id":2},{"id":3}]}"#),
        "\(Self.base)?limit=2&offset=3": .init(body: #"{"features":[{"id":3}]}"#),
      ], .offset(first: 1), pages: 3, limit: 2)
    #expect(ids == [1, 2, 3] && state.next == .end && requests.count == 3)
  }

  @Test
  func `page numbers read the page above again, and send a size only if told`() async throws {
    let (ids, state, requests) = try await load(
      [
        "\(Self.base)?page=0": .init(body: #"[{"id":1},{"id":2}]"#),
        "\(Self.base)?page=1": .init(body: #"[{"id":3}]"#),
        "\(Self.base)?page=2": .init(body: "[]"),
      ], .page("page", size: nil, first: 0), pages: 3)
    #expect(ids == [1, 2, 3] && state.next == .end)
    #expect(
      requests.compactMap { $0.url.query } == ["page=0", "page=1", "page=0", "page=2"])
  }

  @Test(arguments: [
    "http://api.example.com/items?2", "https://api.example.com:444/items", "//evil.example/items",
    "https://api.example.com.evil.example/", "https://user@api.example.com/items",
    "https://evil.example\\@api.example.com/", "ftp://api.example.com/items", "file:///etc/passwd",
  ])
  func `N1: a link to another origin is refused; the rows stay`(link: String) async throws {
    let (ids, state, requests) = try await load(
      [Self.base: .init(headers: ["Link": "<\(link)>; rel=next"], body: #"[{"id":1}]"#)])
    #expect(ids == [1])
    #expect(requests.count == 1)
    switch state.refresh.failure ?? state.next.failure {
    case .source(HTTPError.foreignLink), .decoding: break
    default: Issue.record("\(state)")
    }
  }

  @Test
  func `N1: another origin may be followed without credentials, but never down to http`()
    async throws
  {
    let (ids, _, requests) = try await load(
      [
        Self.base: .init(
          headers: ["Link": "<https://cdn.example/2>; rel=next"], body: #"[{"id":1}]"#),
        "https://cdn.example/2": .init(
          headers: ["Link": "<http://cdn.example/3>; rel=next"], body: #"[{"id":2}]"#),
      ], foreignLinks: .withoutCredentials, pages: 3)
    #expect(ids == [1, 2])
    #expect(requests.map { $0.headers["Authorization"] } == ["secret", nil])
  }

  @Test
  func `N1: credentials stay on page two of their own origin, and survive no redirection away`()
    async throws
  {
    let (ids, _, requests) = try await load(
      [
        Self.base: .init(
          headers: ["Link": "<https://API.example.com:443/items?2>; rel=next"], body: #"[{"id":1}]"#
        ),
        "https://API.example.com:443/items?2": .init(
          status: 302, headers: ["Location": "https://cdn.example/2"]),
        "https://cdn.example/2": .init(body: #"[{"id":2}]"#),
      ], foreignLinks: .withoutCredentials)
    #expect(ids == [1, 2])
    #expect(
      requests.map { $0.headers["Authorization"] } == ["secret", "secret", nil])
  }

  @Test
  func `a URL that credentials must not go to is refused at once`() throws {
    for text in ["ftp://example.com", "https://user:pass@example.com/", "relative/path"] {
      let url = try #require(URL(string: text))
      let shown = try #require(URL(string: text.replacing("user:pass", with: "***")))
      #expect(throws: HTTPError.invalidURL(shown)) { try HTTPFeedSource<Commit>(url) }
    }
  }

  @Test(arguments: [
    (#"{"items":[{"id":1},{"id":"x"}]}"#, "/items/1/id"), (#"{"items":[{"no":1}]}"#, "/items/0/id"),
    (#"{"a":1}"#, ""), ("<html>", ""), ("", ""), (#"[{"id":1}"#, ""), ("null", ""),
  ])
  func `N2: a body that does not decode says where`(body: String, path: String) async throws {
    let (_, state, _) = try await load([Self.base: .init(body: body)])
    guard case .failed(.decoding(path, _, _, _?)) = state.refresh else {
      Issue.record("\(state)")
      return
    }
  }

  @Test(arguments: [
    ("42", "a text", "number"), (#"{"no":"x"}"#, "a text", "an object"),
    ("[1]", "a text", "an array"),
  ])
  func `N2: a next link that is none is an error, and the rows stay`(
    next: String, expected: String, found: String
  ) async throws {
    let transport = StubTransport([
      Self.base: .init(body: #"{"items":[{"id":1}],"next":"/2"}"#),
      "https://api.example.com/2": .init(body: #"{"items":[{"id":2}]}"#),
    ])
    let url = try #require(URL(string: Self.base))
    let source = try HTTPFeedSource<Commit>(
      url, paging: .nextURL("/next"), configuration: HTTPConfiguration(transport: transport))
    let feed = Feed(source)
    while await feed.loadNext() == .idle {}
    transport.answers[Self.base] = .init(body: #"{"items":[{"id":1}],"next":\#(next)}"#)
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == [1, 2])
    // The rows of the page show, and the edge behind them fails.
    let new = Feed(source)
    await new.refresh()
    #expect(new.value.items.map(\.id) == [1])
    #expect(
      new.value.state.next.failure
        == .decoding(path: "/next", expected: expected, found: found, url: url))
  }

  @Test(arguments: ["99999999999999999999", "inf", "nan", "1e300", "-7", "soon"])
  func `a wild Retry-After is capped or passed over`(value: String) async throws {
    let (_, state, _) = try await load(
      [Self.base: .init(status: 503, headers: ["Retry-After": value])])
    // The second load is held back where the first was asked to wait.
    switch state.refresh.failure?.httpError {
    case .status(503, _, let time, _): #expect(time ?? .zero == .zero)
    case .heldBack(_, let time, _): #expect((.zero...(.seconds(86_400))).contains(time))
    default: Issue.record("\(state)")
    }
    #expect(state.refresh.failure?.description.contains("503") == true)
  }

  @Test
  func `what the user wrote in the query stays as it is`() async throws {
    let text = "https://api.example.com/items?q=swift+lists&x=%2B&offset=9"
    let transport = StubTransport([:])
    let url = try #require(URL(string: text))
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        url, paging: .offset(), configuration: HTTPConfiguration(transport: transport)))
    await feed.refresh()
    #expect(
      transport.requests.map { $0.url.absoluteString } == [
        "https://api.example.com/items?q=swift+lists&x=%2B&limit=50&offset=0"
      ])
  }

  @Test
  func `a status that is no success carries Retry-After`() async throws {
    let url = try #require(URL(string: Self.base))
    let transport = StubTransport([Self.base: .init(status: 503, headers: ["Retry-After": "7"])])
    let source = try HTTPFeedSource<Commit>(
      url, configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    await #expect(throws: HTTPError.status(503, url: url, retryAfter: .seconds(7), message: nil)) {
      try await source.page(PageRequest())
    }
  }
}

@Suite
struct LinkHeaderTests {
  @Test(arguments: [
    (#"<https://a/?p=2>; rel="next""#, "https://a/?p=2"),
    (#"<a>; rel=prev, <b>; title="x, y; rel=next"; REL="Last Next"; rel=prev"#, "b"),
    (#"<a;b,c>;rel=next"#, "a;b,c"), (#"<x>; rel="next; rel=prev"#, ""), (#"junk, <"#, ""),
    (#"<a>; rel="pre\"v", <b>; rel = "next""#, "b"), ("", ""),
  ])
  func `RFC 8288 as servers write it`(header: String, next: String) {
    if header.hasPrefix("<x>") {
      // A quote that never ends swallows the rest.
      #expect(LinkHeader(header).target("prev") == nil || LinkHeader(header).target("next") == "x")
    } else {
      #expect(LinkHeader(header).target("next") ?? "" == next)
    }
  }
}

@Suite
struct JSONPointerTests {
  @Test(arguments: [
    ("", [String]()), ("/a/b", ["a", "b"]), ("/", [""]), ("/a~1b/m~0n/0", ["a/b", "m~n", "0"]),
  ])
  func `RFC 6901`(text: String, tokens: [String]) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.tokens == tokens && pointer.description == text)
  }

  @Test(arguments: ["a", "/~", "/~2", "#/a"])
  func `what is no pointer is none`(text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test(arguments: ["/-1", "/+0", "/01", "/9", "/x", "/0/0"])
  func `a pointer that leads nowhere is an error`(text: String) async throws {
    let transport = StubTransport(["https://a.example/": .init(body: "[[1]]")])
    let url = try #require(URL(string: "https://a.example/"))
    let source = try HTTPFeedSource<Commit>(
      url, items: JSONPointer(text), configuration: HTTPConfiguration(transport: transport))
    guard case .decoding? = await Feed(source).refresh().failure else {
      Issue.record("no error")
      return
    }
  }
}
