import FlyingFox
import Foundation
import Freshet
import Synchronization

/// The behaviour of the demo's server.
enum ServerMode: String, Codable, Sendable, CaseIterable {
  case normal, slow, failing, offline
  /// The demo was started without its server.
  case absent
}

/// A feed server on loopback: one list of earthquakes in several kinds of paging.
///
/// ```
/// /fdsnws/event/1/query   GeoJSON, `limit` and 1-based `offset`, as the USGS serves it
/// /quakes                 JSON array, `Link` with `rel="next"` and `rel="prev"`, stable
/// /quakes.geojson         the same as GeoJSON
/// /feed                   {"data": […], "next": URL or null}, stable
/// /pages                  JSON array, `page` and `per_page`
/// POST /stars/ID?on=true  marks a quake, once for each `Idempotency-Key`
/// GET /stars              the keys, and how often each was received
/// ```
///
/// Each list accepts the parameters of `QuakeFilter`.
final class QuakeServer: Sendable {
  private typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

  struct Status: Equatable, Sendable {
    var mode = ServerMode.normal
    var isPlaying = true
    var requests = 0
    /// How many stars were received, each counted once.
    var stars = 0
  }

  private struct State {
    var history: QuakeHistory
    var status = Status()
    var stars = ReceivedStars()
    var server: LoopbackServer?
  }

  let port: UInt16
  private let list: QuakeList
  private let pace: Duration
  private let state: Mutex<State>

  init(
    port: UInt16, list: QuakeList, history: QuakeHistory, pace: Duration, isPlaying: Bool = true
  ) {
    self.port = port
    self.list = list
    self.pace = pace
    var state = State(history: history)
    state.status.isPlaying = isPlaying
    self.state = Mutex(state)
  }

  var status: Status { state.withLock { $0.status } }

  /// The quakes that the server lists now, newest first.
  var quakes: [ServedQuake] { list.quakes }

  // MARK: - Behaviour

  /// Plays the history until the task is cancelled.
  func play() async throws {
    while !Task.isCancelled {
      try await Task.sleep(for: pace)
      let status = status
      if status.isPlaying, status.mode != .offline { try? await step() }
    }
  }

  /// Begins the history if the list is empty, or if the caller asks to start from scratch.
  func begin(anew: Bool) async throws {
    guard anew || quakes.isEmpty else { return }
    try await list.reset(to: state.withLock { $0.history.beginning })
  }

  /// Performs steps of the history.
  func step(_ count: Int = 1) async throws {
    var quakes = quakes
    let changes = state.withLock { state in
      var changes = ChangeBatch<ServedQuake>()
      for _ in 0..<count { changes.add(state.history.step(&quakes)) }
      return changes
    }
    try await list.change(changes)
  }

  func play(_ isPlaying: Bool) { state.withLock { $0.status.isPlaying = isPlaying } }

  /// Changes how the server behaves; offline, it stops listening.
  func setMode(_ mode: ServerMode) async throws {
    let old = state.withLock { state in
      defer { state.status.mode = mode }
      return state.status.mode
    }
    if mode == .offline, old != .offline {
      await stop()
    } else if mode != .offline, old == .offline {
      do {
        try await listen()
      } catch {
        state.withLock { $0.status.mode = .offline }
        throw error
      }
    }
  }

  /// Starts listening; requests are answered once it returns.
  func listen() async throws {
    let handlers: [(HTTPRoute, Handler)] = [
      ("GET /fdsnws/event/1/query", eventService), ("GET /quakes", linkedList),
      ("GET /quakes.geojson", linkedGeoJSON),
      ("GET /feed", linkedBody), ("GET /pages", numberedPages),
      ("POST /stars/*", star), ("GET /stars", stars),
    ]
    var routes = RoutedHTTPHandler()
    for (route, handler) in handlers {
      routes.appendRoute(route) { [weak self] request in
        guard let self else { return HTTPResponse(statusCode: .serviceUnavailable) }
        return try await self.behave(request, handler)
      }
    }
    let server = LoopbackServer(port: port, handler: routes)
    try await server.start()
    state.withLock { $0.server = server }
  }

  func stop() async {
    let server = state.withLock { state in
      defer { state.server = nil }
      return state.server
    }
    await server?.stop()
  }

  private func behave(
    _ request: HTTPRequest, _ handler: Handler
  ) async throws -> HTTPResponse {
    let mode = state.withLock { state in
      state.status.requests += 1
      return state.status.mode
    }
    switch mode {
    case .failing:
      return HTTPResponse(
        statusCode: .serviceUnavailable, headers: [HTTPHeader("Retry-After"): "1"],
        body: Data(#"{"error":"the demo's server was told to fail"}"#.utf8))
    case .slow:
      try await Task.sleep(for: .seconds(3))
      return try await handler(request)
    case .normal, .offline, .absent: return try await handler(request)
    }
  }

  // MARK: - The list in four kinds of paging

  /// The largest number of a row or a page, and the range of moments in milliseconds.
  private static let (countLimit, times) = (1_000_000_000, -(1 << 53)...(1 << 53))

  private func eventService(_ request: HTTPRequest) throws -> HTTPResponse {
    let limit = try request.number("limit", in: 1...20_000) ?? 20_000
    let offset = try request.number("offset", in: 1...Self.countLimit) ?? 1
    guard request.query["orderby"] ?? "time" == "time" else {
      throw Refusal(.badRequest, "orderby has to be time.")
    }
    let page = try quakes(for: request).dropFirst(offset - 1).prefix(limit)
    return try .json(GeoJSON(features: page.map(GeoJSON.Feature.init)))
  }

  private func linkedList(_ request: HTTPRequest) throws -> HTTPResponse {
    let page = try page(for: request)
    return try .json(page.quakes.map(FlatQuake.init), headers: page.links)
  }

  private func linkedGeoJSON(_ request: HTTPRequest) throws -> HTTPResponse {
    let page = try page(for: request)
    return try .json(GeoJSON(features: page.quakes.map(GeoJSON.Feature.init)), headers: page.links)
  }

  private func linkedBody(_ request: HTTPRequest) throws -> HTTPResponse {
    let page = try page(for: request)
    return try .json(LinkedPage(data: page.quakes.map(FlatQuake.init), next: page.next))
  }

  private func numberedPages(_ request: HTTPRequest) throws -> HTTPResponse {
    let size = min(try request.number("per_page", in: 1...Self.countLimit) ?? 50, 200)
    let number = try request.number("page", in: 1...Self.countLimit) ?? 1
    let page = try quakes(for: request).dropFirst((number - 1) * size).prefix(size)
    return try .json(page.map(FlatQuake.init))
  }

  private func quakes(for request: HTTPRequest) throws -> [ServedQuake] {
    quakes.filter(try QuakeFilter(request).includes)
  }

  // MARK: - Stars

  private func stars(_ request: HTTPRequest) throws -> HTTPResponse {
    try .json(state.withLock { $0.stars.all })
  }

  private func star(_ request: HTTPRequest) async throws -> HTTPResponse {
    let id = request.path.split(separator: "/").last.map(String.init) ?? ""
    guard var quake = quakes.first(where: { $0.id == id }) else {
      return HTTPResponse(statusCode: .notFound)
    }
    let key = request.headers[HTTPHeader("Idempotency-Key")]
    if let key, state.withLock({ $0.stars.isRepeated(key) }) {
      return try .json(GeoJSON.Feature(quake))
    }
    quake.isStarred = request.query["on"] == "true"
    var changes = ChangeBatch<ServedQuake>()
    changes.add(quake, as: .update)
    try await list.change(changes)
    let star = key.map { ReceivedStars.Star(key: $0, quake: id, isStarred: quake.isStarred) }
    state.withLock { state in
      if let star { state.stars.add(star) }
      state.status.stars += 1
    }
    return try .json(GeoJSON.Feature(quake))
  }

  /// Returns a page by a moment: the quakes before it, or right after it.
  private func page(for request: HTTPRequest) throws -> LinkedQuakes {
    let limit = min(try request.number("limit", in: 1...Self.countLimit) ?? 50, 200)
    let host = request.headers[.host] ?? "127.0.0.1:\(port)"
    let filter = try QuakeFilter(request)
    let url = "http://\(host)\(request.path)?limit=\(limit)\(filter.query)"
    let all = quakes.filter(filter.includes)
    var page = LinkedQuakes(quakes: [])
    if let after = try request.number("after", in: Self.times) {
      page.quakes = Array(all.prefix { $0.time > after }.suffix(limit))
    } else {
      let before = try request.number("before", in: Self.times) ?? .max
      page.quakes = Array(all.lazy.drop { $0.time >= before }.prefix(limit))
    }
    guard let first = page.quakes.first, let last = page.quakes.last else { return page }
    page.previous = "\(url)&after=\(first.time)"
    if last.time != all.last?.time { page.next = "\(url)&before=\(last.time)" }
    return page
  }
}

extension HTTPResponse {
  static func json(
    _ value: some Encodable, headers: [HTTPHeader: String] = [:]
  ) throws -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    var all = HTTPHeaders(headers)
    all[.contentType] = "application/json"
    return HTTPResponse(statusCode: .ok, headers: all, body: try encoder.encode(value))
  }
}
