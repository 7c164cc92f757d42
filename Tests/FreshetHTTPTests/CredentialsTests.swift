import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// An account whose token a server takes until it expires.
final class Account: Sendable {
  struct State {
    var token = 0
    var asked = 0
    var refreshes = 0
  }
  let state = Locked(State())

  /// What the app has: it learns of a new token by refreshing only.
  var credentials: HTTPCredentials {
    HTTPCredentials { [self] refreshing in
      let token = state.withLock { state in
        state.asked += 1
        if refreshing {
          state.refreshes += 1
          state.token += 1
        }
        return state.token
      }
      return .bearer("t\(token)")
    }
  }
}

/// Work that waits for a test.
final class Held: Sendable {
  let works = Locked(0)
  let gate = Locked<CheckedContinuation<Void, Never>?>(nil)
}

@Suite(.timeLimit(.minutes(5)))
struct CredentialsTests {
  static let base = "https://api.example.com/items"

  func source(
    _ credentials: HTTPCredentials, _ transport: any HTTPTransport, url: String = base,
    foreignLinks: ForeignLinks = .refused, headers: HTTPHeaders = [:]
  ) throws -> HTTPFeedSource<Commit> {
    try HTTPFeedSource<Commit>(
      try #require(URL(string: url)), credentials: credentials,
      configuration: HTTPConfiguration(
        headers: headers, foreignLinks: foreignLinks, rateLimiter: RateLimiter(),
        transport: transport)
    )
  }

  /// Refreshes a feed without retries.
  func failure(_ source: HTTPFeedSource<Commit>) async -> FeedError? {
    await Feed(source, configuration: FeedConfiguration(retryPolicy: .never)).refresh().failure
  }

  @Test
  func `a 401 asks for new credentials once and repeats the request once`() async throws {
    let account = Account()
    let transport = FunctionTransport { request in
      .text(request.headers["Authorization"] == "Bearer t1" ? 200 : 401)
    }
    let source = try source(account.credentials, transport)
    #expect(await failure(source) == nil)
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer t0", "Bearer t1"])
    #expect(account.state.withLock { $0.refreshes } == 1)
    // The provider is asked for each request, and now says the new one.
    #expect(await failure(source) == nil)
    #expect(transport.requests.count == 3 && account.state.withLock { $0.asked } == 3)
  }

  @Test
  func `a second 401 is the error of the load, with the server's words`() async throws {
    let account = Account()
    let transport = FunctionTransport { _ in .text(401, [:], #"{"detail":"Expired."}"#) }
    guard
      case .status(401, _, nil, "Expired.")? = await failure(
        try source(account.credentials, transport))?.httpError
    else {
      Issue.record("another outcome")
      return
    }
    #expect(transport.requests.count == 2 && account.state.withLock { $0.refreshes } == 1)
  }

  @Test
  func `credentials that stay the same are not tried twice`() async throws {
    let transport = FunctionTransport { _ in .text(401) }
    #expect(await failure(try source(.bearer("x"), transport)) != nil)
    #expect(transport.requests.count == 1)
  }

  @Test
  func `a 401 that says when to come back is repeated with new credentials all the same`()
    async throws
  {
    let transport = FunctionTransport { request in
      request.headers["Authorization"] == "Bearer t0"
        ? .text(401, ["Retry-After": "60"]) : .text(200)
    }
    #expect(await failure(try source(Account().credentials, transport)) == nil)
    #expect(transport.requests.count == 2)
  }

  @Test
  func `concurrent loads that meet a 401 refresh once, and a late one repeats with the newest`()
    async throws
  {
    let account = Account()
    let held = Locked<[CheckedContinuation<Void, Never>]>([])
    let transport = FunctionTransport { request in
      guard request.headers["Authorization"] == "Bearer t0" else { return .text(200) }
      // Nobody hears of the 401 before all have asked.
      await withCheckedContinuation { waiter in held.withLock { $0.append(waiter) } }
      return .text(401)
    }
    let credentials = account.credentials
    let sources = try (0..<4).map { try source(credentials, transport, url: "\(Self.base)?\($0)") }
    let failures = await withTaskGroup(of: FeedError?.self) { group in
      for source in sources { group.addTask { await failure(source) } }
      #expect(await eventually { held.withLock({ $0.count }) >= 4 })
      // One hears late: the others have refreshed and are done by then.
      for waiter in held.withLock({ Array($0.dropLast()) }) { waiter.resume() }
      #expect(await eventually { transport.requests.count >= 7 })
      held.withLock { $0.last }?.resume()
      var failures: [FeedError?] = []
      for await failure in group { failures.append(failure) }
      return failures
    }
    #expect(failures.allSatisfy { $0 == nil })
    #expect(account.state.withLock { $0.refreshes } == 1)
    #expect(transport.requests.count == 8)
  }

  @Test
  func `who is cancelled while credentials are refreshed takes nobody else with him`() async throws
  {
    let flight = SingleFlight<Int>()
    let held = Held()
    let work: @Sendable () async throws -> Int = {
      held.works.withLock { $0 += 1 }
      await withCheckedContinuation { waiter in held.gate.withLock { $0 = waiter } }
      return 7
    }
    let first = Task { try await flight.value(work) }
    #expect(await eventually { !held.gate.withLock({ $0 == nil }) })
    let second = Task { try await flight.value(work) }
    #expect(await eventually { flight.waiting >= 2 })
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    held.gate.withLock { $0 }?.resume()
    #expect(try await second.value == 7)
    #expect(held.works.withLock { $0 } == 1)
    // Nobody is left, and yet the work goes on: who comes next joins it.
    held.gate.withLock { $0 = nil }
    let third = Task {
      try await flight.value {
        let value = try await work()
        try Task.checkCancellation()
        return value
      }
    }
    #expect(await eventually { !held.gate.withLock({ $0 == nil }) })
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    let fourth = Task { try await flight.value(work) }
    #expect(await eventually { flight.waiting >= 1 })
    held.gate.withLock { $0 }?.resume()
    #expect(try await fourth.value == 7)
    #expect(held.works.withLock { $0 } == 2)
    #expect(flight.waiting == 0)
  }

  @Test
  func `what a provider throws reaches the user as it is`() async throws {
    struct SignedOut: Error, Equatable {}
    let transport = FunctionTransport { _ in .text(401) }
    let never = HTTPCredentials { _ in throw SignedOut() }
    #expect(await failure(try source(never, transport)) == .source(SignedOut()))
    #expect(transport.requests.isEmpty)
    let late = HTTPCredentials { refreshing in
      if refreshing { throw SignedOut() }
      return .bearer("x")
    }
    #expect(await failure(try source(late, transport)) == .source(SignedOut()))
  }

  @Test
  func `Basic credentials are UTF-8 in Base64, and take no colon in a name`() async throws {
    let transport = FunctionTransport { _ in .text(200) }
    #expect(
      await failure(try source(.basic(user: "Aladdin", password: "open:sesame"), transport)) == nil)
    #expect(await failure(try source(.basic(user: "test", password: "123£"), transport)) == nil)
    #expect(
      transport.requests.map { $0.headers["Authorization"] }
        == ["Basic QWxhZGRpbjpvcGVuOnNlc2FtZQ==", "Basic dGVzdDoxMjPCow=="])
    for user in ["a:b", "a\nb"] {
      guard
        case .invalidHeader("Authorization", _)? = await failure(
          try source(.basic(user: user, password: "x"), transport))?.httpError
      else {
        Issue.record("\(user) was sent")
        return
      }
    }
    #expect(transport.requests.count == 2)
  }

  @Test
  func `user information in the URL is refused, or becomes credentials where that is asked for`()
    async throws
  {
    let transport = FunctionTransport { request in
      .text(200, ["Link": "</items?2>; rel=next"], "[{\"id\":1}]")
    }
    let url = "https://us%40er:p%3Ass@api.example.com/items"
    let error = #expect(throws: HTTPError.self) { try source(.none, transport, url: url) }
    #expect("\(try #require(error))".contains(".userInformation"))
    let taking = try source(.userInformation, transport, url: url)
    let page = try await taking.page(PageRequest())
    #expect(page.next == .url("https://api.example.com/items?2"))
    let request = try #require(transport.requests.first)
    #expect(request.url.absoluteString == "https://api.example.com/items")
    let basic = Data("us@er:p:ss".utf8).base64EncodedString()
    #expect(request.headers["Authorization"] == "Basic \(basic)")
    _ = try await self.source(.userInformation, transport).page(PageRequest())
    #expect(transport.requests.last?.headers["Authorization"] == nil)
  }

  @Test(arguments: [
    HTTPHeaders(["X\r\nEvil": "1"]), ["X": "a\r\nEvil: 1"], ["X": "a\u{0}"], ["": "x"],
    ["X Y": "1"], ["Xé": "1"], ["X": "\u{7F}"],
  ])
  func `a header field that would not arrive as it was meant is not sent`(
    headers: HTTPHeaders
  ) async throws {
    let transport = FunctionTransport { _ in .text(200) }
    for source in [
      try source(HTTPCredentials(headers), transport),
      try source(.none, transport, headers: headers),
      try source(HTTPCredentials { _ in headers }, transport),
    ] {
      guard case .invalidHeader? = await failure(source)?.httpError else {
        Issue.record("\(headers) was sent")
        return
      }
    }
    #expect(transport.requests.isEmpty)
  }

  @Test
  func `Accept is JSON unless the configuration says otherwise, and credentials come last`()
    async throws
  {
    let transport = FunctionTransport { _ in .text(200) }
    _ = await failure(try source(.none, transport))
    _ = await failure(
      try source(
        ["x-id": "secret"], transport,
        headers: ["accept": "application/geo+json", "X-Id": "public", "Cookie": "a"]))
    #expect(
      transport.requests.map { $0.headers["Accept"] }
        == [
          "application/json, application/vnd.api+json;q=0.9, application/*+json;q=0.8",
          "application/geo+json",
        ])
    #expect(transport.requests.last?.headers["X-ID"] == "secret")
  }

  @Test
  func `N1: after a redirection away and back, only the origin sees credentials`() async throws {
    let transport = FunctionTransport { request in
      switch request.url.absoluteString {
      case Self.base: .text(302, ["Location": "https://cdn.example/a"])
      case "https://cdn.example/a": .text(307, ["Location": "https://api.example.com/b"])
      case "https://api.example.com/b": .text(308, ["Location": "//cdn.example/c#part"])
      default: .text(401)
      }
    }
    let account = Account()
    #expect(
      await failure(try source(account.credentials, transport, foreignLinks: .withoutCredentials))
        != nil)
    #expect(
      transport.requests.map { $0.headers["Authorization"] } == [
        "Bearer t0", nil, "Bearer t0", nil,
      ])
    // A stranger's 401 does not refresh anything.
    #expect(account.state.withLock { $0.refreshes } == 0)
    #expect(transport.requests.last?.url.absoluteString == "https://cdn.example/c")
  }
}
