import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPErrorTests {
  static let url =
    URL(string: "https://user:hunter2@api.example.com/list?token=s3cret&page=2")
    ?? URL(fileURLWithPath: "/")

  static let errors: [HTTPError] = [
    .status(429, url: url, retryAfter: .seconds(7), message: "no \u{202E}\(url.absoluteString)\n"),
    .heldBack(url, retryAfter: .seconds(7), reason: "no \u{202E}\(url.absoluteString)\n"),
    .unreachable(url, code: .networkConnectionLost, reason: "cut"),
    .status(401, url: url, retryAfter: nil, message: nil), .invalidURL(url),
    .invalidHeader(name: "X\r\nY", reason: "a line break"), .foreignLink(url),
    .secretInLink(url), .redirection(url, reason: "to \(url.absoluteString)"), .tooLarge(limit: 9),
    .unreachable(url, code: .timedOut, reason: "\(url.absoluteString) timed out"),
    .unreachable(url, code: .serverCertificateUntrusted, reason: "bad certificate"),
  ]

  @Test(arguments: errors)
  func `N5: no error shows a secret or an escape, to people, in a log or dumped`(
    error: HTTPError
  ) {
    var dumped = ""
    dump(error.masked, to: &dumped)
    for text in [
      "\(error)", String(reflecting: error), error.localizedDescription,
      error.recoverySuggestion ?? "", dumped, "\(FeedError.source(error))",
      String(reflecting: FeedError.source(error)),
    ] {
      #expect(!text.contains("s3cret") && !text.contains("hunter2"), "\(text)")
      #expect(!text.contains("\u{202E}"))
    }
    #expect(!"\(error)".contains { $0.isNewline })
    #expect("\(FeedError.source(error))" == "\(error)")
  }

  @Test(arguments: errors)
  func `an alert says what people can do, without addresses, codes and jargon`(error: HTTPError) {
    let feedError = FeedError.source(error)
    for text in [error.errorDescription, error.recoverySuggestion] {
      guard let text else {
        Issue.record("\(error) has no words")
        continue
      }
      #expect(!text.isEmpty && !text.contains("://") && !text.contains(where: \.isNumber))
      for word in ["HTTP", "JSON", "URL", "status", "key", "decod"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
    #expect(feedError.localizedDescription == error.errorDescription)
    #expect(feedError.recoverySuggestion == error.recoverySuggestion)
    #expect(ErrorNotice(feedError) == ErrorNotice(error))
  }

  @Test
  func `each has one action`() {
    func action(_ status: Int) -> ErrorNotice.Action? {
      ErrorNotice(HTTPError.status(status, url: Self.url, retryAfter: nil, message: nil)).action
    }
    #expect(action(401) == .signIn && action(403) == .signIn)
    #expect(action(404) == .leave && action(500) == .retry)
    let notice = ErrorNotice(HTTPError.status(401, url: Self.url, retryAfter: nil, message: nil))
    #expect(notice.message == "You are not signed in, or no longer.")
    #expect(ErrorNotice(HTTPError.invalidURL(Self.url)).action == .changeSettings)
  }

  @Test(arguments: [
    (URLError.Code.serverCertificateUntrusted, false), (.unsupportedURL, false), (.timedOut, true),
    (.networkConnectionLost, true), (.badServerResponse, true),
  ])
  func `a server that cannot be reached for good is not asked again`(
    code: URLError.Code, isTransient: Bool
  ) {
    let error = HTTPError.unreachable(Self.url, code: code, reason: "")
    #expect(error.isTransient == isTransient)
    #expect(FeedError.source(error).isTransient == isTransient)
  }

  @Test
  func `statuses say whether to ask again, when, and with another key`() {
    func error(_ status: Int, _ retryAfter: Duration? = nil) -> FeedError {
      .source(HTTPError.status(status, url: Self.url, retryAfter: retryAfter, message: nil))
    }
    #expect((200..<600).filter { error($0).isTransient } == [408, 425, 429, 500, 502, 503, 504])
    #expect((200..<600).filter { error($0).isStaleKey } == [400, 410])
    let forbidden = error(403, .seconds(5))
    #expect(forbidden.isTransient && forbidden.retryAfter == .seconds(5))
    #expect(error(503).retryAfter == nil && error(500).retryAfter == nil)
    // A source that asks another feed throws what that one has.
    let passedOn = FeedError.source(forbidden)
    #expect(passedOn.httpError == forbidden.httpError && passedOn.isTransient)
    #expect(passedOn.retryAfter == .seconds(5) && error(410).isStaleKey)
  }

  @Test
  func `a log learns the method, the address, the status and what the server says`() throws {
    let error = HTTPError.status(
      429, url: try #require(URL(string: "https://a.example/x")), retryAfter: .seconds(6.2),
      message: "Slow down.")
    #expect(
      "\(error)"
        == "GET https://a.example/x answered with status 429 and says “Slow down.”. Try again in 7 seconds."
    )
    let lost = HTTPError.unreachable(
      try #require(URL(string: "https://a.example/x")), code: .timedOut, reason: "no answer")
    #expect("\(lost)".contains("GET") && "\(lost)".contains("-1001"))
    let held = HTTPError.heldBack(
      try #require(URL(string: "https://a.example/x")), retryAfter: .seconds(6.2),
      reason: "Slow down")
    #expect(
      "\(held)"
        == "GET https://a.example/x was held back, because the server asked to be left alone: Slow down. Try again in 7 seconds."
    )
  }

  @Test
  func `what happened is told from what did not`() throws {
    let url = try #require(URL(string: "https://a.example/x"))
    for code in [
      URLError.Code.timedOut, .networkConnectionLost, .serverCertificateUntrusted,
      .secureConnectionFailed, .badServerResponse, .cannotDecodeContentData,
    ] {
      let text = "\(HTTPError.unreachable(url, code: code, reason: "r"))"
      #expect(!text.contains("did not reach"), "\(text)")
    }
    let refused = HTTPError.unreachable(url, code: .cannotConnectToHost, reason: "r")
    #expect("\(refused)".contains("did not reach"))
    let down = try #require(URL(string: "http://a.example/x"))
    #expect("\(HTTPError.foreignLink(down))".contains("From https that is never followed"))
    #expect(!"\(HTTPError.foreignLink(url))".contains("never followed"))
    for text in ["ftp://a.example/x", "file:///etc/passwd", "https://u:p@a.example/"] {
      let never = HTTPError.foreignLink(try #require(URL(string: text)))
      #expect("\(never)".contains("never followed") && !"\(never)".contains("Allow"))
    }
  }

  @Test
  func `N5: what a feed holds of a failure has its secrets masked`() async throws {
    let feed = Feed<Commit> { (_: PageRequest<Int>) in
      throw HTTPError.status(404, url: Self.url, retryAfter: nil, message: "x\u{1B}")
    }
    await feed.refresh()
    guard
      case .status(404, let url, nil, let message)? = feed.value.state.refresh.failure?.httpError
    else {
      Issue.record("\(feed.value.state)")
      return
    }
    #expect(url.absoluteString == "https://***@api.example.com/list?token=***&page=2")
    #expect(message == "x\\u{1B}")
  }

  @Test
  func `N5: what a convention of one's own throws hides the secrets that were sent`() async throws {
    let secret = "s3cret-token-of-mine"
    let other = try #require(URL(string: "https://b.example/\(secret)"))
    let source = try HTTPFeedSource<Commit>(
      try #require(URL(string: "https://a.example/items")),
      paging: .custom("own") { _ in throw HTTPError.foreignLink(other) },
      credentials: .bearer(secret),
      configuration: HTTPConfiguration(
        rateLimiter: RateLimiter(), transport: FunctionTransport { _ in .text(200, [:], "[]") }))
    let feed = Feed(source, configuration: FeedConfiguration(retryPolicy: .never))
    await feed.refresh()
    await feed.loadNext()
    let state = feed.value.state
    var dumped = ""
    dump(state, to: &dumped)
    #expect(dumped.contains("foreignLink") && !dumped.contains(secret), "\(dumped)")
  }

  @Test
  func `R4: a busy server is asked again, and a cursor that expired costs nothing`() async throws {
    let asked = Locked(0)
    let transport = FunctionTransport { request in
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      switch request.url.query {
      case _ where number == 1: return .text(503)
      case nil: return .text(200, ["Link": "<?c=\(number)>; rel=next"], #"[{"id":1}]"#)
      case "c=2": return .text(410)
      default: return .text(200, [:], #"[{"id":2}]"#)
      }
    }
    let source = try HTTPFeedSource<Commit>(
      try #require(URL(string: "https://a.example/items")), paging: .linkHeader,
      configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    let policy = RetryPolicy(attempts: 1, base: .zero)
    let feed = Feed(source, configuration: FeedConfiguration(retryPolicy: policy))
    #expect(await feed.refresh() == .idle)
    #expect(await feed.loadNext() == .end)
    #expect(feed.value.items.map(\.id) == [1, 2] && transport.requests.count == 5)
  }
}
