import FreshetTesting
import Testing

@testable import Freshet

/// What belongs between a row and the page that its key leads to.
@Suite(.timeLimit(.minutes(5)))
struct ExactMarkTests {
  private static func sorted(_ ids: [Int], startingAt first: Int? = nil) -> History {
    var history = History(
      ids, startingAt: first, sortedBy: { $0.id > $1.id },
      configuration: FeedConfiguration(pageSize: 2, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    return history
  }

  @Test
  func `A4, T2: news between the last row and one that went before it are read`() {
    var history = Self.sorted([9, 8, 6, 5, 3, 2])
    history.ask { $0.load(.next) }
    #expect(history.machine.value.outline == "9 8 6 5")
    history.server.delete(5)
    history.ask { $0.follow(.delete(5), token: -1, at: $1) }
    // The key of the last page leads past 5.
    history.machine.configuration.pageSize = 3
    history.server.insert(Post(id: 4), at: 3)
    history.ask { $0.follow(.insert(Post(id: 4)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "9 8 6")
    history.ask { $0.load(.next) }
    #expect(history.machine.value.outline == "9 8 6 4 3")
  }

  @Test
  func `A4, T2: news right above the first row, where another one began the page, are read`() {
    var history = Self.sorted([9, 7, 5, 4, 2, 1], startingAt: 2)
    #expect(history.machine.value.outline == "5 4")
    history.server.delete(5)
    history.ask { $0.follow(.delete(5), token: -1, at: $1) }
    history.server.insert(Post(id: 6), at: 2)
    history.server.delete(9)
    history.ask { $0.follow(.insert(Post(id: 6)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "4")
    history.ask { $0.load(.previous) }
    history.fill()
    #expect(history.machine.value.outline == "7 6 4 2 1")
  }

  @Test
  func `A4: what an answer shows not to be where an edit put it goes where it belongs`() {
    var history = Self.sorted([9, 8, 6, 5, 3, 2])
    history.ask { $0.load(.next) }
    history.server.insert(Post(id: 7), at: 2)
    history.begin { $0.insert(Post(id: 7), after: nil, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 7), at: $1) }
    #expect(history.machine.value.outline == "7 9 8 6 5")
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "9 8 7 6 5")
  }

  @Test
  func `A4: what an answer would show if it were there is gone`() {
    var history = Self.sorted([9, 8, 6, 5, 3, 2])
    history.begin { $0.insert(Post(id: 10), after: 9, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 10), at: $1) }
    #expect(history.machine.value.outline == "9 10 8")
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "9 8")
  }

  @Test
  func `T2: where the row above a gap goes, the head of the list is open`() {
    var history = History(
      [1, 2, 3, 4],
      configuration: FeedConfiguration(pageSize: 2, refreshPages: 1, prefetchDistance: 1))
    history.ask { $0.load(.refresh) }
    for id in 10...14 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "14 13 | 1 2")
    for id in [13, 14] {
      history.server.delete(id)
      history.ask { $0.follow(.delete(id), token: -id, at: $1) }
    }
    #expect(history.machine.value.outline == "1 2")
    #expect(history.machine.value.state.previous == .idle)
    history.ask { $0.willDisplay(1, at: $1) }
    history.fill()
    #expect(history.machine.value.outline == "11 10 1 2 3 4")
    history.ask { $0.load(.previous) }
    #expect(history.machine.value.outline == "12 11 10 1 2 3 4")
    history.ask { $0.load(.previous) }
    #expect(history.machine.value.state.previous == .end)
  }
}
