import Foundation
import Freshet
import FreshetHTTP
import Testing

/// Page keys that an app makes to start a list at a page of its choice.
@Suite
struct HTTPPageKeyTests {
  @Test(arguments: [
    (Convention.bareArray, PagingStyle.page(size: "size"), HTTPPageKey.page(3), 21...30),
    (.bareOffsets, .offset(limit: "limit"), .offset(20, pageSize: 10), 21...30),
    (.stripe, .lastItem(id: "/id", parameter: "starting_after"), .cursor("20"), 21...30),
    (
      .linkHeaderPages, .linkHeader, .url("\(PagedServer.url)?page=3&per_page=10"), 21...30
    ),
  ])
  func `a feed starts at the page that a key names, and continues from it`(
    convention: Convention, style: PagingStyle, start: HTTPPageKey, ids: ClosedRange<Int>
  ) async throws {
    let server = PagedServer(Array(1...45), convention)
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: PagedServer.url)), paging: style,
      items: convention == .stripe ? "/data" : nil,
      configuration: HTTPConfiguration(transport: server))
    let feed = Feed(
      source, startingAt: start, configuration: FeedConfiguration(pageSize: 10))
    #expect(await feed.loadNext().failure == nil)
    #expect(feed.value.items.map(\.id) == Array(ids))
    #expect(await feed.loadNext().failure == nil)
    // Pages by offset repeat a row, which proves that they follow.
    let all = feed.value.items.map(\.id)
    #expect(all == Array(21..<(21 + all.count)) && all.count > 18)
    let stored = try JSONEncoder().encode(start)
    #expect(try JSONDecoder().decode(HTTPPageKey.self, from: stored) == start)
  }
}
