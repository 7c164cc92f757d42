import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

/// T6: lists that became shorter, of servers that have no page after the last one.
@Suite(.timeLimit(.minutes(5)))
struct ShrunkListTests {
  @Test(
    arguments: [PagingStyle.offset("offset", limit: "limit"), .page("page", size: "limit")],
    [404, 422])
  func `T6: a list whose last pages are gone ends where it ends now`(
    style: PagingStyle, status: Int
  ) async throws {
    let count = Locked(300)
    let transport = FunctionTransport { request in
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      func number(_ name: String) -> Int? {
        items.first { $0.name == name }?.value.flatMap { Int($0) }
      }
      let count = count.withLock { $0 }
      let limit = number("limit") ?? 10
      let start = number("offset") ?? ((number("page") ?? 1) - 1) * limit
      if start >= count { return .text(status, [:], "{}") }
      let rows = (start..<min(count, start + limit)).map { "{\"id\":\($0)}" }
      return .text(200, ["X-Total-Count": "\(count)"], "[\(rows.joined(separator: ","))]")
    }
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), paging: style,
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)),
      configuration: FeedConfiguration(pageSize: 10, retryPolicy: .never))
    await feed.refresh()
    for _ in 0..<5 { await feed.loadNext() }
    #expect(feed.value.items.count > 50)
    count.withLock { $0 = 20 }
    #expect(await feed.loadNext() == .end)
    await feed.refresh(.all)
    #expect(feed.value.items.map(\.id) == Array(0..<20))
    // A jump to rows that are gone is no failure.
    count.withLock { $0 = 300 }
    await feed.refresh()
    count.withLock { $0 = 20 }
    #expect(await feed.load(rowAt: 250).failure == nil)
  }
}
