import FreshetTesting
import Testing

@testable import Freshet

/// R6: what the source says is gone does not come back by an edit that ends later.
@Suite(.timeLimit(.minutes(15)))
struct GoneForGoodTests {
  func history(
    _ ids: [Int] = [1, 2, 3], sortedBy order: (@Sendable (Post, Post) -> Bool)? = nil
  ) -> History {
    var configuration = FeedConfiguration(pageSize: 4)
    configuration.deletionHorizon = .zero
    var history = History(ids, sortedBy: order, configuration: configuration)
    history.ask { $0.load(.head) }
    return history
  }

  @Test
  func `a deletion that fails brings back no row that the source deleted meanwhile`() {
    var history = history()
    history.begin { $0.delete(1, token: 1) }
    history.server.delete(1)
    history.begin { $0.follow(.delete(1), token: 2) }
    history.begin { $0.undo(1) }
    #expect(history.machine.value.outline == "2 3")
  }

  @Test
  func `an item that is deleted before its creation is answered stays away`() {
    var history = history()
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1) }
    history.begin { $0.follow(.delete(7), token: 2) }
    history.begin { $0.confirm(1, as: Post(id: 7)) }
    #expect(history.machine.value.outline == "1 2 3")
  }

  @Test
  func `a deletion that the source took is not undone by news that waited`() {
    var history = history([1, 2, 3, 4, 5]) { $0.id < $1.id }
    history.begin { $0.delete(4, token: 1) }
    history.begin { $0.load(.tail) }
    history.begin { $0.follow(.upsert(Post(id: 4, version: 1)), token: 2) }
    history.server.delete(4)
    history.begin { $0.confirm(1) }
    history.settle()
    #expect(history.machine.value.outline == "1 2 3 5")
  }
}
