import Foundation
import Freshet
import FreshetHTTP

/// A row of a model server.
struct Row: ListItem, Decodable {
  let id: Int
}

/// A server that pages a list of numbers by some convention, and whose list may change between
/// requests.
final class PagedServer: HTTPTransport {
  struct State {
    var rows: [Int]
    var requests: [URL] = []
    /// What happens to the list before a request is answered.
    var change: (@Sendable (inout [Int]) -> Void)?
    /// Whether it happens before the first request for each page only.
    var changesBetweenPages = false
  }

  static let url = "https://api.example.com/items"
  let convention: Convention
  private let state: Locked<State>

  init(_ rows: [Int], _ convention: Convention) {
    self.convention = convention
    state = Locked(State(rows: rows))
  }

  var rows: [Int] { state.withLock { $0.rows } }
  var requests: [URL] { state.withLock { $0.requests } }

  func onRequest(betweenPages: Bool = false, _ change: (@Sendable (inout [Int]) -> Void)?) {
    state.withLock { ($0.change, $0.changesBetweenPages) = (change, betweenPages) }
  }

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    let rows = state.withLock { state in
      let isNew = !state.changesBetweenPages || !state.requests.contains(request.url)
      if !state.requests.isEmpty, isNew { state.change?(&state.rows) }
      state.requests.append(request.url)
      return state.rows
    }
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    let answer = convention.answer(rows, query)
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers), body: Data(answer.body.utf8))
  }

  func feed(_ style: PagingStyle, query: String = "?limit=10", limit: Int = 10) throws -> Feed<Row>
  {
    guard let url = URL(string: Self.url + query) else { throw URLError(.badURL) }
    return Feed(
      try HTTPFeedSource<Row>(
        url, paging: style, configuration: HTTPConfiguration(transport: self)),
      configuration: FeedConfiguration(pageSize: limit))
  }
}

extension Feed {
  /// Loads gaps and the end until nothing more comes.
  func loadAll(pages: Int = 200) async {
    for _ in 0..<pages {
      if let gap = value.rows.lazy.compactMap(\.gap).first {
        if await load(gap).failure != nil { return }
      } else if await loadNext() != .idle {
        return
      }
    }
  }
}
