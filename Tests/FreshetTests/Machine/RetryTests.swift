import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(15)))
struct RetryTests {
  /// Twenty rows of which five are loaded; each request is made twice at most.
  private func loaded() -> History {
    var history = History(
      Array(0..<20),
      configuration: FeedConfiguration(
        pageSize: 5,
        retryPolicy: RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1))))
    history.ask { $0.load(.refresh) }
    return history
  }

  /// The oldest request fails for a reason that may pass.
  private func fail(_ history: inout History) {
    let request = history.pending.removeFirst()
    let error = FeedError.unreachable(
      URL(fileURLWithPath: "/"), code: .notConnectedToInternet, reason: "a test")
    history.perform(
      "fail", history.machine.receive(.failure(error), for: request.ticket, at: .distantPast))
  }

  @Test
  func `while paused, loads wait instead of failing, and go on when resumed`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    server.hold()
    async let more = feed.loadNext()
    await server.waiting(1)
    feed.pause()
    server.failNext(
      with: FeedError.unreachable(
        URL(fileURLWithPath: "/"), code: .notConnectedToInternet, reason: "a test"))
    server.releaseAll()
    async let refreshed = feed.refresh()
    while server.requests.count < 2 || feed.value.state.refresh != .loading { await Task.yield() }
    #expect(feed.value.state.isPaused && feed.value.state.next == .loading)
    #expect(server.requests.count == 2)
    feed.resume()
    #expect(await more == .idle)
    #expect(await refreshed == .idle)
    #expect(server.requests.count == 4 && feed.value.items.count == 20)
    #expect(!feed.value.state.isPaused && feed.value.diagnostics.retries == 0)
  }

  @Test
  func `R4: what is on screen asks neither for what failed nor before its next attempt`() {
    var history = loaded()
    history.begin { $0.loadAhead(.next, waiter: 1) }
    fail(&history)
    // It waits for its next attempt, and whoever scrolls waits with it.
    history.begin { $0.loadAhead(.next, waiter: 2) }
    #expect(history.pending.isEmpty && history.pausing.count == 1)
    let wait = history.pausing.removeFirst()
    history.begin { $0.proceed(with: wait) }
    fail(&history)
    #expect(history.machine.value.state.next.failure != nil)
    history.begin { $0.loadAhead(.next, waiter: 3) }
    #expect(history.pending.isEmpty && history.pausing.isEmpty)
    // A person who asks is another matter.
    history.ask { $0.load(.next) }
    history.settle()
    #expect(history.machine.value.items.count == 10)
    history.begin { $0.load(.refresh) }
    fail(&history)
    let second = history.pausing.removeFirst()
    history.begin { $0.proceed(with: second) }
    fail(&history)
    history.begin { $0.loadAhead(.next, waiter: 4) }
    #expect(history.pending.isEmpty, "the head failed")
  }

  @Test
  func `retry asks for what failed, too, while another edge waits for its next attempt`() {
    var history = loaded()
    history.begin { $0.load(.refresh) }
    fail(&history)
    let wait = history.pausing.removeFirst()
    history.begin { $0.proceed(with: wait) }
    fail(&history)
    history.begin { $0.load(.next) }
    fail(&history)
    #expect(history.machine.value.state.refresh.failure != nil && history.pausing.count == 1)
    history.begin { $0.retry() }
    #expect(history.pending.count == 2)
    history.settle()
    #expect(history.machine.value.state.failure == nil)
    #expect(history.machine.value.items.count == 10)
  }

  @Test(arguments: [URLError.notConnectedToInternet, .timedOut, .badServerResponse])
  func `a source's own network failure is one that may pass`(code: URLError.Code) async {
    let server = ScriptedServer([Post(id: 1)])
    let clock = ManualClock()
    let feed = Feed(
      server.source(.keyset),
      configuration: FeedConfiguration(
        retryPolicy: RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1)), clock: clock))
    server.failNext(with: URLError(code))
    async let refreshed = feed.refresh()
    if code != .badServerResponse {
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    #expect(await (refreshed.failure == nil) == (code != .badServerResponse))
  }

  @Test
  func `R1: a list that is replaced tells who waits for another edge`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let clock = ManualClock()
    let feed = Feed(
      server.source(.keyset),
      configuration: FeedConfiguration(
        pageSize: 10, refreshPolicy: .replace,
        retryPolicy: RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1)), clock: clock))
    await feed.refresh()
    server.failNext(
      with: FeedError.unreachable(
        URL(fileURLWithPath: "/"), code: .notConnectedToInternet, reason: "a test"))
    async let more = feed.loadNext()
    await clock.sleepers(1)
    server.insert(Post(id: 100), at: 0)
    #expect(await feed.refresh() == .idle)
    #expect(await more == .idle)
    #expect(feed.value.items.count == 10)
  }

  @Test
  func `a failure that is not the network's is told even while paused`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    server.hold()
    async let refreshed = feed.refresh()
    await server.waiting(1)
    feed.pause()
    server.failNext(with: ScriptedFailure())
    server.releaseAll()
    #expect(await refreshed.failure != nil)
  }

  let server = ScriptedServer((0..<40).map { Post(id: $0) })
  let clock = ManualClock()

  func feed(_ attempts: Int) -> Feed<Post> {
    Feed(
      server.source(.cursor),
      configuration: FeedConfiguration(
        pageSize: 10,
        retryPolicy: RetryPolicy(attempts: attempts, generator: SeededGenerator(seed: 1)),
        clock: clock))
  }

  func unavailable(_ retryAfter: Double? = nil) throws -> FeedError {
    .http(
      status: 503, url: try #require(URL(string: "https://a.example")), retryAfter: retryAfter,
      message: nil)
  }

  @Test
  func `R4: a failure that may pass is asked for again, so many times, later and later`()
    async throws
  {
    let feed = feed(3)
    for _ in 0..<4 { server.failNext(with: try unavailable()) }
    async let outcome = feed.refresh()
    for attempt in 0..<3 {
      await clock.sleepers(1)
      #expect(feed.value.state.refresh == .loading)
      #expect(server.requests.count == attempt + 1)
      clock.advance(by: .milliseconds(499 << attempt))
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(501 << attempt))
    }
    #expect(await outcome == .failed(try unavailable()))
    #expect(server.requests.count == 4)
    #expect(await feed.refresh() == .idle)
  }

  @Test
  func `R4: Retry-After is a lower bound, and too long a wait is none`() async throws {
    let feed = feed(2)
    server.failNext(with: try unavailable(20))
    async let outcome = feed.refresh()
    await clock.sleepers(1)
    clock.advance(by: .seconds(20))
    #expect(clock.sleeping == 1)
    clock.advance(by: .seconds(1))
    #expect(await outcome == .idle)
    server.failNext(with: try unavailable(3600))
    #expect(await feed.refresh().failure != nil)
  }

  @Test
  func `a load of several pages goes on where it stopped, with new attempts for each page`()
    async throws
  {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<3 { await feed.loadNext() }
    #expect(feed.value.items.count == 40)
    let known = server.requests.count
    server.hold()
    async let outcome = feed.refresh(.all)
    for _ in 0..<3 {
      await server.waiting(1)
      server.release()
      await server.waiting(1)
      server.failNext(with: try unavailable())
      server.release()
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    await server.waiting(1)
    server.releaseAll()
    #expect(await outcome == .idle)
    // Four pages, of which three were asked for twice.
    let requests = server.requests[known...]
    #expect(requests.count == 7 && Set(requests.map(\.key)).count == 4)
    #expect(Array(feed.value.items) == server.items && feed.value.diagnostics.retries == 3)
  }

  @Test
  func `R2: what a load had read before it waited does not undo what others read meanwhile`()
    async throws
  {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<2 { await feed.loadNext() }
    server.hold()
    async let outcome = feed.refresh(.all)
    await server.waiting(1)
    server.release()
    await server.waiting(1)
    server.failNext(with: try unavailable())
    server.releaseAll()
    await clock.sleepers(1)
    server.update(Post(id: 3, version: 1))
    server.delete(5)
    server.move(20, to: 1)
    let known = server.requests.count
    await feed.loadNext()
    clock.advance(by: .seconds(1))
    #expect(await outcome == .idle)
    #expect(Array(feed.value.items) == server.items)
    #expect(server.requests[known...].contains { $0.key == nil })
  }

  @Test
  func `R4: a page that fails again and again ends a load of several pages`() async throws {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<3 { await feed.loadNext() }
    server.hold()
    async let outcome = feed.refresh(.all)
    await server.waiting(1)
    server.release()
    await server.waiting(1)
    for _ in 0..<2 { server.failNext(with: try unavailable()) }
    server.releaseAll()
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await outcome == .failed(try unavailable()))
    #expect(feed.value.items.count == 40)
  }

  @Test
  func
    `the polite policy makes few attempts, spread over all of their time, and obeys two minutes`()
    throws
  {
    var waits: [Duration] = []
    for seed in SeededGenerator.seeds(200) {
      var policy = RetryPolicy.polite
      policy = RetryPolicy(
        attempts: policy.attempts, base: policy.base, limit: policy.limit, jitter: policy.jitter,
        generator: SeededGenerator(seed: seed))
      let found = policy.wait(after: try unavailable(), attempt: 0)
      waits.append(try #require(found))
      let asked = policy.wait(after: try unavailable(120), attempt: 2)
      #expect(try #require(asked) >= .seconds(120))
      #expect(policy.wait(after: try unavailable(121), attempt: 0) == nil)
      #expect(policy.wait(after: try unavailable(), attempt: 3) == nil)
    }
    #expect(
      waits.contains { $0 < .milliseconds(400) } && waits.contains { $0 > .milliseconds(1600) })
  }

  @Test(arguments: [
    (URLError.Code.serverCertificateUntrusted, false), (.unsupportedURL, false), (.timedOut, true),
    (.networkConnectionLost, true), (.badServerResponse, true),
  ])
  func `a server that cannot be reached for good is not asked again`(
    code: URLError.Code, mayPass: Bool
  ) throws {
    let url = try #require(URL(string: "https://a.example"))
    #expect(FeedError.unreachable(url, code: code, reason: "").mayPass == mayPass)
  }

  @Test
  func `R4: what does not pass by itself is not asked for again`() async {
    let feed = feed(2)
    server.failNext(with: ScriptedFailure())
    #expect(await feed.refresh() == .failed(.source(ScriptedFailure())))
  }

  @Test
  func `who asks while a load waits is served at once, and is one request with it`() async throws {
    let feed = feed(2)
    server.failNext(with: try unavailable())
    async let first = feed.refresh()
    await clock.sleepers(1)
    #expect(await feed.retry() == .idle)
    #expect(await first == .idle)
    #expect(server.requests.count == 2 && clock.sleeping == 0)
  }

  @Test
  func `R3: cancelling the last who waits ends the attempts`() async throws {
    let feed = feed(2)
    server.failNext(with: try unavailable())
    let waiting = Task { await feed.refresh() }
    await clock.sleepers(1)
    waiting.cancel()
    #expect(await waiting.value == .idle)
    clock.advance(by: .seconds(60))
    #expect(server.requests.count == 1)
    #expect(await feed.refresh() == .idle)
  }

  @Test
  func `a load that waits holds up no other`() async throws {
    let feed = feed(2)
    await feed.refresh()
    server.failNext(with: try unavailable(50))
    async let more = feed.loadNext()
    await clock.sleepers(1)
    server.insert(Post(id: 100), at: 0)
    #expect(await feed.refresh() == .idle)
    #expect(feed.value.items.first?.id == 100)
    clock.advance(by: .seconds(60))
    #expect(await more == .idle)
    #expect(feed.value.items.count == 21)
  }

  @Test
  func `waits double, within half of their length, up to the limit`() throws {
    var policy = RetryPolicy(attempts: 50, generator: SeededGenerator(seed: 7))
    for attempt in 0..<50 {
      let longest = min(Duration.seconds(1) * (1 << min(attempt, 30)), .seconds(60))
      let found = policy.wait(after: try unavailable(), attempt: attempt)
      let wait = try #require(found)
      #expect(wait <= longest && wait >= longest / 2)
    }
    let last = policy.wait(after: try unavailable(), attempt: 50)
    #expect(last == nil)
  }

  @Test(arguments: [
    Duration.zero, .seconds(-1), .milliseconds(1), .seconds(3_000_000), .seconds(Int64.max),
    .seconds(Int64.min),
  ])
  func `waits of any length stay within what was asked for`(length: Duration) throws {
    for (base, limit) in [(length, .seconds(60)), (.seconds(1), length), (length, length)] {
      var policy = RetryPolicy(
        attempts: 100, base: base, limit: limit, generator: SeededGenerator(seed: 7))
      for attempt in [0, 1, 19, 20, 63, 64, 99] {
        guard let wait = policy.wait(after: try unavailable(), attempt: attempt) else {
          #expect(limit < .zero)
          continue
        }
        #expect(wait >= .zero && wait <= max(limit, .zero))
      }
    }
  }
}
