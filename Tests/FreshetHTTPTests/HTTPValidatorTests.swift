import Foundation
import Freshet
import FreshetHTTP
import Testing

/// Rule N3 at the network edge: conditions of requests, and what a 304 stands for.
@Suite(.timeLimit(.minutes(5)))
struct HTTPValidatorTests {
  static let base = "https://api.example.com/items"

  /// A server that answers as a closure says, and remembers what it was asked.
  final class Server: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) -> StubTransport.Answer
    private let asked = Locked<[HTTPRequest]>([])
    var requests: [HTTPRequest] { asked.withLock { $0 } }

    init(_ answer: @escaping @Sendable (HTTPRequest) -> StubTransport.Answer) {
      self.answer = answer
    }

    func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
      asked.withLock { $0.append(request) }
      let answer = answer(request)
      return HTTPResponse(
        status: answer.status, headers: HTTPHeaders(answer.headers), body: Data(answer.body.utf8))
    }
  }

  /// A server with two pages that have these header fields, and answers 304 where its tag or date
  /// comes back.
  static func server(_ fields: [String: String]) -> Server {
    Server { request in
      let value = request.headers["If-None-Match"] ?? request.headers["If-Modified-Since"]
      if let value, fields.values.contains(value) { return .init(status: 304, body: "") }
      guard request.url.query == nil else { return .init(body: #"[{"id":3}]"#) }
      let link = ["Link": #"<items?page=2>; rel="next""#]
      return .init(headers: fields.merging(link) { $1 }, body: #"[{"id":1},{"id":2}]"#)
    }
  }

  static func source(
    _ server: Server, _ url: String = base, paging: PagingStyle = .linkHeader,
    items: JSONPointer? = nil, headers: HTTPHeaders = [:]
  ) throws -> HTTPFeedSource<Commit> {
    try HTTPFeedSource(
      try #require(URL(string: url)), paging: paging, items: items,
      credentials: ["Authorization": "secret"],
      configuration: HTTPConfiguration(
        headers: headers, foreignLinks: .withoutCredentials, transport: server))
  }

  /// The condition of a request.
  static func condition(_ request: HTTPRequest?) -> String? {
    request.flatMap { $0.headers["If-None-Match"] ?? $0.headers["If-Modified-Since"] }
  }

  static let sunday = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(arguments: [
    (["ETag": #""abc""#], "If-None-Match"), (["ETag": #"W/"a,b""#], "If-None-Match"),
    (["ETag": "unquoted"], "If-None-Match"),
    (["ETag": #""x""#, "Last-Modified": sunday, "Date": sunday], "If-None-Match"),
    (
      ["Last-Modified": sunday, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"], "If-Modified-Since"
    ),
  ])
  func `N3: an unchanged refresh is one request, answered without a body, and the next link stays`(
    fields: [String: String], name: String
  ) async throws {
    let server = Self.server(fields)
    let feed = Feed(try Self.source(server))
    await feed.refresh()
    let before = feed.value.list
    #expect(await feed.refresh() == .idle)
    #expect(server.requests.count == 2 && feed.value.list == before)
    #expect(server.requests[1].headers[name] == fields["ETag"] ?? Self.sunday)
    #expect(Self.condition(server.requests[0]) == nil)
    #expect(server.requests[1].headers["Authorization"] == "secret")
    #expect(await feed.loadNext() == .end)
    #expect(feed.value.items.map(\.id) == [1, 2, 3])
    #expect(server.requests[2].url.query == "page=2" && Self.condition(server.requests[2]) == nil)
  }

  @Test(arguments: [
    [:], ["ETag": "*"], ["ETag": #""a", "b""#], ["ETag": "a,b"], ["ETag": #""a b""#], ["ETag": ""],
    ["ETag": "\"a\u{7}\""], ["ETag": "\"" + String(repeating: "x", count: 2000) + "\""],
    ["ETag": #""a""#, "Vary": "Accept, *"],
    ["Last-Modified": sunday], ["Last-Modified": sunday, "Date": sunday],
    ["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT", "Date": "Mon, 07 Nov 1994 08:49:37 GMT"],
    ["Last-Modified": "yesterday", "Date": "today"],
  ])
  func `N3: what does not name one version for certain is no validator`(
    fields: [String: String]
  ) async throws {
    let server = Self.server(fields)
    let feed = Feed(try Self.source(server))
    await feed.refresh()
    #expect(await feed.refresh() == .idle)
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { Self.condition($0) == nil })
  }

  @Test
  func `N3: a 304 that nobody asked for is an error, and the rows stay`() async throws {
    let isUnchanged = Locked(false)
    let server = Server { _ in
      isUnchanged.withLock { $0 } ? .init(status: 304, body: "") : .init(body: #"[{"id":1}]"#)
    }
    let feed = Feed(try Self.source(server))
    await feed.refresh()
    isUnchanged.withLock { $0 = true }
    guard case .failed(.source(HTTPError.status(304, _, _, _))) = await feed.refresh() else {
      Issue.record("\(feed.value.state.refresh)")
      return
    }
    #expect(feed.value.items.count == 1)
  }

  @Test
  func `N3: a validator goes to the URL that answered with it and to nobody else`()
    async throws
  {
    let target = Locked("https://one.example.com/rows")
    let server = Server { request in
      guard request.url.host != "api.example.com" else {
        return .init(status: 302, headers: ["Location": target.withLock { $0 }], body: "")
      }
      if request.headers["If-None-Match"] != nil { return .init(status: 304, body: "") }
      return .init(headers: ["ETag": #""\#(request.url.host ?? "")""#], body: #"[{"id":1}]"#)
    }
    let feed = Feed(try Self.source(server))
    for _ in 0..<2 { #expect(await feed.refresh() == .idle) }
    #expect(
      server.requests.map(Self.condition) == [nil, nil, nil, #""one.example.com""#])
    target.withLock { $0 = "https://two.example.com/rows" }
    for _ in 0..<2 { #expect(await feed.refresh() == .idle) }
    #expect(
      server.requests.dropFirst(4).map(Self.condition) == [nil, nil, nil, #""two.example.com""#])
  }

  @Test
  func `N3: a validator does not stand for a body that is read otherwise, or of another URL`()
    async throws
  {
    let server = Server { request in
      let isUnchanged = request.headers["If-None-Match"] != nil
      return isUnchanged
        ? .init(status: 304, body: "")
        : .init(headers: ["ETag": #""same""#], body: #"{"a":[{"id":1}],"b":[{"id":2}]}"#)
    }
    let page = try await Self.source(server, items: "/a").page(PageRequest())
    let validator = try #require(page.validator)
    let again = PageRequest<HTTPPageKey>(validator: validator)
    #expect(!validator.contains("example"))
    for source in [
      try Self.source(server, items: "/b"),
      try Self.source(server, Self.base + "?q=1", items: "/a"),
      try Self.source(server, items: "/a", headers: ["Accept": "application/vnd.api+json"]),
    ] {
      #expect(try await source.page(again).items.count == 1)
      #expect(Self.condition(server.requests.last) == nil)
    }
    for text in ["", "etag", "etag x \"a\"", "other 1 \"a\"", "date 1 never", "etag 1 *"] {
      let request = PageRequest<HTTPPageKey>(validator: text)
      #expect(try await Self.source(server, items: "/a").page(request).items.count == 1)
      #expect(Self.condition(server.requests.last) == nil)
    }
    _ = try await Self.source(server, items: "/a").page(again)
    #expect(Self.condition(server.requests.last) == #""same""#)
  }

  @Test(arguments: [PagingStyle.offset(), .page(), .single, .nextURL("/next")])
  func `N3: the head of every style is one request, and unchanged in one`(
    paging: PagingStyle
  ) async throws {
    let server = Server { request in
      let tag = "\"\(request.url.query ?? "")\""
      if request.headers["If-None-Match"] == tag { return .init(status: 304, body: "") }
      let isFirst = ["offset=0", "page=1"].contains { request.url.query?.contains($0) ?? true }
      let rows = isFirst ? #"{"id":1},{"id":2}"# : #"{"id":2},{"id":3}"#
      return .init(headers: ["ETag": tag], body: #"{"items":[\#(rows)]}"#)
    }
    let feed = Feed(try Self.source(server, paging: paging))
    await feed.refresh()
    let count = server.requests.count
    #expect(await feed.refresh() == .idle)
    #expect(server.requests.count == count + 1)
    #expect(Self.condition(server.requests.last) != nil)
    #expect(feed.value.items.map(\.id) == [1, 2])
  }

  @Test
  func `N3: after a relaunch the first refresh has the condition, and the list goes on`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("freshet-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = Self.server(["ETag": #"W/"1""#])
    for launch in 0..<3 {
      let feed = Feed(
        try CodedSource(source: Self.source(server)),
        cache: .file("commits", in: CacheDirectory(folder)))
      #expect(await feed.refresh() == .idle)
      await feed.flush()
      #expect(server.requests.count == launch + 1)
      #expect(Self.condition(server.requests.last) == (launch == 0 ? nil : #"W/"1""#))
      #expect(feed.value.items.map(\.id) == [1, 2])
      if launch == 2 {
        #expect(await feed.loadNext() == .end)
        #expect(feed.value.items.map(\.id) == [1, 2, 3])
      }
    }
  }

  /// The source, its items such as can be stored.
  struct CodedSource: FeedSource {
    struct Row: ListItem, Codable {
      let id: Int
    }

    let source: HTTPFeedSource<Commit>

    func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Row, HTTPPageKey> {
      let page = try await source.page(request)
      return page.isUnchanged
        ? .unchanged
        : Page(
          page.items.map { Row(id: $0.id) }, next: page.next, previous: page.previous,
          validator: page.validator)
    }
  }
}
