import Foundation
import Freshet
import FreshetHTTP

/// Answers from a table, and remembers what it was asked.
final class StubTransport: HTTPTransport {
  struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body = "[]"
  }

  private let script: Locked<[String: Answer]>
  private let asked = Locked<[HTTPRequest]>([])

  init(_ answers: [String: Answer]) { script = Locked(answers) }

  /// What is answered from now on, by URL.
  var answers: [String: Answer] {
    get { script.withLock { $0 } }
    set { script.withLock { $0 = newValue } }
  }

  var requests: [HTTPRequest] { asked.withLock { $0 } }

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    asked.withLock { $0.append(request) }
    guard let answer = answers[request.url.absoluteString] else { throw URLError(.unsupportedURL) }
    guard answer.body.utf8.count <= bodyLimit else { throw HTTPError.tooLarge(limit: bodyLimit) }
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers), body: Data(answer.body.utf8))
  }
}

extension StubTransport {
  /// The first page of a list that is answered in one way.
  static func page(
    _ body: String, _ style: PagingStyle, _ query: String = "", status: Int = 200
  ) async throws -> Page<Row, HTTPPageKey> {
    let url = PagedServer.url + query
    guard let first = URL(string: url) else { throw URLError(.badURL) }
    let source = try HTTPFeedSource<Row>(
      first, paging: style,
      configuration: HTTPConfiguration(
        transport: StubTransport([url: .init(status: status, body: body)])))
    return try await source.page(PageRequest())
  }
}
