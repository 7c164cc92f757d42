import Foundation
import FreshetHTTP
import FreshetTesting
import Testing

@testable import Freshet

/// Conventions of an app's own.
@Suite(.timeLimit(.minutes(5)))
struct CustomPagingTests {
  /// The requests that were sent.
  private final class Sent: Sendable {
    let requests = Locked<[HTTPRequest]>([])
  }

  private let sent = Sent()

  /// A feed of five rows in pages of two, of which a function says what leads on.
  private func feed(
    _ style: PagingStyle, credentials: HTTPCredentials = .none,
    _ page: @escaping @Sendable (_ since: Int) -> String
  ) throws -> Feed<Row> {
    let transport = FunctionTransport { [sent] request in
      sent.requests.withLock { $0.append(request) }
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      let since = items.first { $0.name == "since" }?.value.flatMap { Int($0) } ?? 0
      return .text(200, [:], page(since))
    }
    return Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: style, credentials: credentials,
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(pageSize: 2, retryPolicy: .never))
  }

  private static func rows(_ start: Int) -> String {
    let ids = (min(start, 5)..<5).prefix(2).map { "{\"id\":\($0)}" }
    return "[\(ids.joined(separator: ","))]"
  }

  private static let windows = PagingStyle.custom("windows", reading: ["/meta/until"]) { answer in
    answer.text(at: "/meta/until").map { "?since=\($0)" }
  }

  @Test
  func `a closure leads from page to page, with credentials, to the end`() async throws {
    let feed = try feed(Self.windows, credentials: .bearer("s3cret")) { since in
      let until = since + 2 < 5 ? "\"a\(since + 2)\"" : "null"
      return "{\"items\":\(Self.rows(since)),\"meta\":{\"until\":\(until)}}"
        .replacingOccurrences(of: "\"a", with: "\"")
    }
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.items.map(\.id) == Array(0..<5) && feed.value.state.next == .end)
    let requests = sent.requests.withLock { $0 }
    #expect(requests.count >= 3)
    #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer s3cret" })
  }

  @Test
  func `T8: an answer that speaks of more rows is not the end`() async throws {
    let feed = try feed(.custom("nothing") { _ in nil }) { _ in
      "{\"items\":\(Self.rows(0)),\"total\":5}"
    }
    await feed.refresh()
    guard case .failed(.unreadPages) = feed.value.state.next else {
      Issue.record("\(feed.value.state.next)")
      return
    }
    #expect(feed.value.items.count == 2)
  }

  private struct Unknown: Error, Equatable {}

  @Test
  func `an error of the closure fails the edge, and the rows are shown`() async throws {
    let feed = try feed(.custom("broken") { _ in throw Unknown() }) { _ in
      "{\"items\":\(Self.rows(0))}"
    }
    await feed.refresh()
    #expect(feed.value.items.count == 2 && feed.value.state.next == .failed(.source(Unknown())))
  }

  @Test
  func `styles of one name and with the same places are equal`() {
    let other = PagingStyle.custom("windows", reading: ["/meta/until"]) { _ in nil }
    #expect(other == Self.windows && Set([other, Self.windows]).count == 1)
    #expect(PagingStyle.custom("others") { _ in nil } != Self.windows)
  }
}
