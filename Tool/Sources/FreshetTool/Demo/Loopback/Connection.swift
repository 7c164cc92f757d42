import FlyingFox
import FlyingSocks
import Foundation

/// A connection that answers one caller's requests, each within a time limit.
struct Connection: Sendable {
  let socket: AsyncSocket
  let handler: RoutedHTTPHandler

  func serve() async {
    defer { try? socket.close() }
    let reader = RequestReader(socket)
    do {
      while let request = try await within(.seconds(30), { try await reader.next() }) {
        try await send(await answer(to: request), for: request)
        guard request.leavesOpen else { return }
      }
    } catch let refusal as Refusal {
      try? await send(refusal.response, for: nil)
      try? await within(.milliseconds(300)) { try await reader.drain() }
    } catch {
      // The caller disconnected or took too long: it would not receive an error.
    }
  }

  private func answer(to request: HTTPRequest) async -> HTTPResponse {
    do {
      try Visitor.check(request)
      return try await within(.seconds(15)) { try await handler.handleRequest(request) }
    } catch let refusal as Refusal {
      return refusal.response
    } catch is HTTPUnhandledError {
      return HTTPResponse(statusCode: .notFound)
    } catch {
      return HTTPResponse(statusCode: .internalServerError)
    }
  }

  /// Writes the response to a request; without a request, it is the last response.
  private func send(_ response: HTTPResponse, for request: HTTPRequest?) async throws {
    guard case .httpBody(let body) = response.payload else { return }
    var bytes = Self.head(
      of: response, length: body.count, leavesOpen: request?.leavesOpen ?? false)
    if request?.method != .HEAD, response.statusCode != .noContent {
      for try await chunk in body {
        bytes += chunk
        try await write(bytes)
        bytes = Data()
      }
    }
    if !bytes.isEmpty { try await write(bytes) }
  }

  /// Writes bytes, and gives up if the caller does not read them in time.
  private func write(_ bytes: Data) async throws {
    try await within(.seconds(10)) { try await socket.write(bytes) }
  }

  private static func head(of response: HTTPResponse, length: Int?, leavesOpen: Bool) -> Data {
    var lines = ["HTTP/1.1 \(response.statusCode.code) \(response.statusCode.phrase)"]
    lines += response.headers.map { "\($0.key.rawValue): \($0.value)" }
    if response.statusCode != .noContent {
      lines.append(length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked")
    }
    lines.append("Connection: \(leavesOpen ? "keep-alive" : "close")")
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

extension HTTPRequest {
  /// Whether the connection stays open after the response (RFC 9112, section 9.3).
  fileprivate var leavesOpen: Bool {
    let options = headers[.connection]?.lowercased() ?? ""
    return version == .http11 && !options.contains("close")
  }
}

/// Performs an operation, and throws an error if it takes longer than the limit.
private func within<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw SocketError.timeout(message: "after \(limit)")
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
