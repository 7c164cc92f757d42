import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// R2: what the source says has changed is asked for after it said so, whatever is under way.
@Suite(.timeLimit(.minutes(5)))
struct InvalidationTests {
  /// A feed of three rows whose refresh was answered and is on its way, while the first row
  /// changes.
  private func historyWithLateAnswer() -> History {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.ask { $0.load(.refresh) }
    history.waiting = [1]
    history.begin { $0.load(.refresh, waiter: 1) }
    history.serve(0)
    history.server.update(Post(id: 1, version: 1))
    return history
  }

  @Test
  func `R2: a change behind an answer under way is asked for once more, however often it is told`()
  {
    var history = historyWithLateAnswer()
    for token in 1...3 { history.begin { $0.follow(.invalidate, token: token, at: $1) } }
    #expect(history.pending.count == 1)
    history.answerOldest()
    #expect(history.machine.value.outline == "1 2 3")
    #expect(history.outcomes == [1: .idle])
    #expect(history.pending.count == 1 && history.machine.value.state.refresh == .loading)
    history.answerOldest()
    #expect(history.machine.value.outline == "1v1 2 3")
    #expect(history.pending.isEmpty && history.machine.value.state.refresh == .idle)
    #expect(history.violations == [])
  }

  @Test
  func `R2: who waits for a change waits for the answer that has it, and R1 for the others`() {
    var history = historyWithLateAnswer()
    history.waiting.formUnion([2, 3, 4])
    history.begin { $0.load(.refresh, waiter: 3) }
    history.machine.planner.markChanged(after: nil)
    history.begin { $0.load(.refresh, waiter: 2) }
    history.begin { $0.load(.refresh, scope: .all, waiter: 4) }
    history.answerOldest()
    #expect(history.outcomes == [1: .idle, 3: .idle])
    history.answerOldest()
    #expect(history.outcomes == [1: .idle, 2: .idle, 3: .idle, 4: .idle])
    #expect(history.pending.isEmpty && history.violations == [])
  }

  @Test
  func `R2: what is to be asked anew knows of the change, and nothing follows it`() {
    let retry = RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1))
    var history = History([1, 2, 3], configuration: FeedConfiguration(retryPolicy: retry))
    history.begin { $0.load(.refresh) }
    history.begin { $0.follow(.invalidate, token: 1, at: $1) }
    let request = history.pending.removeFirst()
    let failure = FeedError.unreached
    history.begin { $0.receive(.failure(failure), for: request.ticket, at: $1) }
    // While it waits for its next attempt it may be told again.
    history.begin { $0.follow(.invalidate, token: 2, at: $1) }
    history.settle()
    #expect(history.machine.planner.lastRequest == 2)
    #expect(history.machine.value.outline == "1 2 3" && history.violations == [])
  }

  @Test
  func `R3: cancelling the refresh before does not cancel the one that follows, nor the reverse`() {
    var history = historyWithLateAnswer()
    history.waiting.formUnion([2, 3])
    history.machine.planner.markChanged(after: nil)
    history.begin { $0.load(.refresh, waiter: 2) }
    history.begin { $0.load(.refresh, waiter: 3) }
    history.begin { $0.cancel(waiter: 2, at: $1) }
    #expect(history.pending.count == 1)
    history.begin { $0.cancel(waiter: 1, at: $1) }
    #expect(history.pending.count == 1)
    history.answerOldest()
    #expect(history.outcomes[3] == .idle && history.machine.value.outline == "1v1 2 3")
    #expect(history.pending.isEmpty && history.waiting.isEmpty && history.violations == [])
  }

  @Test
  func `R2: a change told while rows are read from disk is asked for after what was sent before`() {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.machine.beginRestoring()
    let first = CachedRows<Post>(
      rows: [.item(Post(id: 1), nil)], isComplete: false, count: 2)
    history.begin { $0.restore(first, at: $1) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.follow(.invalidate, token: 1, at: $1) }
    history.server.update(Post(id: 1, version: 1))
    history.begin { $0.restore(CachedRows(rows: [.item(Post(id: 2), nil)]), at: $1) }
    while !history.pending.isEmpty { history.answerOldest() }
    #expect(history.machine.value.outline == "1v1 2 3")
    #expect(history.machine.planner.lastRequest == 2 && history.violations == [])
  }

  @Test
  func `R4: where the refresh before fails, the one that was to follow is not sent`() {
    var history = historyWithLateAnswer()
    history.waiting.formUnion([2])
    history.machine.planner.markChanged(after: nil)
    history.begin { $0.load(.refresh, waiter: 2) }
    let request = history.pending.removeFirst()
    let failure = FeedError.unreached
    history.begin { $0.receive(.failure(failure), for: request.ticket, at: $1) }
    #expect(history.pending.isEmpty)
    #expect(history.outcomes == [1: .failed(failure), 2: .failed(failure)])
    #expect(history.machine.value.state.refresh == .failed(failure))
    history.ask { $0.retry() }
    #expect(history.machine.value.outline == "1v1 2 3" && history.violations == [])
  }

  @Test
  func `R2: a feed of a family that became invalid under way is asked once more, for all callers`()
    async throws
  {
    let server = ScriptedServer((0..<3).map { Post(id: $0) })
    let family = FeedFamily<Int, Post> { _ in server.source(.keyset) }
    let feed = family[1]
    server.hold()
    async let before = feed.refresh()
    #expect(await server.waiting(1))
    family.invalidate()
    let list = QueryFeed(family, query: 1)
    async let first = list.refresh()
    async let second = list.refresh()
    #expect(await eventually { await feed.waiters >= 4 })
    server.releaseAll()
    _ = await (before, first, second)
    #expect(server.requests.count == 2)
  }

  @Test
  func `news are followed from a refresh that is sent when they are`() async throws {
    let server = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset))
    server.hold()
    async let refreshed = feed.refresh()
    #expect(await server.waiting(1))
    async let followed: Void = feed.follow(AsyncStream<FeedEvent<Post>> { $0.finish() })
    #expect(await eventually { await feed.waiters >= 2 })
    server.releaseAll()
    _ = await refreshed
    try await followed
    #expect(server.requests.count == 2)
  }
}
