import Foundation
import Freshet
import Testing

@testable import FreshetHTTP

/// Answers that are no page, or too large for one.
@Suite
struct UnusableAnswerTests {
  @Test(arguments: [PagingStyle.automatic, .single, .nextURL("/next"), .linkHeader])
  func `no content is no list, and rows stay`(style: PagingStyle) async throws {
    await #expect(throws: FeedError.self) { try await StubTransport.page("", style, status: 204) }
    #expect(try await StubTransport.page("", style.trusted, status: 204).items.isEmpty)
  }

  @Test(arguments: [#""http://[a""#, "7", "{}", "[]", "true"])
  func `the rows show where the next link cannot be read`(next: String) async throws {
    let page = try await StubTransport.page(
      "{\"items\":[{\"id\":1}],\"next\":\(next)}", .nextURL("/next"))
    #expect(page.items.map(\.id) == [1] && page.next == nil)
    guard case .decoding? = page.unread else {
      Issue.record("\(String(describing: page.unread))")
      return
    }
  }

  @Test(arguments: [
    #"{"links":[],"#, #"{"link":[],"#, #"{"meta":{"links":[]},"#,
  ])
  func `N4: an answer of a million links is refused`(body: String) async throws {
    let links = Array(repeating: "{}", count: 10_001).joined(separator: ",")
    let many = body.replacing("[]", with: "[\(links)]") + #""items":[{"id":1}]}"#
    await #expect(throws: FeedError.self) { try await StubTransport.page(many, .automatic) }
    await #expect(throws: FeedError.self) { try await StubTransport.page(many, .links()) }
  }

  @Test
  func `N4: an answer of too many members is refused`() async throws {
    let members = (0...10_000).map { "\"m\($0)\":1" }.joined(separator: ",")
    await #expect(throws: FeedError.self) {
      try await StubTransport.page("{\(members),\"items\":[{\"id\":1}]}", .automatic)
    }
  }

  @Test
  func `N4: an answer of too many rows is refused before one is decoded`() async throws {
    let url = try #require(URL(string: PagedServer.url))
    let body = "[" + Array(repeating: #"{"id":1}"#, count: 50_001).joined(separator: ",") + "]"
    let source = try HTTPFeedSource<CountedRow>(
      url,
      configuration: HTTPConfiguration(
        transport: StubTransport([PagedServer.url: .init(body: body)]))
    )
    CountedRow.decoded.withLock { $0 = 0 }
    await #expect(throws: FeedError.self) { try await source.page(PageRequest()) }
    #expect(CountedRow.decoded.withLock { $0 } == 0)
    // Who asks for as many gets them.
    #expect(try await source.page(PageRequest(limit: 60_000)).items.count == 50_001)
    #expect(CountedRow.decoded.withLock { $0 } == 50_001)
  }
}

/// A row that counts how often one is decoded.
private struct CountedRow: ListItem, Decodable {
  static let decoded = Locked(0)
  let id: Int

  private enum CodingKeys: CodingKey { case id }

  init(from decoder: any Decoder) throws {
    Self.decoded.withLock { $0 += 1 }
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
  }
}
