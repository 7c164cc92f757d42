import Freshet
import Foundation
import Testing

@testable import FreshetHTTP

/// When a counted page is taken to follow without a second look (T5), and what speaks of more (T8).
@Suite
struct PageOverlapProofTests {
  func rows(_ ids: [Int]) -> [Row] { ids.map(Row.init) }

  @Test(
    arguments: [
      (Array(1...10), Array(11...20), 50, 50, PageOverlapProof.Proof.follows),
      (Array(1...10), Array(11...20), nil, nil, .follows),
      (Array(1...10), Array(12...20), 50, 50, .open),
      (Array(1...10), Array(11...20), 50, 49, .open),
      (Array(1...10), Array(10...19), 50, 51, .repeats), (Array(1...10), [11], nil, nil, .follows),
      (Array(1...5), Array(6...10), 50, 50, .open),
      ((11...20).reversed(), (1...10).reversed(), nil, nil, .follows),
      // Neither a total nor the order of ids proves that nothing went between.
      ((11...20).reversed(), (1...9).reversed(), 50, 50, .open),
      (stride(from: 60, to: 30, by: -3).reversed(), [63, 66], 50, 50, .open),
      ([20, 19, 18, 17, 16, 15, 13, 12, 11], [10, 9, 8], 50, 50, .open),
      ((11...20).reversed(), [10, 9, 7], 50, 50, .open),
      ((11...20).reversed(), (1...9).reversed(), nil, nil, .open),
      ((11...20).reversed(), (1...9).reversed(), 50, 51, .open),
      (Array(1...10), [11, 13, 12], 50, 50, .open), (Array(1...10), [], 10, 10, .open),
      (Array((.max - 9)...Int.max), [.min, 0], 50, 50, .open),
    ] as [([Int], [Int], Int?, Int?, PageOverlapProof.Proof)])
  func `T5: pages that prove an overlap`(
    above: [Int], page: [Int], before: Int?, after: Int?, proof: PageOverlapProof.Proof
  ) {
    let overlap = PageOverlapProof(of: rows(above), count: above.count, total: before)
    #expect(overlap.proof(for: rows(page), total: after) == proof)
  }

  @Test
  func `T5: the list ended where a page was short`() {
    let first = PageOverlapProof(of: rows(Array(1...10)), count: 10, total: nil)
    let second = PageOverlapProof(of: rows([11, 12]), count: 2, total: nil, above: first)
    #expect(second.proof(for: rows([]), total: nil) == .follows)
    #expect(second.size == 10 && second.least == 2 && !second.isSkewed)
    #expect(PageOverlapProof(of: rows(Array(1...10)), count: 10, total: nil, above: first).isSkewed)
  }

  @Test(
    arguments: [
      ("{\"total\":5}", 5, 1, nil), ("{\"total\":6}", 5, 1, "/total = 6"),
      ("{\"total\":6}", nil, nil, nil),
      ("{\"metadata\":{\"count\":5}}", 5, 1, nil), ("{\"pages\":2}", 5, 1, "/pages = 2"),
      ("{\"pages\":2}", 10, 2, nil), ("{\"has_more\":true}", nil, nil, "/has_more = true"),
      ("{\"has_more\":false,\"next_cursor\":\"x\",\"total\":99}", 5, 1, nil),
      ("{\"truncated\":false,\"next_cursor\":\"x\"}", 5, 1, "/next_cursor"),
      ("{\"next_cursor\":\"\"}", 5, 1, nil), ("{\"next_page\":0}", 5, 1, nil),
      ("{\"nextPage\":2}", 5, 1, "/nextPage"), ("{\"next_update\":\"2026-01-01\"}", 5, 1, nil),
      ("{\"prev_cursor\":\"x\",\"previous\":\"y\"}", 5, 1, nil),
      ("{\"last\":false}", 5, 1, "/last = false"),
      ("{\"last\":\"https://a/?page=9\"}", 5, 1, nil),
      ("{\"@odata.count\":9}", 5, 1, "/@odata.count = 9"),
      ("{\"total_room_count_estimate\":9}", 5, 1, nil), ("{\"total_time\":9}", 5, 1, nil),
      ("{\"next\\u202e_page\":2}", 5, 1, "/next\\u{202E}_page"),
      ("{\"continuationToken\":\"x\"}", 5, 1, "/continuationToken"),
      ("{\"meta\":{\"pagination\":{\"total\":9}}}", 5, 1, "/meta/pagination/total = 9"),
      ("{\"start\":\"a\",\"end\":\"b\"}", 5, 1, "/end"), ("{\"end\":\"b\"}", 5, 1, nil),
      (
        "{\"links\":[{\"rel\":\"next\",\"href\":\"/x\",\"method\":\"POST\"}]}", 5, 1,
        "/links = true"
      ),
      ("{\"links\":[{\"rel\":\"self\",\"href\":\"/x\"},7]}", 5, 1, nil), ("[]", 5, 1, nil),
      ("{\"total\":\"many\",\"pages\":{},\"next\":null}", 5, 1, nil),
      ("{\"has_more\":1}", 5, 1, "/has_more = 1"),
      ("{\"has_more\":\"true\"}", 5, 1, "/has_more = true"),
      ("{\"more\":\"Y\"}", 5, 1, "/more = Y"),
      ("{\"has_more\":0,\"next_cursor\":\"x\"}", 5, 1, nil),
      ("{\"remaining\":1950}", 5, 1, "/remaining = 1950"),
      ("{\"remaining\":0}", 5, 1, nil),
      ("{\"metadata\":{\"remainingItemCount\":9}}", 5, 1, "/metadata/remainingItemCount = 9"),
      ("{\"complete\":false}", 5, 1, "/complete = false"),
      ("{\"complete\":true,\"next_cursor\":\"x\"}", 5, 1, "/next_cursor"),
      ("{\"end\":false}", 5, 1, "/end = false"),
      ("{\"last\":1}", 5, 1, nil),
      ("{\"last\":0}", 5, 1, nil),
      ("{\"isLast\":0}", 5, 1, "/isLast = 0"),
      ("{\"bookmark\":\"x\"}", 5, 1, "/bookmark"),
      ("{\"marker\":\"x\"}", 5, 1, "/marker"),
      ("{\"pageToken\":\"x\"}", 5, 1, "/pageToken"),
      ("{\"ResumptionToken\":\"x\"}", 5, 1, "/ResumptionToken"),
      (
        "{\"next_page\":{\"offset\":\"x\",\"path\":\"/p\",\"uri\":\"https://a/p\"}}", 5, 1,
        "/next_page"
      ),
      ("{\"hydra:totalItems\":9}", 5, 1, "/hydra:totalItems = 9"),
      ("{\"hydra:view\":{\"hydra:next\":\"/x?page=2\"}}", 5, 1, "/hydra:view/hydra:next"),
      ("{\"result\":{\"cursor\":{\"after\":\"x\"}}}", 5, 1, "/result/cursor/after"),
      (
        "{\"properties\":{\"exceededTransferLimit\":true}}", 5, 1,
        "/properties/exceededTransferLimit = true"
      ),
      ("{\"incomplete_results\":true}", 5, 1, "/incomplete_results = true"),
      ("{\"incomplete_results\":false,\"next\":\"x\"}", 5, 1, "/next"),
      ("{\"paging\":{\"next\":{\"after\":\"x\"}}}", 5, 1, "/paging/next/after"),
      (
        "{\"total\":99999999999999999999999999999999999999999999}", 5, 1,
        "/total = a number of more than 38 digits"
      ),
      ("{\"total\":99999999999999999999}", 5, 1, "/total = 99999999999999999999"),
      ("{\"total\":1e30}", 5, 1, "/total = 1000000000000000000000000000000"),
      ("{\"total\":\"9223372036854775808\"}", 5, 1, "/total = 9223372036854775808"),
    ] as [(String, Int?, Int?, String?)])
  func `T8: what speaks of more rows`(
    body: String, position: Int?, page: Int?, seen: String?
  ) throws {
    let json =
      body.hasPrefix("{")
      ? body.dropLast() + (body == "{}" ? "" : ",") + "\"items\":[]}" : body[...]
    let envelope = try Envelope<Row>.read(
      Data(json.utf8), PagingStyle.Kind.automatic.reading(items: nil, skipsInvalid: false),
      with: JSONDecoder())
    #expect(MorePagesEvidence(in: envelope.signals, position: position, page: page)?.seen == seen)
  }

  @Test(arguments: [
    ("?page=2", "", "page"), ("?page=3&size=10", "?page=2&size=10", "page"),
    ("?offset=10&limit=10", "", "offset"), ("?cursor=12", "", nil), ("?page=2&cursor=x", "", nil),
    ("?page=abc", "", nil), ("?_next=100", "", nil), ("?since=5&page=2", "?since=5", "page"),
    ("?page%5Bnumber%5D=2", "", "page[number]"), ("?after=x", "?page=2", nil),
    ("?page=2", "?page=2", nil),
    ("/page/2", "", "page"), ("/7", "", nil),
  ])
  func `T5: names that count`(link: String, url: String, parameter: String?) throws {
    let base = "https://a.example/items"
    let (link, url) = (
      try #require(URL(string: base + link)), try #require(URL(string: base + url))
    )
    #expect(CountingLink.parameter(of: link, from: url) == parameter)
  }

  @Test(arguments: [
    // By pages and by rows, from the first link on and from the second, whatever it is called.
    ("?p=2", "", 50, "p"), ("?p=1", "", 50, "p"), ("?p=3", "?p=2", 50, "p"),
    ("?b_start=50", "", 50, "b_start"), ("?b_start=100", "?b_start=50", 50, "b_start"),
    ("?from=51", "", 50, "from"), ("?x=25&num=25", "?x=0&num=25", 25, "x"),
    ("?x=100&limit=50", "?x=50&limit=50", 47, "x"), ("?x=60", "?x=40", 18, "x"),
    ("?x=20", "", 18, "x"), ("?x=61", "?x=41", 18, "x"),
    ("?_getpages=a1&o=25", "?_getpages=a1", 25, "o"),
    ("/50", "/25", 25, "the path"), ("/2?a=b", "/1?a=b", 25, "the path"),
    // Ids go up by other amounts, or down; a token moves.
    ("?max_id=1901", "", 100, nil), ("?max_id=1801", "?max_id=1901", 100, nil),
    ("?since=171", "?since=120", 20, nil), ("?since=93412", "", 20, nil),
    ("?b_start=50&t=b", "?b_start=25&t=a", 25, nil), ("?x=50&cursor=q", "?x=25", 25, nil),
    ("?limit=50", "", 50, nil), ("?x=99999999999999999999", "?x=1", 50, nil),
    ("?x=5", "?x=5", 5, nil), ("/50/b", "/25/a", 25, nil), ("/a", "/25", 25, nil),
  ])
  func `T5: links that count by arithmetic`(
    link: String, url: String, rows: Int, parameter: String?
  ) throws {
    let base = "https://a.example/items"
    let (link, url) = (
      try #require(URL(string: base + link)), try #require(URL(string: base + url))
    )
    #expect(CountingLink.parameter(of: link, from: url, rows: rows) == parameter)
  }

  @Test(arguments: [
    ("?max_id=2", 2, nil), ("?_next=2", 2, nil), ("?after=2", 2, nil), ("?p=2", 2, "p"),
    ("?max_id=2", 7, "max_id"),
  ])
  func `T5: where a count may be the last row's id, the name decides`(
    link: String, lastID: Int, parameter: String?
  ) throws {
    let url = try #require(URL(string: "https://a.example/items"))
    let next = try #require(URL(string: link, relativeTo: url)?.absoluteURL)
    #expect(CountingLink.parameter(of: next, from: url, rows: 2, lastID: lastID) == parameter)
  }

  @Test
  func `keys that earlier versions stored lead on or are stale, and no key is a crash`()
    async throws
  {
    let server = PagedServer(Array(1...30), .fastAPI)
    let base = try #require(URL(string: PagedServer.url))
    let source = try HTTPFeedSource<Row>(
      base, paging: .page(size: "size"), configuration: HTTPConfiguration(transport: server))
    let old = try JSONDecoder().decode(
      HTTPPageKey.self, from: Data(#"{"page":{"_0":{"number":2,"above":7}}}"#.utf8))
    let page = try await source.page(PageRequest(key: old, limit: 10))
    #expect(page.items.contains { $0.id == 11 })
    let overlap = PageOverlapProof(rows: 1)
    let keys: [HTTPPageKey] = [
      .url("https://a.example"), .url(""), .cursor("x"),
      .offset(OffsetKey(offset: -1, pageSize: .max)),
      .page(NumberedKey(number: .max)), .page(NumberedKey(number: .min)),
      .counted(PageNumberKey(page: "-1", above: "", overlap: overlap)),
      .counted(PageNumberKey(page: "9223372036854775807", above: "\u{0}", overlap: overlap)),
    ]
    let styles: [PagingStyle] = [
      .page(), .offset(), .single, .lastItem(id: "/id", parameter: "x"), .automatic, .linkHeader,
    ]
    for style in styles {
      let source = try HTTPFeedSource<Row>(
        base, paging: style, configuration: HTTPConfiguration(transport: server))
      for key in keys { _ = try? await source.page(PageRequest(key: key, limit: .max)) }
    }
    await #expect(throws: FeedError.self) {
      _ = try await source.page(PageRequest(key: .cursor("x"), limit: 1))
    }
  }

  @Test(arguments: ["7", "\"7\"", "12345678901234567890123456789012345"])
  func `a last row's id goes back with all its digits`(id: String) async throws {
    let transport = StubTransport([
      PagedServer.url: .init(body: "{\"data\":[{\"id\":1,\"key\":\(id)}],\"has_more\":true}")
    ])
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: PagedServer.url)),
      paging: .lastItem(id: "/key", parameter: "starting_after", hasMore: "/has_more"),
      configuration: HTTPConfiguration(transport: transport))
    let page = try await source.page(PageRequest())
    #expect(page.next == .cursor(id.filter { $0 != "\"" }))
  }

  @Test
  func `an item that does not decode is left out where that is allowed, and counted`() async throws
  {
    let transport = StubTransport([
      PagedServer.url: .init(body: #"{"nextUrl":null,"my_rows":[{"id":1},{"id":"x"},{"id":3}]}"#)
    ])
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: PagedServer.url)), items: "/my_rows",
        configuration: HTTPConfiguration(invalidItems: .skipInvalid, transport: transport),
        decoder: {
          let decoder = JSONDecoder()
          decoder.keyDecodingStrategy = .convertFromSnakeCase
          return decoder
        }))
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == [1, 3] && feed.value.diagnostics.invalidItems == 1)
  }

  @Test
  func `T7: a total that is another each time is no reason to go on looking`() async throws {
    let url = try #require(URL(string: PagedServer.url))
    let asked = Locked(0)
    func answer(_ ids: [Int]) -> PageAnswer<Row> {
      var answer = PageAnswer<Row>(HTTPResponse(status: 200), url: url, answered: url)
      (answer.items, answer.rowCount) = (rows(ids), ids.count)
      let total = asked.withLock { asked in
        asked += 1
        return 10_000 + asked * 7
      }
      answer.signals = [PaginationSignal(.total, at: "/total", .number("\(total)"))]
      return answer
    }
    let read = try await VerifiedPage.read(
      behind: answer([10, 7]).overlap(above: nil), page: { answer([4, 1]) },
      above: { answer([10, 7]) })
    #expect(!read.isHeldBack && read.page(nil, previous: nil).items.map(\.id) == [10, 7, 4, 1])
    #expect(asked.withLock { $0 } == 5)
  }

  @Test
  func `T5: rows above that are what they were prove nothing where the total is another`()
    async throws
  {
    let url = try #require(URL(string: PagedServer.url))
    func answer(_ ids: [Int], total: Int) -> PageAnswer<Row> {
      var answer = PageAnswer<Row>(HTTPResponse(status: 200), url: url, answered: url)
      answer.items = ids.map { Row(id: $0) }
      answer.rowCount = ids.count
      answer.signals = [PaginationSignal(.total, at: "/total", .number("\(total)"))]
      return answer
    }
    // A row went far above, which pulled 4 out of the page; then one came above and one went below.
    let pages = Script([answer([1], total: 4), answer([4, 1], total: 4)])
    let above = Script([answer([10, 7], total: 4), answer([10, 7], total: 4)])
    let read = try await VerifiedPage.read(
      behind: answer([10, 7], total: 5).overlap(above: nil), page: { pages.next() },
      above: { try #require(above.next()) })
    #expect(read.page(nil, previous: nil).items.map(\.id) == [10, 7, 4, 1])
  }
}

/// Answers one after the other.
private final class Script<Answer: Sendable>: Sendable {
  private let answers: Locked<[Answer]>

  init(_ answers: [Answer]) { self.answers = Locked(answers.reversed()) }

  func next() -> Answer? { answers.withLock { $0.popLast() } }
}
