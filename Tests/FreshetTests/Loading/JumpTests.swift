import FreshetTesting
import Testing

@testable import Freshet

/// W3: a jump loads rows far from all others, and keeps what is loaded.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct JumpTests {
  private func server(_ count: Int) -> ScriptedServer<Post> {
    let server = ScriptedServer((0..<count).map { Post(id: $0) })
    server.countRows()
    return server
  }

  private func feed(
    of server: ScriptedServer<Post>, _ paging: ScriptedPaging = .keyset, from start: Int? = nil,
    maximumRows: Int? = nil
  ) -> Feed<Post> {
    Feed(
      server.source(paging), startingAt: start.map(server.key(ofPageAt:)),
      configuration: FeedConfiguration(
        pageSize: 10, prefetchDistance: 0, maximumRows: maximumRows))
  }

  /// The segments of a list, each by its first and last id.
  private func segments(of feed: Feed<Post>) -> [[Int]] {
    feed.value.rows.split { $0.gap != nil }.map { rows in
      [rows.first, rows.last].compactMap { $0?.item?.id }
    }
  }

  /// The sizes of the gaps, from the top.
  private func sizes(of feed: Feed<Post>) -> [RowTotal?] {
    feed.value.rows.compactMap(\.gap).map { feed.value.state.gapSizes[$0.id] }
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset])
  func `W3: a jump makes a segment between gaps`(paging: ScriptedPaging) async {
    let server = server(1000)
    let feed = feed(of: server, paging)
    await feed.refresh()
    await feed.load(rowAt: 500)
    #expect(segments(of: feed) == [[0, 9], [495, 504]])
    #expect(sizes(of: feed) == [.exact(485)])
    #expect(feed.value.state.rowsBelow == .exact(495))
    // Loaded rows request nothing.
    let requests = server.requests.count
    #expect(await feed.load(rowAt: 500) == .idle)
    #expect(await feed.load(rowAt: 9) == .idle)
    #expect(server.requests.count == requests)
    await feed.load(rowAt: 400)
    await feed.load(rowAt: 100)
    #expect(segments(of: feed) == [[0, 9], [95, 104], [395, 404], [495, 504]])
    #expect(sizes(of: feed) == [.exact(85), .exact(290), .exact(90)])
    // Beside loaded rows, the page joins them.
    await feed.load(rowAt: 12)
    await feed.load(rowAt: 492)
    #expect(segments(of: feed).first == [0, 19 - (paging == .offset ? 1 : 0)])
    #expect(segments(of: feed).last == [485 + (paging == .offset ? 1 : 0), 504])
    await feed.load(rowAt: 5_000)
    #expect(segments(of: feed).last == [990, 999])
    #expect(await feed.loadNext() == .end)
    #expect(server.requests.count == requests + (paging == .offset ? 6 : 5))
    while let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
    #expect(Array(feed.value.items) == server.items)
  }

  @Test func `W3: a jump among numbered pages loads the page of the row`() async {
    let server = server(995)
    let feed = feed(of: server, .page)
    await feed.refresh()
    await feed.load(rowAt: 504)
    #expect(segments(of: feed) == [[0, 9], [500, 509]])
    #expect(sizes(of: feed) == [.exact(490)])
    #expect(feed.value.state.rowsBelow == .exact(485))
    await feed.load(rowAt: 499)
    await feed.load(rowAt: 100)
    // Only a page that repeats rows proves that nothing is between two pages (T5).
    #expect(await eventually { segments(of: feed) == [[0, 9], [100, 109], [490, 509]] })
    #expect(sizes(of: feed) == [.exact(90), .exact(380)])
    // The next page is read with the one above it, which proves its place.
    let requests = server.requests.count
    await feed.load(rowAt: 12)
    #expect(segments(of: feed).first == [0, 19])
    #expect(requests == 6 && server.requests.count == 8)
    await feed.load(rowAt: 5_000)
    #expect(segments(of: feed).last == [990, 994])
    while let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
    #expect(Array(feed.value.items) == server.items)
  }

  @Test func `W3: a list that starts in the middle jumps up`() async {
    let server = server(1000)
    let feed = feed(of: server, from: 600)
    await feed.refresh()
    await feed.load(rowAt: 300)
    #expect(segments(of: feed) == [[295, 304], [600, 609]])
    #expect(feed.value.state.rowsAbove == .exact(295))
    #expect(sizes(of: feed) == [.exact(295)])
    await feed.load(rowAt: 1)
    #expect(segments(of: feed) == [[0, 9], [295, 304], [600, 609]])
    #expect(await feed.loadPrevious() == .end)
    #expect(sizes(of: feed) == [.exact(285), .exact(295)])
  }

  @Test(arguments: [ScriptedPaging.cursor, .lastItem])
  func `W3: without positions, a jump loads the nearest rows`(paging: ScriptedPaging) async {
    let server = server(100)
    let feed = feed(of: server, paging)
    await feed.refresh()
    await feed.load(rowAt: 50)
    #expect(segments(of: feed) == [[0, 19]])
  }

  @Test func `W3: a gap that has fewer rows than expected is loaded from its side`() async {
    let server = server(1000)
    let feed = feed(of: server)
    await feed.refresh()
    await feed.load(rowAt: 500)
    for id in 20..<480 { server.delete(id) }
    // The page next to loaded rows says that the list is shorter, and so where the row is.
    await feed.load(rowAt: 200)
    #expect(segments(of: feed).joined().sorted() == Array(segments(of: feed).joined()))
    #expect(feed.value.items.contains { $0.id == 660 } || segments(of: feed) == [[0, 504]])
    await feed.load(rowAt: 300)
    #expect(feed.value.items.contains { $0.id == 760 })
  }

  @Test func `W3: a list that is shorter than its total is read to its end in a few jumps`() async {
    let server = server(10_000)
    let feed = feed(of: server)
    await feed.refresh()
    for id in 2_000..<10_000 { server.delete(id) }
    for _ in 0..<12 where feed.value.state.next != .end { await feed.load(rowAt: 9_990) }
    #expect(feed.value.state.next == .end && feed.value.items.last?.id == 1_999)
    #expect(server.requests.count < 40)
  }

  @Test(arguments: [RowTotal.atLeast(30), .estimated(50), .estimated(90_000)])
  func `W3: a total that is not exact does not keep a jump from its row`(total: RowTotal) async {
    let server = server(1_000)
    let source = server.source(.keyset)
    let feed = Feed(
      Reporting(source: source, total: total),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0))
    await feed.refresh()
    await feed.load(rowAt: 640)
    #expect(segments(of: feed) == [[0, 9], [635, 644]])
  }

  /// A source that reports another total.
  private struct Reporting: JumpableFeedSource {
    let source: ScriptedSource<Post>
    let total: RowTotal

    func page(_ request: PageRequest<ScriptedKey>) async throws -> Page<Post, ScriptedKey> {
      var page = try await source.page(request)
      page.total = total
      return page
    }

    func key(
      _ count: Int, rowsFrom key: ScriptedKey?, before end: ScriptedKey?
    ) async -> ScriptedKey? {
      await source.key(count, rowsFrom: key, before: end)
    }
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W3: a jump finds its row although a page is loaded meanwhile`(
    paging: ScriptedPaging
  ) async {
    let server = server(1_000)
    let feed = feed(of: server, paging)
    await feed.refresh()
    server.hold()
    let next = Task { await feed.loadNext() }
    #expect(await server.waiting(1))
    let jump = Task { await feed.load(rowAt: 500) }
    #expect(await server.waiting(2))
    server.releaseAll()
    _ = await (next.value, jump.value)
    #expect(feed.value.items.contains { $0.id == 500 }, "\(feed.value.outline)")
    // An event may have changed more than the list shows.
    feed.receive(.delete(700))
    #expect(await feed.load(rowAt: 800) == .idle)
    #expect(feed.value.items.contains { $0.id == 800 }, "\(feed.value.outline)")
  }

  @Test func `W3: rows that a jump loaded stay until the reader is somewhere`() async throws {
    let server = server(1_000)
    let feed = feed(of: server, maximumRows: 40)
    await feed.refresh()
    for _ in 0..<3 { await feed.loadNext() }
    feed.willDisplay(Post(id: 25))
    for row in [500, 506, 516] { await feed.load(rowAt: row) }
    #expect(segments(of: feed).last == [495, 524], "\(segments(of: feed))")
    #expect(feed.value.items.contains { $0.id == 25 })
    feed.willDisplay(Post(id: 25))
    for _ in 0..<2 { await feed.loadNext() }
    #expect(!feed.value.items.contains { $0.id == 500 }, "\(segments(of: feed))")
  }

  @Test func `W3: the page above rows that were kept is found by its number`() async {
    let server = server(1_000)
    let feed = feed(of: server, .page, maximumRows: 40)
    await feed.refresh()
    await feed.load(rowAt: 500)
    for _ in 0..<5 { await feed.loadNext() }
    feed.willDisplay(Post(id: 545))
    await feed.loadNext()
    let first = segments(of: feed).last?.first ?? 0
    #expect(first > 500, "\(segments(of: feed))")
    let requests = server.requests.count
    await feed.load(rowAt: first - 1)
    #expect(feed.value.items.contains { $0.id == first - 1 }, "\(segments(of: feed))")
    #expect(server.requests.count <= requests + 3)
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W3: a jump that is repeated finds its row after another one`(
    paging: ScriptedPaging
  ) async {
    let server = server(1_000)
    let clock = ManualClock()
    let feed = Feed(
      server.source(paging),
      configuration: FeedConfiguration(
        pageSize: 10, prefetchDistance: 0, retryPolicy: RetryPolicy(attempts: 3), clock: clock))
    await feed.refresh()
    server.failNext(with: ScriptedFailure(isTransient: true))
    let failing = Task { await feed.load(rowAt: 500) }
    #expect(await clock.sleepers(1))
    await feed.load(rowAt: 700)
    let requests = server.requests.count
    clock.advance(by: .seconds(600))
    #expect(await failing.value.failure == nil)
    #expect(feed.value.items.contains { $0.id == 500 }, "\(segments(of: feed))")
    #expect(server.requests.count == requests + 1)
    let ids = feed.value.items.map(\.id)
    #expect(ids == ids.sorted())
  }

  @Test func `W3: a list without rows loads its head first`() async {
    let server = server(1_000)
    let feed = feed(of: server)
    #expect(await feed.load(rowAt: 500) == .idle)
    #expect(segments(of: feed) == [[0, 9], [495, 504]])
    #expect(await feed.load(rowAt: .max) == .end)
    #expect(await feed.load(rowAt: .min) == .end)
    #expect(segments(of: feed).last == [990, 999])
  }

  @Test(arguments: [ScriptedPaging.offset, .page], [true, false])
  func `W3: pages that shifted are not taken for others`(
    paging: ScriptedPaging, isBesideEnd: Bool
  ) async {
    let server = server(1_000)
    let feed = feed(of: server, paging)
    await feed.refresh()
    if !isBesideEnd { await feed.load(rowAt: 500) }
    for id in 1_000..<1_600 { server.insert(Post(id: id), at: 0) }
    for row in [60, 300, 60] {
      await feed.load(rowAt: row)
      // All that is shown is in the order of the server.
      let places = feed.value.items.compactMap { server.items.firstIndex(of: $0) }
      #expect(places == places.sorted(), "\(feed.value.outline)")
    }
  }

  @Test(arguments: [ScriptedPaging.offset, .page], SeededGenerator.seeds(30))
  func `W3: a list that grows is jumped in, far from loaded rows`(
    paging: ScriptedPaging, seed: Int
  ) async {
    var random = SeededGenerator(seed: seed)
    let server = server(2_000)
    let feed = feed(of: server, paging)
    await feed.refresh()
    var far = 0
    for step in 0..<15 {
      let place = random.oneIn(2) ? 0 : Int.random(in: 0...server.items.count, using: &random)
      for number in 0..<Int.random(in: 0...2, using: &random) {
        server.insert(Post(id: 10_000 + 10 * step + number), at: place)
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: await feed.refresh()
      case 1: await feed.loadNext()
      default:
        let (row, count) = (Int.random(in: 0..<2_000, using: &random), segments(of: feed).count)
        let requests = server.requests.count
        await feed.load(rowAt: row)
        // The page of the row, apart from all others.
        let isThere = feed.value.items.contains(server.items[row])
        let isApart = segments(of: feed).count == count + 1
        if isThere, isApart, server.requests.count == requests + 1 { far += 1 }
      }
      let places = feed.value.items.compactMap { server.items.firstIndex(of: $0) }
      if places != places.sorted() { return #expect(places == places.sorted(), "seed \(seed)") }
    }
    #expect(far >= 2, "seed \(seed): \(far)")
  }

  @Test func `W3: jumps that overtake each other keep the order`() async {
    let server = server(1_000)
    for paging in [ScriptedPaging.keyset, .offset, .page] {
      let feed = feed(of: server, paging)
      await feed.refresh()
      await feed.load(rowAt: 500)
      server.hold()
      let first = Task { await feed.load(rowAt: 105) }
      #expect(await server.waiting(1))
      let second = Task { await feed.load(rowAt: 305) }
      #expect(await server.waiting(2))
      let third = Task { await feed.loadNext() }
      #expect(await server.waiting(3))
      server.releaseAll()
      _ = await (first.value, second.value, third.value)
      let ids = feed.value.items.map(\.id)
      #expect(ids == ids.sorted() && ids.contains(105) && ids.contains(305), "\(paging) \(ids)")
    }
  }

  @Test func `W3: a jump into rows that were evicted meanwhile reads them from disk`() async {
    let server = server(300)
    let directory = TemporaryDirectory()
    let feed = Feed(
      server.source(.keyset), cache: .file("jumps", in: directory.caches),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0, maximumRows: 30))
    await feed.refresh()
    await feed.load(rowAt: 100)
    await feed.load(rowAt: 200)
    server.hold()
    let next = Task { await feed.loadNext() }
    #expect(await server.waiting(1))
    let jump = Task { await feed.load(rowAt: 50) }
    #expect(await server.waiting(2))
    server.releaseAll()
    _ = await (next.value, jump.value)
    #expect(server.requests.count < 12)
    let ids = feed.value.items.map(\.id)
    #expect(ids == ids.sorted(), "\(ids)")
  }

  @Test func `R4: a jump that fails is a failure of its gap, and keeps all rows`() async throws {
    let server = server(1000)
    let feed = feed(of: server)
    await feed.refresh()
    await feed.load(rowAt: 500)
    let gap = try #require(feed.value.rows.lazy.compactMap(\.gap).first)
    server.failNext(with: ScriptedFailure())
    #expect(await feed.load(rowAt: 250).failure != nil)
    #expect(feed.value.state.gaps[gap.id]?.failure != nil)
    #expect(segments(of: feed) == [[0, 9], [495, 504]])
    server.failNext(with: ScriptedFailure())
    #expect(await feed.load(rowAt: 800).failure != nil)
    #expect(feed.value.state.next.failure != nil)
    #expect(await feed.load(rowAt: 800) == .idle)
    #expect(await feed.load(rowAt: 250) == .idle)
    #expect(segments(of: feed) == [[0, 9], [245, 254], [495, 504], [795, 804]])
    #expect(feed.value.state.failure == nil)
  }

  @Test func `R3: a jump without a caller is cancelled`() async {
    let server = server(1000)
    let feed = feed(of: server)
    await feed.refresh()
    server.hold()
    let jump = Task { await feed.load(rowAt: 500) }
    #expect(await server.waiting(1))
    #expect(feed.value.state.next == .loading)
    jump.cancel()
    _ = await jump.value
    #expect(feed.value.state.next == .idle)
    server.releaseAll()
    #expect(segments(of: feed) == [[0, 9]])
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page], SeededGenerator.seeds(30))
  func `W3: any row can be jumped to, and all numbers stay right`(
    paging: ScriptedPaging, seed: Int
  ) async {
    var random = SeededGenerator(seed: seed)
    let server = server(300)
    let start = paging != .keyset || random.oneIn(2) ? nil : Int.random(in: 1..<290, using: &random)
    let maximum = random.oneIn(2) ? 40 : nil
    let feed = feed(of: server, paging, from: start, maximumRows: maximum)
    await feed.refresh()
    for _ in 0..<20 {
      if random.oneIn(3) {
        await feed.loadNext()
      } else if random.oneIn(3),
        let gap = feed.value.rows.compactMap(\.gap).randomElement(using: &random)
      {
        await feed.load(gap, from: random.oneIn(2) ? .above : .below)
      } else {
        let row = Int.random(in: 0..<300, using: &random)
        let isLoaded = await jump(to: row, in: feed)
        if !isLoaded { return #expect(isLoaded, "seed \(seed), \(row): \(feed.value.outline)") }
      }
      let fault = fault(of: feed.value)
      if let fault { return #expect(fault == "", "seed \(seed): \(feed.value.outline)") }
    }
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page], SeededGenerator.seeds(30))
  func `W3: jumps at the same time keep the order and the numbers`(
    paging: ScriptedPaging, seed: Int
  ) async {
    var random = SeededGenerator(seed: seed)
    let server = server(300)
    let feed = feed(of: server, paging, maximumRows: random.oneIn(3) ? nil : 40)
    await feed.refresh()
    for _ in 0..<8 {
      server.hold()
      let near = Int.random(in: 0..<300, using: &random)
      var rows = (0..<3).map { min(299, near + $0 * Int.random(in: 1...15, using: &random)) }
      if random.oneIn(2) { rows.append(Int.random(in: 0..<300, using: &random)) }
      if let id = feed.value.items.randomElement(using: &random)?.id, random.oneIn(2) {
        feed.willDisplay(Post(id: id))
      }
      let loads = rows.map { row in Task { await feed.load(rowAt: row) } }
      if !rows.allSatisfy({ row in feed.value.items.contains { $0.id == row } }) {
        _ = await server.waiting(1)
      }
      server.releaseAll()
      for load in loads { _ = await load.value }
      if let fault = fault(of: feed.value) {
        return #expect(fault == "", "seed \(seed), \(rows): \(feed.value.outline)")
      }
    }
  }

  /// Asks for a row until it is loaded, a few times.
  private func jump(to row: Int, in feed: Feed<Post>) async -> Bool {
    for _ in 0..<4 {
      await feed.load(rowAt: row)
      if feed.value.items.contains(where: { $0.id == row }) { return true }
    }
    return false
  }

  /// Returns what is wrong with a list whose ids are the indices in the whole list.
  private func fault(of value: ListValue<Post>) -> String? {
    var next = value.state.rowsAbove?.exact ?? -1
    for row in value.rows {
      switch row {
      case .item(let item) where item.id != next: return "\(item.id) instead of \(next)"
      case .item: next += 1
      case .gap(let gap):
        guard let size = value.state.gapSizes[gap.id]?.exact else { return "no size of \(gap)" }
        next += size
      }
    }
    return value.state.rowsBelow == .exact(300 - next) ? nil : "\(300 - next) rows below"
  }
}
