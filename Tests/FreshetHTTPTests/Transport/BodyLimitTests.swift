import Foundation
import Freshet
import FreshetHTTP
import Testing

/// N2: no body grows beyond its limit, whatever the server says about it.
@Suite(.timeLimit(.minutes(5)))
struct BodyLimitTests {
  static let limit = 1_000

  func refresh(
    _ server: RawServer, limit: Int = limit
  ) async throws -> (state: LoadState, ids: [Int]) {
    defer { server.stop() }
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        try server.url(), configuration: HTTPConfiguration(bodyLimit: limit)))
    let state = await feed.refresh()
    return (state, feed.value.items.map(\.id))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5f5e100\r\n",
    "HTTP/1.1 500 Oh\r\n\r\n",
  ])
  func `N2: a body over the limit is an error, however it comes`(head: String) async throws {
    let server = try RawServer(
      sending: head, then: [UInt8](repeating: UInt8(ascii: " "), count: 10_000), times: 10_000)
    let (state, ids) = try await refresh(server)
    #expect(state.failure?.httpError == .tooLarge(limit: Self.limit) && ids.isEmpty)
  }

  @Test
  func `N2: a length beyond the limit is refused before the body comes`() async throws {
    let server = try RawServer(
      sending: "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", closes: false)
    let (state, _) = try await refresh(server)
    #expect(state.failure?.httpError == .tooLarge(limit: Self.limit))
  }

  @Test(arguments: [(1_000, true), (1_001, false)])
  func `N2: a body as long as the limit is read`(length: Int, isRead: Bool) async throws {
    let body = #"[{"id":7}]"#.padding(toLength: length, withPad: " ", startingAt: 0)
    let server = try RawServer(sending: "HTTP/1.1 200 OK\r\n\r\n\(body)")
    let (state, ids) = try await refresh(server)
    #expect(state.failure == (isRead ? nil : .source(HTTPError.tooLarge(limit: Self.limit))))
    #expect(ids == (isRead ? [7] : []))
  }

  @Test
  func `N2: a body over the limit is refused whatever the transport made of it`() async throws {
    let body = #"[{"id":1}]"#
    for (limit, failure) in [(body.utf8.count, nil), (9, HTTPError.tooLarge(limit: 9))] {
      let transport = FunctionTransport { _ in .text(200, [:], body) }
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: HTTPFeedSourceTests.base)),
        configuration: HTTPConfiguration(bodyLimit: limit, transport: transport))
      #expect(await Feed(source).refresh().failure == failure.map { .source($0) })
    }
  }

  @Test
  func `N2: rows stay where a later body is too large, and the error says what to do`() async throws
  {
    let transport = StubTransport([
      HTTPFeedSourceTests.base: .init(body: #"{"items":[{"id":1}],"next":"?2"}"#),
      "\(HTTPFeedSourceTests.base)?2": .init(
        body: #"[{"id":2}]"#.padding(toLength: 2_000, withPad: " ", startingAt: 0)),
    ])
    let url = try #require(URL(string: HTTPFeedSourceTests.base))
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        url, configuration: HTTPConfiguration(bodyLimit: Self.limit, transport: transport)))
    await feed.refresh()
    let error = await feed.loadNext().failure
    #expect(error?.httpError == .tooLarge(limit: Self.limit) && feed.value.items.map(\.id) == [1])
    #expect(error?.description.contains("raise the limit") == true)
  }

  @Test(arguments: [.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)] as [Duration])
  func `any time-out makes a transport`(timeout: Duration) async throws {
    let server = try RawServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[{\"id\":7}]")
    defer { server.stop() }
    let timeouts = HTTPTimeouts(connect: timeout, idle: timeout, total: timeout)
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        try server.url(), configuration: HTTPConfiguration(transport: .standard(timeouts: timeouts))
      ),
      configuration: FeedConfiguration(retryPolicy: .never))
    switch await feed.refresh() {
    case .failed(.source(HTTPError.unreachable(_, code: .timedOut, _))):
      #expect(timeout < .seconds(1))
    default: #expect(feed.value.items.map(\.id) == [7])
    }
  }
}
