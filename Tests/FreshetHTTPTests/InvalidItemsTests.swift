import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite(.timeLimit(.minutes(5)))
struct InvalidItemsTests {
  func source(
    _ body: String, _ invalidItems: HTTPConfiguration.InvalidItems,
    _ paging: PagingStyle = .automatic
  ) throws -> HTTPFeedSource<Commit> {
    try HTTPFeedSource<Commit>(
      try #require(URL(string: "https://a.example/")), paging: paging,
      configuration: HTTPConfiguration(
        invalidItems: invalidItems, rateLimiter: RateLimiter(),
        transport: FunctionTransport { _ in .text(200, [:], body) }))
  }

  static let body = #"{"items":[{"id":1},{"id":"x"},null,{"id":2},{},7,{"id":1e400},{"id":3}]}"#

  @Test
  func `bad rows are left out, counted, and the first one is named`() async throws {
    let feed = Feed(try source(Self.body, .skipInvalid))
    #expect(await feed.refresh() == .idle)
    #expect(feed.value.items.map(\.id) == [1, 2, 3])
    #expect(feed.value.diagnostics.invalidItems == 5)
    guard case .decoding("/items/1/id", _, _, _)? = feed.value.diagnostics.invalidItem else {
      Issue.record("\(feed.value.diagnostics)")
      return
    }
  }

  @Test
  func `a bad row fails its page unless it is to be left out`() async throws {
    let feed = Feed(try source(Self.body, .failPage))
    guard case .decoding("/items/1/id", _, _, _)? = await feed.refresh().failure else {
      Issue.record("\(feed.value.state)")
      return
    }
    #expect(feed.value.diagnostics.invalidItems == 0)
  }

  @Test(arguments: [PagingStyle.offset(limit: nil), .page(size: nil)])
  func `where rows are counted, those left out count`(paging: PagingStyle) async throws {
    let page = try await source(Self.body, .skipInvalid, paging).page(PageRequest(limit: 8))
    #expect(page.items.map(\.id) == [1, 2, 3] && page.invalidItems == 5)
    guard case .offset(let key)? = page.next?.kind else {
      return #expect(paging != .offset(limit: nil))
    }
    #expect(key.offset == 7)
  }

  @Test
  func `rows that are no list are an error whatever is left out`() async throws {
    for body in [#"{"items":7}"#, #"{"items":{"id":1}}"#, "7", "null"] {
      #expect(await Feed(try source(body, .skipInvalid)).refresh().failure != nil, "\(body)")
    }
  }

  @Test
  func `T8, N2: sources that share a decoder do not read by each other's places`() async {
    let decoder = JSONDecoder()
    let rows = (0..<200).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let body = Data(#"{"data":{"a":[\#(rows)],"b":[{"id":-1}]},"nxt":"/2","more":true}"#.utf8)
    await withTaskGroup(of: Void.self) { group in
      for isFirst in [true, false, true, false] {
        group.addTask {
          let reading = BodyReadingOptions(
            items: isFirst ? "/data/a" : "/data/b", members: [isFirst ? "/nxt" : "/more"])
          for _ in 0..<100 {
            let page = try? Envelope<Commit>.read(body, reading, with: decoder)
            #expect(page?.items.count == (isFirst ? 200 : 1))
            #expect(page?.members.keys.first == reading.members.first)
          }
        }
      }
    }
  }
}
