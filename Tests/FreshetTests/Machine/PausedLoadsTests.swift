import FreshetTesting
import Testing

@testable import Freshet

/// Loads that wait until the user says that the source can be reached again.
@Suite(.timeLimit(.minutes(5)))
struct PausedLoadsTests {
  @Test
  func `while paused, loads wait instead of failing, and go on when resumed`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    server.hold()
    async let more = feed.loadNext()
    #expect(await server.waiting(1))
    feed.pause()
    server.failNext(with: FeedError.unreached)
    server.releaseAll()
    async let refreshed = feed.refresh()
    #expect(await eventually { server.requests.count >= 2 && feed.value.state.refresh == .loading })
    #expect(feed.value.state.isPaused && feed.value.state.next == .loading)
    #expect(server.requests.count == 2)
    feed.resume()
    #expect(await more == .idle)
    #expect(await refreshed == .idle)
    #expect(server.requests.count == 4 && feed.value.items.count == 20)
    #expect(!feed.value.state.isPaused && feed.value.diagnostics.retries == 0)
  }

  @Test
  func `a failure that is not the network's is told even while paused`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    server.hold()
    async let refreshed = feed.refresh()
    #expect(await server.waiting(1))
    feed.pause()
    server.failNext(with: ScriptedFailure())
    server.releaseAll()
    #expect(await refreshed.failure != nil)
  }
}
