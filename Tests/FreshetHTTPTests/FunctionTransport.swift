import Foundation
import Freshet
import FreshetHTTP

/// Answers as a function says, and remembers what it was asked.
final class FunctionTransport: HTTPTransport {
  private let asked = Locked<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
    self.answer = answer
  }

  var requests: [HTTPRequest] { asked.withLock { $0 } }

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    asked.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension HTTPResponse {
  /// An answer with a text for a body.
  static func text(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "[]") -> Self {
    HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
  }
}
