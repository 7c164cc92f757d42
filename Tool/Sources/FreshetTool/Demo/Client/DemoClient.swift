import Foundation
import Freshet
import FreshetHTTP
import Observation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the demo: two feeds of earthquakes as one list with a divider above each day,
/// cached, searched, and shown to a browser.
///
/// It knows the feed server by its URL only; the switches are handed through to it.
@MainActor @Observable
final class DemoClient {
  typealias Row = SeparatedRow<Quake, Day>

  /// What is on display.
  let list: ListController<Row>
  /// What it is made of: north and south of the equator.
  private let halves: [QueryController<QuakeQuery, Quake>]
  private var query = ""
  private let server: QuakeServer?
  private let source: URL
  private let started = Date()
  private var editError: String?
  /// Whether time passes at the server of which the client is to know nothing yet.
  private var isAway = false
  private var serverStatus: QuakeServer.Status
  /// The star that was sent last: the next one waits for it, so that the server takes them in
  /// order.
  private var lastStar: Task<Void, Never>?

  init(
    source: URL, paging: PagingStyle, cache: FamilyCache<Quake>, server: QuakeServer?,
    pageSize: Int
  ) {
    let quakes = FeedFamily(
      cache: cache,
      // A failure is to be seen here within a moment, not after the patience of the default.
      configuration: FeedConfiguration(
        pageSize: pageSize, refreshPages: 1,
        retryPolicy: RetryPolicy(attempts: 2, base: .milliseconds(500)))
    ) { (query: QuakeQuery) in
      try HTTPFeedSource<Quake>(query.url(in: source), paging: paging)
    }
    halves = QuakeQuery.Half.allCases.map { QueryController(quakes, query: QuakeQuery(half: $0)) }
    let (north, south) = (halves[0], halves[1])
    list = north.list.merged(with: south.list, sortedBy: \.properties.time, .reverse)
      .separated { above, below in above?.day == below.day ? nil : Day(id: below.day) }
      .controller()
    self.source = source
    self.server = server
    serverStatus = server?.status ?? QuakeServer.Status(mode: .absent, isPlaying: false)
  }

  /// Shows the cache, then keeps the list fresh until the task is cancelled.
  ///
  /// After a failure it waits for the reader to ask again.
  func run(every pace: Duration) async throws {
    for half in halves { half.loadCacheSynchronously() }
    while !Task.isCancelled {
      let state = list.state
      if state.refresh.failure == nil, !state.isShowingOldRows, !isAway { await list.refresh() }
      try await Task.sleep(for: pace)
    }
  }

  /// Shows the quakes whose place holds a text: asks the server once the reader stops typing, or at
  /// once.
  func search(_ text: String, atOnce: Bool) {
    query = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(100))
    for (half, side) in zip(halves, QuakeQuery.Half.allCases) {
      // What is found is read from the top, and so is what one comes back to.
      half.showNew()
      let query = QuakeQuery(half: side, text: query.lowercased())
      half.show(query, debounce: atOnce || query.text.isEmpty ? nil : .milliseconds(300))
    }
  }

  /// Looks at the server's switches and counters now and then.
  func watchServer() async throws {
    while let server, !Task.isCancelled {
      if serverStatus != server.status { serverStatus = server.status }
      try await Task.sleep(for: .milliseconds(300))
    }
  }

  var status: Status {
    let state = list.state
    return Status(
      refresh: state.refresh.word, next: state.next.word,
      gaps: Dictionary(uniqueKeysWithValues: state.gaps.map { ("\($0.key)", $0.value.word) }),
      refreshError: state.refresh.failure.map(Status.Trouble.init),
      nextError: state.next.failure.map(Status.Trouble.init),
      editError: editError, newItems: state.newItems,
      refreshedAt: list.refreshedAt.flatMap {
        Int(exactly: ($0.timeIntervalSince1970 * 1000).rounded())
      },
      cached: list.refreshedAt.map { $0 < started } ?? false,
      saved: halves.allSatisfy(\.isSaved),
      query: query,
      showsOldRows: state.isShowingOldRows || halves.contains(where: \.isShowingOldRows),
      server: Status.Server(
        mode: serverStatus.mode, playing: serverStatus.isPlaying, requests: serverStatus.requests))
  }

  /// Does what a button of the page asks for.
  ///
  /// Loads go on after it returns.
  ///
  /// - Returns: whether there is such a button.
  func perform(_ action: [String], _ query: [String: String]) async throws -> Bool {
    switch action.first {
    case "refresh": Task { await list.refresh() }
    case "more": Task { await list.loadNext() }
    case "retry": Task { await list.retry() }
    case "hold": for half in halves { half.holdNew() }
    case "show": for half in halves { half.showNew() }
    case "search": search(query["for"] ?? "", atOnce: query["now"] == "true")
    case "star":
      guard action.count == 3 else { return false }
      Task { await star(action[1], action[2] == "true") }
    case "gap":
      guard action.count == 3, let id = Int(action[1]) else { return false }
      Task { await list.load(Gap(id: id), from: action[2] == "below" ? .below : .above) }
    case "server":
      guard let server, action.count == 3 else { return false }
      switch (action[1], ServerMode(rawValue: action[2])) {
      case ("mode", let mode?) where mode != .absent: try await server.setMode(mode)
      case ("playing", _): server.play(action[2] == "true")
      case ("away", _):
        // What a client sees that was without a network for so long.
        guard let steps = Int(action[2]), (0...1000).contains(steps) else { return false }
        isAway = true
        defer { isAway = false }
        // What was asked for before is answered by then: to ask again would be to wait for that
        // answer.
        if list.state.refresh.failure == nil { await list.refresh() }
        try await server.step(steps)
        Task { await list.refresh() }
      default: return false
      }
      serverStatus = server.status
    default: return false
    }
    return true
  }

  /// Why a row is where it is.
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

  /// Stars a quake, or takes the star away: seen at once, undone where the server does not take it.
  private func star(_ id: String, _ isStarred: Bool) async {
    let (before, (turn, sent)) = (lastStar, AsyncStream<Never>.makeStream())
    lastStar = Task { for await _ in turn {} }
    defer { sent.finish() }
    guard let half = await half(of: id),
      let url = URL(
        string: "/stars/\(id)?on=\(isStarred)", relativeTo: source)
    else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    editError = nil
    do {
      try await half.update(id, optimistically: { $0.properties.starred = isStarred }) {
        await before?.value
        let (_, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
          throw FeedError.http(status: status, url: url.absoluteURL, retryAfter: nil, message: nil)
        }
      }
    } catch {
      editError = "The star was taken back: \(error.localizedDescription)"
    }
  }

  private func half(of id: String) async -> QueryController<QuakeQuery, Quake>? {
    for half in halves where await half.list.item(withID: id) != nil { return half }
    return nil
  }

  /// What one page needs to hold the list and its status, as server-sent events.
  func events() -> AsyncStream<String> {
    let (events, continuation) = AsyncStream<String>.makeStream()
    let (updates, statuses) = (list.updates, Observations { [weak self] in self?.status })
    continuation.yield("event: reset\ndata: {}\n\n")
    continuation.yield(Self.event("state", status))
    let tasks = [
      Task {
        var number = 0
        for await update in updates {
          number += 1
          continuation.yield(Self.event("update", PageUpdate(update, number: number)))
        }
      },
      Task {
        var last: Status?
        for await status in statuses where status != last {
          if let status { continuation.yield(Self.event("state", status)) }
          last = status
        }
      },
      Task {
        // A comment now and then tells a gone page from a quiet one.
        while (try? await Task.sleep(for: .seconds(15))) != nil { continuation.yield(":\n\n") }
      },
    ]
    continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    return events
  }

  nonisolated private static func event(_ name: String, _ value: some Encodable) -> String {
    let data = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
    return "event: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}

/// An update as the page performs it.
struct PageUpdate: Encodable {
  let number: Int
  let origin: String
  let changes: [RowOperation<PageRow>]

  init(_ update: FeedUpdate<DemoClient.Row>, number: Int) {
    self.number = number
    origin = update.origin.rawValue
    changes = update.list.operations { row in
      let row = PageRow(row)
      return (row.id, row)
    }
  }
}
