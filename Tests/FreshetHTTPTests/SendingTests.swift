import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// Changes that are sent with a source.
@Suite(.timeLimit(.minutes(5)))
struct SendingTests {
  private struct Change: Codable, Equatable { var text = "a\u{0}b" }

  private func source(
    _ transport: some HTTPTransport, _ credentials: HTTPCredentials = .none
  ) throws -> HTTPFeedSource<Row> {
    let url = try #require(URL(string: "https://api.example.com/v1/posts?page=1"))
    return try HTTPFeedSource(
      url, credentials: credentials,
      configuration: HTTPConfiguration(
        headers: ["X-Own": "1"], rateLimiter: RateLimiter(), transport: transport))
  }

  @Test
  func `a change is sent with the method, the key, the body and the credentials`() async throws {
    let transport = FunctionTransport { _ in .text(201, [:], #"{"id": 7}"#) }
    let source = try source(transport, .bearer("secret-token"))
    let attempt = SendAttempt(idempotencyKey: "key-1", number: 0)
    let row = try await source.send(.post, "likes", Change(), for: attempt, returning: Row.self)
    #expect(row.id == 7)
    try await source.send(.delete, "/v1/posts/7", for: attempt, keyField: "X-Key")
    let (first, second) = (transport.requests[0], transport.requests[1])
    #expect(first.url.absoluteString == "https://api.example.com/v1/likes")
    #expect(first.method == .post && first.headers["Idempotency-Key"] == "key-1")
    #expect(
      first.headers["Authorization"] == "Bearer secret-token" && first.headers["X-Own"] == "1")
    #expect(first.headers["Content-Type"] == "application/json")
    #expect(try JSONDecoder().decode(Change.self, from: first.body ?? Data()) == Change())
    #expect(second.method == .delete && second.body == nil)
    #expect(second.headers["X-Key"] == "key-1" && second.headers["Content-Type"] == nil)
  }

  @Test
  func `N1: nothing is sent to another origin, and no redirection is followed`() async throws {
    let transport = FunctionTransport { _ in
      .text(307, ["Location": "https://other.example.com/"], "")
    }
    let source = try source(transport, .bearer("secret-token"))
    await #expect(throws: HTTPError.self) {
      try await source.send(.post, "https://other.example.com/x", Change())
    }
    #expect(transport.requests.isEmpty)
    do {
      try await source.send(.post, "likes", Change())
      Issue.record("it was sent")
    } catch HTTPError.status(307, _, _, _) {}
    #expect(transport.requests.count == 1)
  }

  @Test
  func `a failure says what the server said, without secrets, and whether to try again`()
    async throws
  {
    for (status, isTransient) in [(503, true), (422, false)] {
      let transport = FunctionTransport { request in
        .text(status, [:], #"{"message": "no: \#(request.headers["Authorization"] ?? "")"}"#)
      }
      let source = try source(transport, .bearer("secret-token"))
      do {
        try await source.send(.patch, "posts/1", Change())
        Issue.record("it was sent")
      } catch let error as HTTPError {
        #expect(error.isTransient == isTransient && !"\(error)".contains("secret-token"))
        #expect("\(error)".contains("no: "))
      }
    }
  }

  @Test
  func `an answer that does not decode names the place`() async throws {
    let transport = FunctionTransport { _ in .text(200, [:], #"{"id": "seven"}"#) }
    do {
      _ = try await source(transport).send(.post, "likes", Change(), returning: Row.self)
      Issue.record("it was decoded")
    } catch FeedError.decoding(let path, _, _, _) {
      #expect(path == "/id")
    }
  }

  @Test(arguments: [0, 100, 100_000])
  func `the standard transport sends methods and bodies`(count: Int) async throws {
    let server = try RawServer { request in [.send(answer("\(request.body.count)"))] }
    defer { server.stop() }
    let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    for method in [HTTPMethod.post, .put, .patch, .delete] {
      let request = HTTPRequest(
        try server.url("/x"), method: method, headers: ["Content-Type": "application/json"],
        body: body)
      let response = try await TransportTests.patient.response(to: request, bodyLimit: 1 << 20)
      #expect(String(decoding: response.body, as: UTF8.self) == "\(count)")
    }
    for (request, method) in zip(server.requests, ["POST", "PUT", "PATCH", "DELETE"]) {
      #expect(request.head.hasPrefix("\(method) /x HTTP/1.1") && request.body == Array(body))
      #expect(request.field("Expect") == nil)
      #expect(request.field("Content-Type") == "application/json")
    }
  }
}
