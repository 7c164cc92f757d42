import Foundation
import Freshet
import FreshetHTTP

/// The client of the demo: cached feeds of earthquakes, and an outbox of stars.
///
/// All pages that are open in browsers share the feeds. The client knows the feed server by its URL
/// only; the switches are passed on to it. A quake has one value in all feeds that list it.
@MainActor
final class DemoClient {
  /// The list that is kept fresh and printed whether a page is open or not.
  let front: DemoPage
  private let quakes: FeedFamily<QuakeQuery, Quake>
  private let stars: StarOutbox
  private let server: ServerSwitches
  private let pace: Duration
  private let started = Date()
  /// The pages that are open, by the id each gave itself.
  private var pages: [String: DemoPage] = [:]

  init(
    source: URL, paging: PagingStyle, cache: FamilyCache<Quake>, outbox: OutboxStorage,
    server: QuakeServer?, pageSize: Int, pace: Duration
  ) throws {
    quakes = FeedFamily(
      cache: cache, identity: IdentityMap(),
      configuration: FeedConfiguration(
        pageSize: pageSize, refreshPages: 1, maximumRows: 1000, retryPolicy: .untilItAnswers)
    ) { (query: QuakeQuery) in
      try HTTPFeedSource<Quake>(query.url(in: source), paging: paging)
    }
    stars = StarOutbox(outbox, to: try HTTPFeedSource(source, paging: paging), in: quakes)
    self.server = ServerSwitches(server)
    self.pace = pace
    front = DemoPage(quakes, stars: stars, server: self.server, started: started)
  }

  /// Shows the cache, then keeps the list fresh and watches the server until the task is cancelled.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.front.run(every: self.pace) }
      group.addTask { try await self.server.watch() }
      group.addTask { await self.stars.takeBackRejected() }
      try await group.next()
      group.cancelAll()
    }
  }

  // MARK: - Pages

  /// Returns the server-sent events with which a page holds its list and its status.
  ///
  /// The page is open until they end.
  ///
  /// - Parameters:
  ///   - id: the id that the page gave itself.
  ///   - search: the text that it searches for.
  func events(of id: String, search: String = "") -> AsyncStream<String> {
    let page = DemoPage(quakes, stars: stars, server: server, started: started)
    if !search.isEmpty { page.search(search, atOnce: true) }
    let life = Task { try await page.run(every: pace) }
    pages[id] = page
    settleNewRows()
    return page.events { [weak self] in
      life.cancel()
      Task { @MainActor in self?.close(page, id) }
    }
  }

  /// Returns the page with an id, if it is open.
  func page(_ id: String?) -> DemoPage? { id.flatMap { pages[$0] } }

  private func close(_ page: DemoPage, _ id: String) {
    if pages[id] === page { pages[id] = nil }
    settleNewRows()
  }

  /// Holds new rows back while all pages with the same search are scrolled down.
  private func settleNewRows() {
    let groups = Dictionary(grouping: [front] + pages.values, by: \.search)
    for group in groups.values {
      let open = group.filter { $0 !== front }
      let areHeld = !open.isEmpty && open.allSatisfy(\.isReading)
      for page in group { page.holdNew(areHeld) }
    }
  }

  // MARK: - Buttons

  /// Performs the action of a page's button.
  ///
  /// Loads continue after it returns.
  ///
  /// - Returns: whether there is such a button.
  func perform(_ action: [String], _ query: [String: String]) async throws -> Bool {
    if action.first == "server", action.count == 3 {
      return try await setServer(action[1], action[2])
    }
    if action.first == "star", action.count == 3 {
      await stars.star(action[1], action[2] == "true")
      return true
    }
    guard let page = page(query["page"]) else { return false }
    switch action.first {
    case "refresh": Task { await page.list.refresh() }
    case "more": Task { await page.list.loadNext() }
    case "retry": Task { await page.list.retry() }
    case "hold", "show":
      page.isReading = action.first == "hold"
      settleNewRows()
    case "search":
      page.search(query["for"] ?? "", atOnce: query["now"] == "true")
      settleNewRows()
    case "gap":
      guard action.count == 3, let id = Int(action[1]) else { return false }
      Task { await page.list.load(Gap(id: id), from: action[2] == "below" ? .below : .above) }
    default: return false
    }
    return true
  }

  private func setServer(_ switch: String, _ value: String) async throws -> Bool {
    switch (`switch`, ServerMode(rawValue: value), Int(value)) {
    case ("mode", let mode?, _) where mode != .absent: return try await server.setMode(mode)
    case ("playing", _, _): return server.play(value == "true")
    case ("away", _, let steps?) where (0...1000).contains(steps):
      return try await leave(for: steps)
    default: return false
    }
  }

  /// Lets time pass at the server as for a client without a network, then refreshes.
  private func leave(for steps: Int) async throws -> Bool {
    let lists = ([front] + pages.values).map(\.list)
    let isAnswered = try await server.leave(for: steps) {
      // Pending requests are answered before time passes, unless the server does not answer.
      await withTaskGroup { group in
        for list in lists where list.state.retrying == nil {
          group.addTask { await list.refresh() }
        }
      }
    }
    for list in lists { Task { await list.refresh() } }
    return isAnswered
  }
}

extension RetryPolicy {
  /// A policy that retries every few seconds until the server answers.
  ///
  /// A person watches what happens once the server is switched on again.
  static let untilItAnswers = RetryPolicy(
    attempts: 1_000_000, base: .milliseconds(500), limit: .seconds(3), total: .seconds(86_400))
}
