import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

/// T5 over HTTP: rows come and go between pages, and none is missing or doubled.
@Suite(.timeLimit(.minutes(5)))
struct PagingHistoryTests {
  /// How ids run, and with it where rows come.
  enum Order: CaseIterable, Sendable {
    case ascending, descending, mixed
  }

  static let counted: [(Convention, PagingStyle)] = [
    (.fastAPI, .page(size: "size")), (.bareArray, .page(size: "limit")),
    (.restFrameworkPages, .nextURL("/next")), (.restFrameworkPages, .page(size: "limit")),
    (.linkHeaderPages, .automatic), (.restFrameworkOffset, .automatic),
    (.gitLab, .nextHeader("X-Next-Page", parameter: "page")), (.numbers, .offset()),
    (.bareOffsets, .offset()), (.jsonAPIPages, .links()), (.plone, .nextURL("/batching/next")),
  ]
  static let stable: [(Convention, PagingStyle)] = [
    (.slack, .cursor(at: "/response_metadata/next_cursor", parameter: "cursor")),
    (.stripe, .lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")),
    (.ogc, .links()), (.linkHeader, .linkHeader), (.kinto, .automatic),
  ]

  @Test(arguments: counted, Order.allCases)
  func `T5: counted pages lose and double no row`(
    _ pair: (Convention, PagingStyle), order: Order
  ) async throws {
    for seed in SeededGenerator.seeds(12) { try await run(pair, order, seed) }
  }

  @Test(arguments: stable, [Order.ascending, .descending])
  func `T5: pages behind a row or a token lose and double no row`(
    _ pair: (Convention, PagingStyle), order: Order
  ) async throws {
    for seed in SeededGenerator.seeds(12) { try await run(pair, order, seed) }
  }

  private func run(
    _ pair: (Convention, PagingStyle), _ order: Order, _ seed: Int
  ) async throws {
    var random = SeededGenerator(seed: seed)
    var rows = Array(1...Int.random(in: 30...90, using: &random))
    // Numbers with holes, as tables have them.
    if seed % 2 == 0 { rows = rows.filter { _ in Int.random(in: 0..<4, using: &random) > 0 } }
    switch order {
    case .ascending: break
    case .descending: rows.reverse()
    case .mixed: rows.shuffle(using: &random)
    }
    let server = PagedServer(rows, pair.0)
    let state = Locked((random: random, newest: 1000, gone: Set<Int>()))
    // Without a total, what undoes itself while a boundary is being proven is not seen.
    let hasTotal = ![.bareArray, .linkHeaderPages, .plone].contains(pair.0)
    server.onRequest(betweenPages: !hasTotal) { rows in
      state.withLock { state in
        for _ in 0..<Int.random(in: 0...2, using: &state.random) {
          if Bool.random(using: &state.random) {
            state.newest += 1
            let anywhere = Int.random(in: 0...rows.count, using: &state.random)
            let place =
              switch order {
              case .ascending: rows.count
              case .descending: 0
              case .mixed: anywhere
              }
            rows.insert(state.newest, at: place)
          } else if let index = rows.indices.randomElement(using: &state.random) {
            state.gone.insert(rows.remove(at: index))
          }
        }
      }
    }
    let feed = try server.feed(pair.1, query: "")
    await feed.refresh()
    await feed.loadAll()
    let ids = feed.value.items.map(\.id)
    let gone = state.withLock { $0.gone }
    let note = Comment(rawValue: "\(pair.0), \(order), seed \(seed): \(feed.value.state)")
    #expect(feed.value.state.next == .end, note)
    #expect(Set(ids).count == ids.count, note)
    let always = rows.filter { !gone.contains($0) }
    #expect(ids.filter(Set(always).contains) == always, note)
    server.onRequest(nil)
    await feed.refresh(.all)
    await feed.loadAll()
    #expect(feed.value.items.map(\.id) == server.rows, note)
  }

  @Test(arguments: [
    // Numbers one by one, up or down, prove each boundary; a total tells the end.
    (Convention.fastAPI, PagingStyle.page(size: "size"), Order.ascending, 1, 20),
    (.fastAPI, .page(size: "size"), .descending, 1, 20),
    (.restFrameworkPages, .page(size: "limit"), .ascending, 1, 20),
    (.restFrameworkPages, .nextURL("/next"), .ascending, 1, 20),
    (.linkHeaderPages, .linkHeader, .descending, 1, 20), (.laravel, .automatic, .ascending, 1, 20),
    // Nothing proves a boundary among mixed ids, or ones with holes, whatever the total.
    (.fastAPI, .page(size: "size"), .descending, 3, 39),
    (.restFrameworkPages, .nextURL("/next"), .descending, 3, 39),
    (.fastAPI, .page(size: "size"), .mixed, 1, 39),
    (.fastAPI, .page(size: "size"), .ascending, 3, 39),
    // Without a total it takes an empty page to tell the end, and one look back.
    (.bareArray, .page(size: "limit"), .ascending, 1, 22),
    (.slack, .cursor(at: "/response_metadata/next_cursor", parameter: "cursor"), .mixed, 1, 20),
    (
      .stripe, .lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more"), .mixed, 1,
      20
    ),
    // A link that counts by a name nobody knows.
    (.plone, .nextURL("/batching/next"), .mixed, 1, 39),
    (.plone, .nextURL("/batching/next"), .ascending, 1, 20),
    (.ogc, .links(), .mixed, 1, 20), (.kinto, .automatic, .mixed, 1, 20),
    // One row of each page is the overlap.
    (.numbers, .offset(), .mixed, 1, 23),
  ])
  func `a list of 20 pages at rest costs as many requests as its proofs`(
    convention: Convention, style: PagingStyle, order: Order, step: Int, requests: Int
  ) async throws {
    var rows = Array(stride(from: 1, through: 200 * step, by: step))
    if order == .descending { rows.reverse() }
    if order == .mixed { rows = rows.map { $0 * 37 % 211 + ($0 / 211) * 1000 } }
    let server = PagedServer(rows, convention)
    let feed = try server.feed(style, query: "")
    await feed.refresh()
    await feed.loadAll()
    #expect(feed.value.items.map(\.id) == rows && feed.value.state.next == .end)
    #expect(server.requests.count == requests)
    // Nothing new is one request.
    await feed.refresh()
    #expect(server.requests.count == requests + 1)
  }

  @Test
  func `the diagnostics say what automatic chose`() async throws {
    for (convention, words) in [
      (Convention.linkHeaderPages, "the Link header, which counts"),
      (.jsonFeed, "/next_url, which stays"),
      (.restFrameworkOffset, "/next, which counts"),
    ] {
      let feed = try PagedServer(Array(1...30), convention).feed(.automatic, query: "")
      await feed.refresh()
      #expect(feed.value.diagnostics.paging?.hasPrefix(words) == true)
    }
  }
}
