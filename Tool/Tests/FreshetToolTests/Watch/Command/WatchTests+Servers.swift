import FlyingFox
import FlyingSocks
import Foundation
import Freshet

@testable import FreshetTool

// Servers on loopback.
extension WatchTests {
  func withServer(
    _ body: (_ server: QuakeServer, _ base: String) async throws -> Void
  ) async throws {
    let port = try FreePort.any()
    let server = QuakeServer(
      port: port, list: try await QuakeList(MemoryStore(), all: .all),
      history: try DemoCommand.history(), pace: .seconds(60))
    try await server.begin(anew: true)
    try await server.listen()
    do {
      try await body(server, "http://127.0.0.1:\(port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  static func server() throws -> HTTPServer {
    HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
  }

  static func answer(_ json: String) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, body: Data(json.utf8))
  }

  func serve(
    _ server: HTTPServer, _ body: (_ base: String) async throws -> Void
  ) async throws {
    let running = Task { try await server.run() }
    try await server.waitUntilListening()
    do {
      guard case .ip4(_, let port)? = await server.listeningAddress else { throw FreePort.None() }
      try await body("http://127.0.0.1:\(port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    running.cancel()
  }
}
