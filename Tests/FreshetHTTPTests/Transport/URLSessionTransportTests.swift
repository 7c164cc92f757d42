#if canImport(Darwin) || FRESHET_TESTING
  import Foundation
  import Freshet
  @_spi(Testing) import FreshetHTTP
  import FreshetTesting
  import Testing

  #if !canImport(Darwin)
    import FoundationNetworking
  #endif

  /// The transport of Apple's systems.
  ///
  /// On Linux it is built for this suite only, which keeps to answers
  /// that `URLSession` survives there.
  @Suite(.timeLimit(.minutes(5)))
  struct URLSessionTransportTests {
    func ask(
      _ steps: [RawServer.Step], of transport: URLSessionTransport = .shared, limit: Int = 1_000
    ) async throws -> HTTPResponse {
      let server = try RawServer { _ in steps }
      defer { server.stop() }
      return try await transport.response(
        to: HTTPRequest(try server.url(), headers: ["X": "1"]), bodyLimit: limit)
    }

    @Test
    func `an answer comes with its status, its fields and its body`() async throws {
      let response = try await ask([.send(answer("[]", status: "404 No", [("A", "1")]))])
      #expect(response.status == 404 && response.headers["a"] == "1")
      #expect(response.body == Data("[]".utf8))
    }

    @Test
    func `N1: a redirection is an answer`() async throws {
      let response = try await ask([.send(answer("", status: "302 Found", [("Location", "/2")]))])
      #expect(response.status == 302 && response.headers["Location"] == "/2")
    }

    // On Linux a session ends a request whose challenge is rejected; it hung before.
    #if canImport(Darwin)
      @Test(arguments: ["Basic realm=x", "Digest realm=x, nonce=y"])
      func `a 401 is an answer, whatever it asks for`(challenge: String) async throws {
        let fields = [("WWW-Authenticate", challenge)]
        #expect(try await ask([.send(answer("{}", status: "401 No", fields))]).status == 401)
      }
    #endif

    @Test
    func `N2: a body over the bound is refused, announced or not`() async throws {
      let flood = RawServer.Step.flood([UInt8](repeating: 32, count: 1_000), times: 2_000)
      for head in ["Content-Length: 1001\r\n", ""] {
        await #expect(throws: HTTPError.tooLarge(limit: 1_000)) {
          _ = try await ask([.send("HTTP/1.1 200 OK\r\n\(head)\r\n"), flood, .close])
        }
      }
    }

    @Test
    func `silence and a drip end within the time-outs`() async throws {
      let hasty = URLSessionTransport(
        timeouts: HTTPTimeouts(idle: .seconds(1), total: .seconds(60)))
      do {
        _ = try await ask([.hold], of: hasty)
        Issue.record("an answer")
      } catch HTTPError.unreachable(_, let code, let reason) {
        #expect(code == .timedOut && reason == "the answer took too long")
      }
    }

    @Test
    func `cancelling returns at once`() async throws {
      let server = try RawServer { _ in [.hold] }
      defer { server.stop() }
      let url = try server.url()
      let task = Task {
        try await URLSessionTransport.shared.response(to: HTTPRequest(url), bodyLimit: 9)
      }
      #expect(await eventually { !server.requests.isEmpty })
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `a configuration of one's own is taken, but for its cache`() async throws {
      let configuration = URLSessionConfiguration.default
      configuration.timeoutIntervalForRequest = 7
      let transport = URLSessionTransport(configuration: configuration)
      #expect(try await ask([.send(answer("[]"))], of: transport).status == 200)
    }
  }
#endif
