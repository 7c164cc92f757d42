import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Loads that wait ask for what was wanted, once they may.
@Suite(.timeLimit(.minutes(5)))
struct PausedLoadTests {
  /// Two pages of twenty rows; each request is made twice at most.
  static func history(_ paging: ScriptedPaging = .keyset) -> History {
    var history = History(
      Array(0..<20), paging,
      configuration: FeedConfiguration(
        pageSize: 5, retryPolicy: RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1))))
    for _ in 0..<2 { history.ask { $0.load(.next) } }
    return history
  }

  /// The oldest request fails.
  static func fail(_ history: inout History, _ error: FeedError) {
    let ticket = history.pending.removeFirst().ticket
    history.begin { $0.receive(.failure(error), for: ticket, at: $1) }
  }

  @Test
  func `retry asks a refresh that waits for no more than was wanted of it`() {
    var history = Self.history()
    history.begin { $0.load(.refresh, scope: .all) }
    Self.fail(&history, .source(ScriptedFailure()))
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.state.refresh == .idle)
    history.begin { $0.load(.refresh) }
    Self.fail(&history, .unreached)
    #expect(history.pending.isEmpty && history.pausing.count == 1)
    history.begin { $0.retry() }
    #expect(history.pending.count == 1)
    history.answerOldest()
    #expect(history.pending.isEmpty && history.machine.value.state.refresh == .idle)
    #expect(history.violations == [])
  }

  @Test
  func `retry asks again for all of what failed`() {
    var history = Self.history()
    history.begin { $0.load(.refresh, scope: .all) }
    Self.fail(&history, .source(ScriptedFailure()))
    history.begin { $0.retry() }
    history.answerOldest()
    #expect(history.pending.count == 1)
    history.settle()
    #expect(history.machine.value.state.refresh == .idle && history.violations == [])
  }

  @Test
  func `while paused, nothing is asked for in the place of a key that expired`() {
    var history = Self.history(.cursor)
    history.begin { $0.load(.next) }
    history.begin { $0.pause() }
    history.server.expireCursors()
    history.answerOldest()
    #expect(history.pending.isEmpty && history.machine.value.state.next == .loading)
    history.begin { $0.resume() }
    #expect(history.pending.count == 1)
    history.settle()
    #expect(history.machine.value.items.count == 15 && history.violations == [])
  }

  @Test
  func `R5: while paused, a load that is wanted shows as loading at once`() {
    var history = Self.history()
    history.begin { $0.pause() }
    history.begin { $0.willDisplay(9, at: $1) }
    #expect(history.pending.isEmpty && history.machine.value.state.next == .loading)
    // A refresh that follows another one waits as well.
    history.begin { $0.resume() }
    history.settle()
    history.begin { $0.load(.refresh) }
    history.begin { $0.follow(.invalidate, token: 1, at: $1) }
    history.begin { $0.pause() }
    history.answerOldest()
    #expect(history.pending.isEmpty && history.machine.value.state.refresh == .loading)
    history.begin { $0.resume() }
    history.settle()
    #expect(history.machine.value.state.refresh == .idle && history.violations == [])
  }
}
