import FreshetTesting
import Testing

@testable import Freshet

/// T3: where rows may have gone or another one moved, nothing is concluded before the next page.
@Suite(.timeLimit(.minutes(5)))
struct MovedRowTests {
  /// A list of so many rows, of which the first pages are loaded.
  func history(
    _ count: Int, _ paging: ScriptedPaging = .keyset, pages: Int = 1, pageSize: Int = 4
  ) -> History {
    var history = History(
      Array(1...count), paging,
      configuration: FeedConfiguration(pageSize: pageSize, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    for _ in 1..<pages { history.ask { $0.load(.next) } }
    return history
  }

  @Test
  func `a page that begins with two rows that moved down keeps the rows behind them`() {
    var history = history(6)
    history.server.move(1, to: 3)
    history.server.move(2, to: 3)
    history.ask { $0.load(.next) }
    #expect(Set(history.machine.value.items.map(\.id)).isSuperset(of: [1, 2, 3, 4]))
    #expect(history.violations == [])
  }

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5: a row that moved to the seam of counted pages takes none with it`(
    paging: ScriptedPaging
  ) {
    var history = history(9, paging)
    history.server.move(1, to: 3)
    history.ask { $0.load(.next) }
    history.fill()
    #expect(Set(history.machine.value.items.map(\.id)) == Set(1...9))
    #expect(history.violations == [])
  }

  @Test
  func `news of rows that are not loaded yet do not count as a repeated page`() {
    var history = history(8)
    history.begin { $0.follow(.upsert(Post(id: 6)), token: 1, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 5)), token: 2, at: $1) }
    history.ask { $0.load(.next) }
    #expect(history.machine.value.outline == "1 2 3 4 5 6 7 8")
    #expect(history.violations == [])
  }

  @Test
  func `a refresh removes no row that another one moved past`() {
    var history = history(5, pages: 3, pageSize: 2)
    history.server.delete(1)
    history.server.move(4, to: 1)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.items.contains { $0.id == 3 })
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test
  func `T1: a row that is being inserted takes no page key with it`() {
    var history = History(
      Array(1...6), configuration: FeedConfiguration(pageSize: 4, refreshPolicy: .replace))
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: -1), after: 4, token: 1, at: $1) }
    history.server.insert(Post(id: 7), at: 0)
    history.begin { $0.load(.refresh) }
    history.server.insert(Post(id: 8), at: 5)
    history.begin { $0.confirm(1, as: Post(id: 8), at: $1) }
    history.settle()
    history.fill()
    history.ask { $0.load(.refresh, scope: .all) }
    history.fill()
    history.checkConverged()
    history.checkRest()
    #expect(history.violations == [])
  }

  @Test
  func `T2: news before the first answer wait where the feed begins in the middle`() {
    var history = History(
      [1, 2, 3], startingAt: 2, configuration: FeedConfiguration(pageSize: 2))
    history.server.insert(Post(id: 4), at: 1)
    history.begin { $0.follow(.insert(Post(id: 4)), token: 1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "3")
    history.ask { $0.load(.previous) }
    history.ask { $0.load(.previous) }
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test
  func `R1: answers that waited behind a load whose gap went are taken in`() throws {
    var history = history(4, pageSize: 2)
    for id in 5...7 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    let gap = try #require(history.machine.timeline.gaps.keys.first)
    history.waiting = [1]
    history.begin { $0.load(.gap(gap)) }
    history.begin { $0.load(.next, waiter: 1) }
    // The answer for the end comes first.
    history.pending.swapAt(0, 1)
    history.answerOldest()
    history.begin { $0.remove(1, at: $1) }
    history.begin { $0.remove(2, at: $1) }
    history.settle()
    #expect(history.waiting.isEmpty && history.machine.value.state.next != .loading)
    #expect(history.violations == [])
  }

  @Test
  func `a key that expires between the pages of one load is passed over`() {
    var history = history(6, .lastItem, pages: 2, pageSize: 2)
    history.begin { $0.load(.refresh, scope: .all) }
    history.answerOldest()
    history.server.delete(2)
    history.settle()
    #expect(history.machine.value.state.failure == nil)
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }
}
