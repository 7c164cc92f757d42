import FreshetTesting
import Testing

@testable import Freshet

/// A list of which nothing is known, and a source that cannot be reached.
@Suite(.timeLimit(.minutes(5)))
struct FirstLoadTests {
  private var notice: ListPlaceholder {
    .failed(ErrorNotice(FeedError.unreached, isRetriedByItself: true))
  }

  @Test
  func `a list without rows says at once what is wrong, and that it is tried again`() {
    var history = History.retrying(2)
    history.begin { $0.load(.refresh) }
    #expect(ListPlaceholder(history.machine.value) == .loading)
    history.failOldest()
    #expect(history.machine.value.state.refresh == .loading)
    #expect(history.machine.value.state.retrying == .unreached)
    #expect(ListPlaceholder(history.machine.value) == notice)
    // It goes on saying so while it is tried again by itself.
    history.waitIsOver()
    #expect(ListPlaceholder(history.machine.value) == notice)
    history.failOldest()
    history.waitIsOver()
    history.failOldest()
    #expect(history.machine.value.state.retrying == nil)
    #expect(history.machine.value.state.refresh == .failed(.unreached))
    #expect(ListPlaceholder(history.machine.value) == .failed(ErrorNotice(FeedError.unreached)))
  }

  @Test
  func `what was wrong is forgotten with an answer, and when somebody asks`() {
    for asking in 0..<3 {
      var history = History.retrying(2)
      history.begin { $0.load(.refresh) }
      history.failOldest()
      history.pausing = []
      switch asking {
      case 0: history.wait(1) { $0.load(.refresh, waiter: $1) }
      case 1: history.begin { $0.retry() }
      default: history.begin { $0.resume() }
      }
      #expect(history.machine.value.state.retrying == nil && history.pending.count == 1)
      #expect(ListPlaceholder(history.machine.value) == .loading)
      history.failOldest()
      #expect(history.machine.value.state.retrying == .unreached)
      history.waitIsOver()
      history.answerOldest()
      #expect(history.machine.value.state.retrying == nil && history.violations == [])
      #expect(ListPlaceholder(history.machine.value) == nil)
    }
  }

  @Test
  func `a load of several pages that goes on is not called tried again`() {
    var history = History.retrying(1)
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.begin { $0.load(.refresh, scope: .all) }
    history.failOldest()
    #expect(history.machine.value.state.retrying == .unreached)
    history.waitIsOver()
    history.answerOldest()
    #expect(history.machine.value.state.retrying == nil)
    #expect(history.machine.value.state.refresh == .loading && history.pending.count == 1)
  }

  @Test(arguments: [FeedEdge.next, .previous])
  func `R4: rows beyond a first page that failed after all its attempts are asked for once`(
    edge: FeedEdge
  ) {
    var history = History.retrying(2)
    history.wait(1) { $0.load(.refresh, waiter: $1) }
    for _ in 0..<2 {
      history.failOldest()
      history.waitIsOver()
    }
    history.failOldest()
    #expect(history.outcomes[1] == .failed(.unreached))
    history.wait(2) { $0.load(edge, waiter: $1) }
    history.failOldest()
    #expect(history.outcomes[2] == .failed(.unreached))
    #expect(history.pending.isEmpty && history.pausing.isEmpty)
    // A refresh has all attempts again.
    history.wait(3) { $0.load(.refresh, waiter: $1) }
    history.failOldest()
    #expect(history.pausing.count == 1 && history.outcomes[3] == nil)
    history.settle()
    #expect(history.outcomes[3] == .idle && history.violations == [])
  }

  @Test
  func `a first load by way of its end has all attempts`() {
    var history = History.retrying(1)
    history.wait(1) { $0.load(.next, waiter: $1) }
    history.failOldest()
    history.waitIsOver()
    history.answerOldest()
    #expect(history.outcomes[1] == .idle && history.machine.value.items.count == 5)
  }

  @Test
  func `lists that are merged are tried again where one of them is`() {
    var (tried, other) = (ListStatus(), ListStatus())
    tried.state.retrying = .unreached
    other.state.refresh = .loading
    #expect(ListStatus.merged([other, tried]).state.retrying == .unreached)
  }
}
