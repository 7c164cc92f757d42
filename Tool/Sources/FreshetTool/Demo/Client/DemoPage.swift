import Foundation
import Freshet
import FreshetHTTP
import Observation

/// One page in a browser: its search, its list with a divider above each day, and the newest strong
/// quakes beside it.
@MainActor @Observable
final class DemoPage {
  typealias Row = SeparatedRow<Quake, Day>

  /// The rows and load states on display.
  let list: ListController<DerivedList<Row>>
  /// The newest strong quakes, whatever the search.
  let strong: ListController<DerivedList<Quake>>
  /// Whether the reader is further down than the top of the list.
  @ObservationIgnored var isReading = false
  /// The search as it was typed.
  private(set) var query = ""
  /// The parts of the list: north and south of the equator.
  private let halves: [QueryController<QuakeQuery, Quake>]
  private let stars: StarOutbox
  private let server: ServerSwitches
  /// When this run of the demo started.
  private let started: Date

  init(
    _ quakes: FeedFamily<QuakeQuery, Quake>, stars: StarOutbox, server: ServerSwitches,
    started: Date
  ) {
    halves = QuakeQuery.Half.allCases.map { QueryController(quakes, query: QuakeQuery(half: $0)) }
    let (north, south) = (halves[0], halves[1])
    list = north.list.merged(with: south.list, sortedBy: \.properties.time, .reverse)
      .separated { above, below in above?.day == below.day ? nil : Day(id: below.day) }
      .controller()
    let strong = quakes[.strong]
    self.strong = strong.limited(to: 3).controller()
    self.stars = stars
    self.server = server
    self.started = started
    for half in halves { half.loadCacheSynchronously() }
    strong.loadCacheSynchronously()
  }

  /// Keeps both lists fresh until the task is cancelled.
  ///
  /// Failures that may pass are retried by each list itself. All others are left to the reader.
  func run(every pace: Duration) async throws {
    // A list that is retried holds up no other one.
    async let other: Void = keepFresh(strong, every: pace)
    try await keepFresh(list, every: pace)
    try await other
  }

  private func keepFresh(
    _ list: ListController<DerivedList<some ListItem>>, every pace: Duration
  ) async throws {
    while !Task.isCancelled {
      await refresh(list, olderThan: pace)
      try await Task.sleep(for: pace)
    }
  }

  private func refresh(
    _ list: ListController<DerivedList<some ListItem>>, olderThan pace: Duration
  ) async {
    let state = list.state
    guard state.refresh.failure == nil, !state.isShowingOldRows, !server.isAway else { return }
    // Another page with the same search may have refreshed already.
    let age = list.refreshedAt.map { Date().timeIntervalSince($0) } ?? .infinity
    if age > pace / .seconds(2) { await list.refresh() }
    // The server answers, so other loads need not wait any longer for their next attempt.
    if list.state.refresh == .idle, list.state.retrying != nil { await list.retry() }
  }

  // MARK: - Search and new rows

  /// The text to search places for; empty for all rows.
  var search: String { query.lowercased() }

  /// Shows the quakes whose place contains a text.
  ///
  /// It asks the server once the reader stops typing, or `atOnce`.
  func search(_ text: String, atOnce: Bool) {
    query = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(100))
    for (half, side) in zip(halves, QuakeQuery.Half.allCases) {
      half.show(
        QuakeQuery(half: side, text: search),
        debounce: atOnce || search.isEmpty ? nil : .milliseconds(300))
    }
  }

  /// Holds new rows back, or shows them as they arrive.
  func holdNew(_ areHeld: Bool) {
    for half in halves { if areHeld { half.holdNew() } else { half.showNew() } }
  }

  // MARK: - Rows

  /// Returns an explanation of how a row was added to the list.
  func why(_ id: String) async -> String {
    guard let trace = await half(of: id)?.trace(of: id) else { return "No such row is loaded" }
    let time = trace.date.formatted(date: .omitted, time: .standard)
    return switch trace.cause {
    case .page(nil): "It came with the first page at \(time)"
    case .page(let key?): "It came with page \(key.json) at \(time)"
    case .event: "An event put it there at \(time)"
    case .edit: "An edit put it there at \(time)"
    case .cache: "It came from disk at \(time)"
    @unknown default: "It came from \(trace)"
    }
  }

  private func half(of id: String) async -> QueryController<QuakeQuery, Quake>? {
    for half in halves where await half.list.item(withID: id) != nil { return half }
    return nil
  }

  // MARK: - Status

  /// All that the page shows beside the rows.
  var status: Status {
    let state = list.state
    return Status(
      refresh: .init(state.refresh, retrying: retried(\.refresh)),
      next: .init(state.next, retrying: retried(\.next)),
      gaps: Dictionary(
        uniqueKeysWithValues: state.gaps.map { gap, load in
          ("\(gap)", .init(load, retrying: load == .loading ? state.retrying : nil))
        }),
      starTrouble: stars.trouble, unsent: stars.unsent, pending: pending,
      newItems: state.newItems,
      refreshedAt: list.refreshedAt.flatMap {
        Int(exactly: ($0.timeIntervalSince1970 * 1000).rounded())
      },
      cached: isCached,
      saved: halves.allSatisfy(\.isSaved),
      query: query,
      showsOldRows: state.isShowingOldRows || halves.contains(where: \.isShowingOldRows),
      server: Status.Server(
        mode: server.status.mode, playing: server.status.isPlaying,
        requests: server.status.requests, stars: server.status.stars))
  }

  /// The quakes on display whose stars the server has not answered for.
  private var pending: [String] {
    let rows = list.value.pendingEdits.compactMap { id in
      if case .item(let quake) = id { quake } else { nil }
    }
    return Set(rows).union(strong.value.pendingEdits).sorted()
  }

  /// Whether the rows are those of an earlier run.
  var isCached: Bool { list.refreshedAt.map { $0 < started } ?? false }

  /// Returns the error of an edge that failed and is retried.
  private func retried(_ edge: KeyPath<ListState, LoadState>) -> FeedError? {
    halves.lazy.map(\.state).first { $0[keyPath: edge] == .loading && $0.retrying != nil }?.retrying
  }
}
