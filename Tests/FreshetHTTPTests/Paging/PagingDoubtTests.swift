import Foundation
import Freshet
import Testing

@testable import FreshetHTTP

/// T7 and T8 where servers say one thing and do another: no loop, no end without evidence.
@Suite(.timeLimit(.minutes(5)))
struct PagingDoubtTests {
  typealias Answer = Convention.Answer

  /// What a feed shows when all was loaded that can be, asked three times more.
  private func load(
    _ style: PagingStyle, query: String = "", limit: Int = 10,
    invalid: HTTPConfiguration.InvalidItems = .failPage,
    _ answer: @escaping @Sendable ([String: String]) -> Answer
  ) async throws -> (ids: [Int], next: LoadState, requests: Int) {
    let server = Answers(answer)
    let url = try #require(URL(string: PagedServer.url + query))
    let feed = Feed(
      try HTTPFeedSource<Row>(
        url, paging: style,
        configuration: HTTPConfiguration(invalidItems: invalid, transport: server)),
      configuration: FeedConfiguration(pageSize: limit))
    await feed.refresh()
    await feed.loadAll(pages: 30)
    return (feed.value.items.map(\.id), feed.value.state.next, server.count)
  }

  private static func list(_ ids: some Sequence<Int>) -> String {
    "[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
  }

  @Test(arguments: [
    ("\"has_more\":true", 2, 1), ("\"pages\":9", 2, 1), ("\"last\":false", 2, 1),
    ("\"total\":500", 50, 10), ("\"has_more\":true", 20, 7),
  ])
  func `T7: a short last page with an empty one behind it that speaks of more is an error`(
    signal: String, size: Int, last: Int
  ) async throws {
    let rows = Array(1...(2 * size + last))
    let read = try await load(.page(), limit: size) { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      let ids = rows.dropFirst((page - 1) * size).prefix(size)
      return Answer(body: "{\"items\":\(Self.list(ids)),\(signal)}")
    }
    #expect(read.ids == rows && read.requests < 12)
    guard case .unreadPages? = read.next.failure else {
      Issue.record("\(read.next)")
      return
    }
  }

  @Test(arguments: [PagingStyle.offset(), .cursor(at: "/next", parameter: "offset")])
  func `T7: so is an empty page behind an offset or a token`(style: PagingStyle) async throws {
    let read = try await load(style) { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      let (ids, next) = offset == 0 ? (Array(1...10), "\"9\"") : ([], "null")
      return Answer(
        body: "{\"items\":\(Self.list(ids)),\"next\":\(next),\"has_more\":true,\"total\":50}")
    }
    #expect(read.ids == Array(1...10) && read.next.failure != nil && read.requests < 8)
  }

  @Test(arguments: [
    // A refusal is the end where the total is reached; a page that is not there, unless more is
    // told.
    (422, "\"total\":5000", false), (404, "\"total\":5000", false), (422, "\"x\":1", false),
    (404, "\"x\":1", true), (204, "\"total\":5000", false), (204, "\"x\":1", true),
    (204, "\"has_more\":true", false),
  ])
  func `T8: a page that is refused is no end`(
    status: Int, signal: String, isEnd: Bool
  ) async throws {
    for style in [PagingStyle.offset(), .page()] {
      let read = try await load(style) { query in
        let page = query["page"].flatMap { Int($0) } ?? 1
        let offset = query["offset"].flatMap { Int($0) } ?? (page - 1) * 10
        if offset >= (query["offset"] == nil ? 20 : 19) { return Answer(status: status) }
        let ids = (1...5000).dropFirst(offset).prefix(10)
        return Answer(body: "{\"items\":\(Self.list(ids)),\(signal)}")
      }
      #expect(read.ids == Array(1...read.ids.count) && read.ids.count >= 19)
      #expect((read.next == .end) == isEnd, "\(style.kind): \(read.next)")
      if !isEnd {
        guard case .unreadPages? = read.next.failure else {
          Issue.record("\(style.kind): \(read.next)")
          continue
        }
      }
      #expect(read.requests < 12)
    }
  }

  @Test(arguments: [
    "access_token=abc", "created_after=2024-01-01", "from=2024", "first=50", "page=1",
    "X-Amz-Security-Token=x", "start=3000", "offset=0", "page=2&per_page=50",
  ])
  func `T8: the user's own URL is no reason to pass over a total`(query: String) async throws {
    let read = try await load(.automatic, query: "?" + query) { _ in
      Answer(body: "{\"total\":2000,\"items\":\(Self.list(1...50))}")
    }
    #expect(read.ids.count == 50 && read.next.failure != nil)
  }

  @Test
  func `a URL of the last page is the end`() async throws {
    for query in ["?page=40&per_page=50", "?offset=1950"] {
      let read = try await load(.automatic, query: query) { _ in
        Answer(body: "{\"total\":2000,\"items\":\(Self.list(1...50))}")
      }
      #expect(read.next == .end)
    }
  }

  @Test(arguments: [("total_count", 5000, false), ("count", 115, false), ("total", 110, true)])
  func `T8: links that count reach the total or fail`(
    name: String, total: Int, isEnd: Bool
  ) async throws {
    let read = try await load(.nextURL("/next")) { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      let ids = (1...110).dropFirst((page - 1) * 50).prefix(50)
      let next = page < 3 ? "\"?page=\(page + 1)\"" : "null"
      return Answer(
        body: "{\"items\":\(Self.list(ids)),\"next\":\(next),\"\(name)\":\(total)}")
    }
    #expect(read.ids == Array(1...110) && (read.next == .end) == isEnd, "\(read.next)")
  }

  @Test
  func `T8: a total that the pages by number do not reach is an error`() async throws {
    let read = try await load(.page(), limit: 50) { query in
      let page = query["page"].flatMap { Int($0) } ?? 1
      let ids = (1...230).dropFirst((page - 1) * 50).prefix(50)
      return Answer(body: "{\"items\":\(Self.list(ids)),\"total\":235}")
    }
    #expect(read.ids == Array(1...230) && read.next.failure != nil && read.requests < 12)
  }

  @Test
  func `T5: a row that cannot be read may stand where pages by offset overlap`() async throws {
    let read = try await load(.offset(), invalid: .skipInvalid) { query in
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      let rows = (1...35).dropFirst(offset).prefix(10)
        .map { $0 == 10 || $0 == 9 || $0 == 35 ? "{\"id\":\"x\"}" : "{\"id\":\($0)}" }
      return Answer(body: "[\(rows.joined(separator: ","))]")
    }
    #expect(read.ids == (1...34).filter { $0 != 9 && $0 != 10 } && read.next == .end)
  }

  @Test(arguments: [
    PagingStyle.cursor(at: "/nxt", parameter: "c"), .nextURL("/nxt"), .nextURL("/a/nxt"),
    .lastItem(id: "/id", parameter: "c", hasMore: "/more"),
  ])
  func `T8: a pointer into an array is an error`(style: PagingStyle) async throws {
    let read = try await load(style) { _ in Answer(body: Self.list(1...100)) }
    #expect(read.ids.count == 100 && read.next.failure != nil)
  }

  @Test(arguments: [(200, ["X-Has-More": "true"], "X-Has-More"), (206, [:], "status 206")])
  func `T8: header fields and the status speak of more`(
    status: Int, headers: [String: String], seen: String
  ) async throws {
    let read = try await load(.automatic) { _ in
      Answer(status: status, headers: headers, body: Self.list(1...10))
    }
    guard case .unreadPages(let words, _, _)? = read.next.failure else {
      Issue.record("\(read.next)")
      return
    }
    #expect(words.contains(seen))
  }

  @Test(arguments: [
    (#""page":0,"pages":4,"size":10"#, "page:page:0:size"),
    (#""number":0,"totalPages":4,"size":10"#, "page:page:0:size"),
    (#""paging":{"next":{"after":"x"}}"#, "cursor:/paging/next/after:after"),
    (#""nextPageStart":10,"isLastPage":false"#, "cursor:/nextPageStart:start"),
    (#""next":{"page":2}"#, "cursor:/next/NAME:NAME"),
    (#""nextToken":"x""#, "cursor:/nextToken:nextToken"),
    (#""next_token":"x""#, "cursor:/next_token:from"), (#""next":50"#, "offset:offset:limit"),
    (#""next":2"#, "page:page:1:per_page"),
  ])
  func `T8: advice names what the server takes`(signal: String, advice: String) async throws {
    let read = try await load(.single) { _ in
      Answer(body: "{\"items\":\(Self.list(1...10)),\(signal)}")
    }
    guard case .unreadPages(_, let words, _)? = read.next.failure else {
      Issue.record("\(read.next)")
      return
    }
    #expect(words.contains("--paging \(advice)"), "\(words)")
  }

  @Test
  func `one diagnosis reads the same each time`() throws {
    let names = (0..<20).map { "m\($0)" }.shuffled()
    let body = "{\"items\":[],\(names.map { "\"\($0)\":1" }.joined(separator: ","))}"
    let envelope = try Envelope<Row>.read(
      Data(body.utf8), PagingStyle.Kind.automatic.reading(items: nil, skipsInvalid: false),
      with: JSONDecoder())
    #expect(envelope.memberNames == envelope.memberNames.sorted())
  }
}

/// Answers by the query.
private final class Answers: HTTPTransport {
  private let answer: @Sendable ([String: String]) -> Convention.Answer
  private let asked = Locked(0)

  init(_ answer: @escaping @Sendable ([String: String]) -> Convention.Answer) {
    self.answer = answer
  }

  var count: Int { asked.withLock { $0 } }

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    asked.withLock { $0 += 1 }
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let answer = answer(Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 })
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers), body: Data(answer.body.utf8))
  }
}
