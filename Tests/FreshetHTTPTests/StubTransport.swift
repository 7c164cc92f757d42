import Foundation
import Freshet
import FreshetHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers from a table, and remembers what it was asked.
final class StubTransport: HTTPTransport {
  struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body = "[]"
  }

  private let script: Mutex<[String: Answer]>
  private let asked = Mutex<[URLRequest]>([])

  init(_ answers: [String: Answer]) { script = Mutex(answers) }

  /// What is answered from now on, by URL.
  var answers: [String: Answer] {
    get { script.withLock { $0 } }
    set { script.withLock { $0 = newValue } }
  }

  var requests: [URLRequest] { asked.withLock { $0 } }

  func answer(
    to request: URLRequest, limit: Int
  ) async throws -> (body: Data, response: HTTPURLResponse) {
    asked.withLock { $0.append(request) }
    guard let url = request.url, let answer = answers[url.absoluteString],
      let response = HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.headers)
    else { throw URLError(.unsupportedURL) }
    guard answer.body.utf8.count <= limit else { throw FeedError.tooLarge(limit: limit) }
    return (Data(answer.body.utf8), response)
  }
}
