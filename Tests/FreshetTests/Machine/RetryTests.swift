import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
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

  @Test
  func `T5: an error of a source that says that its key expired is met by another key`() async {
    let server = ScriptedServer((0..<10).map { Post(id: $0) })
    let feed = Feed(server.source(.cursor), configuration: FeedConfiguration(pageSize: 5))
    await feed.refresh()
    server.failNext(with: ScriptedFailure(isStaleKey: true))
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == Array(0..<10) && feed.value.state.failure == nil)
  }

  @Test
  func `R4: a failure that may pass is asked for again, so many times, later and later`()
    async
  {
    let feed = feed(3)
    for _ in 0..<4 { server.failNext(with: FeedError.unavailable()) }
    async let outcome = feed.refresh()
    for attempt in 0..<3 {
      #expect(await clock.sleepers(1))
      #expect(feed.value.state.refresh == .loading)
      #expect(server.requests.count == attempt + 1)
      clock.advance(by: .milliseconds(499 << attempt))
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(501 << attempt))
    }
    #expect(await outcome == .failed(.unavailable()))
    #expect(server.requests.count == 4)
    #expect(await feed.refresh() == .idle)
  }

  @Test
  func `N4: a page that takes minutes to fail is not asked for again and again`() async {
    let feed = feed(3)
    server.hold()
    async let outcome = feed.refresh()
    for attempt in 1...2 {
      #expect(await server.waiting(1))
      clock.advance(by: .seconds(150))
      server.failNext(with: FeedError.unavailable())
      server.release()
      guard attempt == 1 else { break }
      #expect(await clock.sleepers(1))
      clock.advance(by: .seconds(1))
    }
    #expect(await outcome == .failed(.unavailable()))
    #expect(server.requests.count == 2)
  }

  @Test
  func `R4: pages that came through use up no time of those that fail`() {
    var history = History.retrying(3)
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.begin { $0.load(.refresh, scope: .all) }
    for _ in 0..<2 {
      let ticket = history.pending.removeFirst().ticket
      history.begin {
        $0.receive(.failure(.unreached), for: ticket, at: $1, after: .seconds(200))
      }
      history.waitIsOver()
      history.answerOldest()
    }
    history.settle()
    #expect(history.machine.value.state.failure == nil && history.violations == [])
  }

  @Test
  func `R4: Retry-After is a lower bound, and too long a wait is none`() async {
    let feed = feed(2)
    server.failNext(with: FeedError.unavailable(20))
    async let outcome = feed.refresh()
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(20))
    #expect(clock.sleeping == 1)
    clock.advance(by: .seconds(1))
    #expect(await outcome == .idle)
    server.failNext(with: FeedError.unavailable(3600))
    #expect(await feed.refresh().failure != nil)
  }

  @Test
  func `a load of several pages goes on where it stopped, with new attempts for each page`()
    async
  {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<3 { await feed.loadNext() }
    #expect(feed.value.items.count == 40)
    let known = server.requests.count
    server.hold()
    async let outcome = feed.refresh(.all)
    for _ in 0..<3 {
      #expect(await server.waiting(1))
      server.release()
      #expect(await server.waiting(1))
      server.failNext(with: FeedError.unavailable())
      server.release()
      #expect(await clock.sleepers(1))
      clock.advance(by: .seconds(1))
    }
    #expect(await server.waiting(1))
    server.releaseAll()
    #expect(await outcome == .idle)
    // Four pages, of which three were asked for twice.
    let requests = server.requests[known...]
    #expect(requests.count == 7 && Set(requests.map(\.key)).count == 4)
    #expect(Array(feed.value.items) == server.items && feed.value.diagnostics.retries == 3)
  }

  @Test
  func `R2: what a load had read before it waited does not undo what others read meanwhile`()
    async
  {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<2 { await feed.loadNext() }
    server.hold()
    async let outcome = feed.refresh(.all)
    #expect(await server.waiting(1))
    server.release()
    #expect(await server.waiting(1))
    server.failNext(with: FeedError.unavailable())
    server.releaseAll()
    #expect(await clock.sleepers(1))
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
  func `R4: a page that fails again and again ends a load of several pages`() async {
    let feed = feed(1)
    await feed.refresh()
    for _ in 0..<3 { await feed.loadNext() }
    server.hold()
    async let outcome = feed.refresh(.all)
    #expect(await server.waiting(1))
    server.release()
    #expect(await server.waiting(1))
    for _ in 0..<2 { server.failNext(with: FeedError.unavailable()) }
    server.releaseAll()
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(1))
    #expect(await outcome == .failed(.unavailable()))
    #expect(feed.value.items.count == 40)
  }

  @Test
  func `R4: what does not pass by itself is not asked for again`() async {
    let feed = feed(2)
    server.failNext(with: ScriptedFailure())
    #expect(await feed.refresh() == .failed(.source(ScriptedFailure())))
  }

  @Test
  func `who asks while a load waits is served at once, and is one request with it`() async {
    let feed = feed(2)
    server.failNext(with: FeedError.unavailable())
    async let first = feed.refresh()
    #expect(await clock.sleepers(1))
    #expect(await feed.retry() == .idle)
    #expect(await first == .idle)
    #expect(server.requests.count == 2 && clock.sleeping == 0)
  }

  @Test
  func `R3: cancelling the last who waits ends the attempts`() async {
    let feed = feed(2)
    server.failNext(with: FeedError.unavailable())
    let waiting = Task { await feed.refresh() }
    #expect(await clock.sleepers(1))
    waiting.cancel()
    #expect(await waiting.value == .idle)
    clock.advance(by: .seconds(60))
    #expect(server.requests.count == 1)
    #expect(await feed.refresh() == .idle)
  }

  @Test
  func `a load that waits holds up no other`() async {
    let feed = feed(2)
    await feed.refresh()
    server.failNext(with: FeedError.unavailable(50))
    async let more = feed.loadNext()
    #expect(await clock.sleepers(1))
    server.insert(Post(id: 100), at: 0)
    #expect(await feed.refresh() == .idle)
    #expect(feed.value.items.first?.id == 100)
    clock.advance(by: .seconds(60))
    #expect(await more == .idle)
    #expect(feed.value.items.count == 21)
  }

  @Test(arguments: [URLError.notConnectedToInternet, .timedOut, .badServerResponse])
  func `a source's own network failure is one that may pass`(code: URLError.Code) async {
    let feed = feed(1)
    server.failNext(with: URLError(code))
    async let refreshed = feed.refresh()
    if code != .badServerResponse {
      #expect(await clock.sleepers(1))
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
    server.failNext(with: FeedError.unreached)
    async let more = feed.loadNext()
    #expect(await clock.sleepers(1))
    server.insert(Post(id: 100), at: 0)
    #expect(await feed.refresh() == .idle)
    #expect(await more == .idle)
    #expect(feed.value.items.count == 10)
  }

  @Test
  func `retry asks for what failed, too, while another edge waits for its next attempt`() {
    var history = History.retrying(1)
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    history.failOldest()
    history.waitIsOver()
    history.failOldest()
    history.begin { $0.load(.next) }
    history.failOldest()
    #expect(history.machine.value.state.refresh.failure != nil && history.pausing.count == 1)
    history.begin { $0.retry() }
    #expect(history.pending.count == 2)
    history.settle()
    #expect(history.machine.value.state.failure == nil)
    #expect(history.machine.value.items.count == 10)
  }
}
