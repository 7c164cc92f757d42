import FreshetTesting
import Testing

@testable import Freshet

/// Rule R7: what failed because the source could not be reached is asked for again once it can be.
@Suite(.timeLimit(.minutes(5)))
struct ReachedAgainTests {
  @Test
  func `R7: a page that comes through shows that the head can be asked for again`() {
    var history = History.failing()
    history.server.insert(Post(id: 100), at: 0)
    history.begin { $0.load(.refresh) }
    history.failOldest()
    #expect(history.machine.value.state.refresh.failure != nil && history.pending.isEmpty)

    history.ask { $0.load(.next) }
    #expect(history.machine.value.items.map(\.id) == [100] + Array(0..<10))
    #expect(history.machine.value.state.failure == nil && history.violations == [])
  }

  @Test
  func `R7: a refresh that comes through forgets why the next page did not`() {
    var history = History.failing()
    history.begin { $0.load(.next) }
    history.failOldest()
    #expect(history.machine.value.state.next.failure != nil)

    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.state.next == .idle && history.pending.isEmpty)
    #expect(history.machine.value.items.count == 5)
  }

  @Test
  func `R7: resuming asks again for what could not be reached, and for nothing else`() {
    var history = History.failing()
    history.begin { $0.load(.refresh, scope: .all) }
    history.failOldest()
    history.begin { $0.load(.next) }
    let request = history.pending.removeFirst()
    history.begin {
      $0.receive(.failure(.pagingLoop(key: "5")), for: request.ticket, at: $1)
    }
    history.begin { $0.resume() }
    #expect(history.pending.count == 1 && history.machine.value.state.refresh == .loading)
    history.settle()
    #expect(history.machine.value.state.refresh == .idle)
    #expect(history.machine.value.state.next == .failed(.pagingLoop(key: "5")))
  }
}

extension History {
  /// Five of twenty rows are loaded, and nothing is tried again by itself.
  fileprivate static func failing() -> History {
    var history = retrying(0)
    history.ask { $0.load(.refresh) }
    return history
  }
}
