import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite(.timeLimit(.minutes(5)))
struct RateLimiterTests {
  static let base = "https://api.example.com/items"

  @Test
  func `a queue lets so many go at once, first come, first served`() {
    var queue = RequestQueue()
    #expect(queue.enter(1, limit: 2) && queue.enter(2, limit: 2))
    #expect(!queue.enter(3, limit: 2) && !queue.enter(4, limit: 9))
    // Nobody overtakes, and who gave up is not called.
    #expect(queue.cancel(3) == [4])
    #expect(!queue.enter(5, limit: 2) && !queue.enter(6, limit: 0))
    #expect(queue.leave() == [] && queue.leave() == [5])
    #expect(queue.leave() == [] && queue.leave() == [6] && queue.leave() == [])
    #expect(queue.isIdle)
  }

  @Test(arguments: [1, 2, 3])
  func `seeded: as many run as may, everyone gets a turn, and nobody waits for nothing`(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var queue = RequestQueue()
    var (running, waiting): (Set<Int>, [Int]) = ([], [])
    for number in 0..<3_000 {
      var ready: [Int] = []
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        if queue.enter(number, limit: 3) { running.insert(number) } else { waiting.append(number) }
      case 2:
        guard let one = running.sorted().randomElement(using: &generator) else { continue }
        running.remove(one)
        ready = queue.leave()
      default:
        guard let one = waiting.randomElement(using: &generator) else { continue }
        waiting.removeAll { $0 == one }
        ready = queue.cancel(one)
      }
      #expect(ready == Array(waiting.prefix(ready.count)), "seed \(seed), step \(number)")
      waiting.removeFirst(ready.count)
      running.formUnion(ready)
      #expect(running.count <= 3 && queue.running == running.count)
      #expect(waiting.isEmpty || running.count == 3)
    }
  }

  @Test
  func
    `few requests are on their way at once, over all sources, and a cancelled one leaves the queue`()
    async throws
  {
    let held = Locked<[CheckedContinuation<Void, Never>]>([])
    let transport = FunctionTransport { _ in
      await withCheckedContinuation { waiter in held.withLock { $0.append(waiter) } }
      return .text(200)
    }
    let rateLimiter = RateLimiter(clock: ManualClock())
    let tasks = try (0..<5).map { number in
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: "\(Self.base)?\(number)")),
        configuration: HTTPConfiguration(
          requestsAtOnce: 2, rateLimiter: rateLimiter, transport: transport))
      return Task { try await source.page(PageRequest()) }
    }
    #expect(await eventually { rateLimiter.waitingCount >= 3 })
    #expect(transport.requests.count == 2)
    let asked = Set(transport.requests.compactMap(\.url.query))
    let waiting = try #require((0..<5).first { !asked.contains("\($0)") })
    tasks[waiting].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[waiting].value }
    #expect(rateLimiter.waitingCount == 2 && transport.requests.count == 2)
    var released = 0
    #expect(
      await eventually {
        while let waiter = held.withLock({ $0.popLast() }) {
          released += 1
          waiter.resume()
        }
        return released == 4
      })
    for (number, task) in tasks.enumerated() where number != waiting { _ = try await task.value }
    #expect(transport.requests.count == 4)
  }

  @Test
  func `however many origins are asked, few are remembered, and those at work always`() async throws
  {
    let rateLimiter = RateLimiter(clock: ManualClock())
    func origin(_ number: Int) throws -> Origin {
      try #require(URL(string: "https://h\(number).example").flatMap(Origin.init))
    }
    try await rateLimiter.turn(at: origin(0), limit: 1) {
      for number in 1..<1_000 {
        try await rateLimiter.turn(at: try origin(number), limit: 1) {}
      }
      #expect(rateLimiter.originCount <= RateLimiter.originLimit)
      let waiting = Task { try await rateLimiter.turn(at: try origin(0), limit: 1) {} }
      #expect(await eventually { rateLimiter.waitingCount >= 1 })
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test
  func `R4: an origin that asked to be left alone is asked by no list of the process before`()
    async throws
  {
    let clock = ManualClock()
    let rateLimiter = RateLimiter(clock: clock)
    let transport = FunctionTransport { request in
      request.url.query == "busy"
        ? .text(503, ["Retry-After": "30"], #"{"message":"Maintenance"}"#) : .text(200)
    }
    func refresh(_ text: String) async throws -> FeedError? {
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: text)),
        configuration: HTTPConfiguration(rateLimiter: rateLimiter, transport: transport))
      return await Feed(source, configuration: FeedConfiguration(retryPolicy: .never)).refresh()
        .failure
    }
    let busy = try #require(URL(string: "\(Self.base)?busy"))
    let other = try #require(URL(string: "https://api.example.com/other"))
    #expect(
      try await refresh(busy.absoluteString)?.httpError
        == .status(503, url: busy, retryAfter: .seconds(30), message: "Maintenance"))
    clock.advance(by: .seconds(12))
    #expect(
      try await refresh(other.absoluteString)?.httpError
        == .heldBack(other, retryAfter: .seconds(18), reason: "Maintenance"))
    #expect(try await refresh("https://elsewhere.example") == nil)
    #expect(transport.requests.count == 2)
    clock.advance(by: .seconds(18))
    #expect(try await refresh(other.absoluteString) == nil)
  }

  @Test
  func `R4: two accounts of a server are paced each for itself`() async throws {
    let rateLimiter = RateLimiter(clock: ManualClock())
    let transport = FunctionTransport { request in
      request.headers["Authorization"] == "Bearer first-account"
        ? .text(429, ["Retry-After": "30"], #"{"message":"first-user asks too much"}"#) : .text(200)
    }
    func failure(_ token: String) async throws -> FeedError? {
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: Self.base)), credentials: .bearer(token),
        configuration: HTTPConfiguration(rateLimiter: rateLimiter, transport: transport))
      return await Feed(source, configuration: FeedConfiguration(retryPolicy: .never)).refresh()
        .failure
    }
    #expect(try await failure("first-account")?.isHeldBack == false)
    #expect(try await failure("first-account")?.isHeldBack == true)
    #expect(try await failure("second-account") == nil)
  }

  @Test(arguments: [404, 422, 401, 400])
  func
    `R4, T8: what is no matter of time holds nothing back, and no other list takes it for its end`(
      status: Int
    ) async throws
  {
    let transport = FunctionTransport { request in
      request.url.path == "/gone"
        ? .text(status, ["Retry-After": "30"]) : .text(200, [:], #"[{"id":1},{"id":2}]"#)
    }
    let rateLimiter = RateLimiter(clock: ManualClock())
    func feed(_ text: String) throws -> Feed<Commit> {
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: text)), paging: .offset(),
        configuration: HTTPConfiguration(rateLimiter: rateLimiter, transport: transport))
      return Feed(source, configuration: FeedConfiguration(retryPolicy: .never))
    }
    let gone = try await feed("https://api.example.com/gone").refresh().failure
    guard case .status(status, _, nil, _)? = gone?.httpError else {
      Issue.record("\(gone as Any)")
      return
    }
    let list = try feed(Self.base)
    #expect(await list.refresh().failure == nil)
    #expect(list.value.items.map(\.id) == [1, 2])
    #expect(transport.requests.map(\.url.path) == ["/gone", "/items"])
  }

  @Test(arguments: [403, 408, 425, 429, 500, 503])
  func `what is a matter of time says until when`(status: Int) {
    let response = HTTPResponse.text(status, ["Retry-After": "7"])
    #expect(RetryAfter(response, now: 0)?.seconds == 7)
  }

  /// A list of twenty pages on a server that answers six requests a minute, as Django REST
  /// framework's throttle counts them.
  final class Throttled: Sendable {
    struct State {
      var history: [Duration] = []
      var earliest = Duration.zero
      var tooEarly = 0
      var refused = 0
      var saysRemaining = false
    }
    let clock = ManualClock()
    let state = Locked(State())
    private let isDone = Locked(false)

    var now: Duration { clock.now.offset }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      let number = request.url.query.flatMap { Int($0) } ?? 0
      return state.withLock { state in
        let now = now
        if now < state.earliest { state.tooEarly += 1 }
        state.history.removeAll { $0 <= now - .seconds(60) }
        if state.history.count >= 6, let first = state.history.first {
          let left = (first + .seconds(60) - now).components
          let wait = left.seconds + (left.attoseconds > 0 ? 1 : 0)
          state.earliest = now + .seconds(wait)
          state.refused += 1
          return .text(
            429, ["Retry-After": "\(wait)"], #"{"detail":"Request was throttled."}"#)
        }
        state.history.append(now)
        let rows = (0..<3).map { #"{"id":\#(number * 3 + $0)}"# }.joined(separator: ",")
        let next = number < 19 ? "\"/items?\(number + 1)\"" : "null"
        var headers: HTTPHeaders = [:]
        if state.saysRemaining, state.history.count == 6 {
          headers = ["RateLimit": #""minute";r=0;t=60"#]
        }
        return .text(200, headers, #"{"items":[\#(rows)],"next":\#(next)}"#)
      }
    }

    func feed() throws -> (feed: Feed<Commit>, transport: FunctionTransport) {
      let transport = FunctionTransport { [self] in answer($0) }
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: RateLimiterTests.base)), paging: .nextURL("/next"),
        configuration: HTTPConfiguration(
          rateLimiter: RateLimiter(clock: clock), transport: transport))
      return (Feed(source, configuration: FeedConfiguration(clock: clock)), transport)
    }

    /// Lets time pass until something is done.
    func passing<Value: Sendable>(
      _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
      isDone.withLock { $0 = false }
      return await withTaskGroup(of: Value?.self) { group in
        group.addTask { [self] in
          let value = await body()
          isDone.withLock { $0 = true }
          return value
        }
        group.addTask { [self] in
          while !isDone.withLock({ $0 }) {
            if clock.sleeping > 0 { clock.advance(by: .milliseconds(500)) }
            await Task.yield()
          }
          return nil
        }
        var result: Value?
        for await value in group { result = value ?? result }
        guard let result else { preconditionFailure("it was done") }
        return result
      }
    }
  }

  @Test(arguments: [false, true])
  func `R4: a throttle of six requests a minute does not starve a list, and is never asked early`(
    saysRemaining: Bool
  ) async throws {
    let server = Throttled()
    server.state.withLock { $0.saysRemaining = saysRemaining }
    let (feed, transport) = try server.feed()
    let scrolled = await server.passing {
      await feed.refresh()
      while await feed.loadNext() == .idle {}
      return feed.value.state
    }
    #expect(scrolled.next == .end && scrolled.failure == nil)
    #expect(feed.value.items.map(\.id) == Array(0..<60))
    #expect(server.state.withLock { $0.tooEarly } == 0)
    let refused = server.state.withLock { $0.refused }
    // An append goes on where it stopped: no page is answered twice.
    #expect(transport.requests.count == 20 + refused)
    #expect(saysRemaining ? refused == 0 : refused >= 3)
    // All of it again, page after page, is one load that must not begin anew each time.
    let refreshed = await server.passing { await feed.refresh(.all) }
    #expect(refreshed == .idle && feed.value.items.count == 60)
    #expect(server.state.withLock { $0.tooEarly } == 0)
    #expect(transport.requests.count == 40 + server.state.withLock { $0.refused })
  }
}

extension FeedError {
  fileprivate var isHeldBack: Bool { if case .heldBack? = httpError { true } else { false } }
}
