import FreshetTesting
import Testing

@testable import Freshet

/// Rows that news or an edit put where they are: no answer says what their neighbours are.
@Suite(.timeLimit(.minutes(1)))
struct UnprovenRowTests {
  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5: a row that only news placed does not tell where the list goes on`(
    paging: ScriptedPaging
  ) {
    var history = History([1, 2, 3], paging, configuration: FeedConfiguration(pageSize: 3))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 4), at: 3)
    history.begin { $0.follow(.insert(Post(id: 4)), token: -1, at: $1) }
    #expect(history.machine.value.outline == "4 1 2 3")
    history.server.delete(1)
    history.ask { $0.load(.next) }
    let shown = history.machine.value.items.map(\.id)
    #expect(shown.contains(2) && shown.contains(3))
    history.ask { $0.load(.refresh, scope: .all) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == [2, 3, 4])
  }

  @Test(arguments: ScriptedPaging.allCases, [true, false])
  func `T2: a refresh that ends at a row which only news placed reads on, or leaves a gap`(
    paging: ScriptedPaging, readsOn: Bool
  ) {
    var history = History(
      [1, 2, 3, 4], paging,
      configuration: FeedConfiguration(pageSize: 3, refreshPages: readsOn ? 2 : 1))
    history.ask { $0.load(.refresh) }
    // The news of row 7 was lost on its way.
    for id in [7, 5, 8, 9] { history.server.insert(Post(id: id), at: 0) }
    history.begin { $0.follow(.insert(Post(id: 5)), token: -1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == (readsOn ? "9 8 5 7 1 2 3" : "9 8 5 | 1 2 3"))
    history.fill()
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
  }

  @Test
  func `T3: a row that news placed and a page found there is proof like any other`() {
    var history = History(
      [1, 2, 3, 4], configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 5), at: 0)
    history.begin { $0.follow(.insert(Post(id: 5)), token: -1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "5 1 2")
    #expect(history.machine.timeline.trace(of: 5)?.cause == .page(nil))
    history.server.insert(Post(id: 6), at: 0)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "6 5 1 2")
  }

  @Test
  func `A4, T2: what an edit put into a list that was never loaded is no frontier`() {
    var history = History(
      [9, 7, 5, 3], sortedBy: { $0.id > $1.id }, configuration: FeedConfiguration(pageSize: 2))
    history.begin { $0.insert(Post(id: 5), after: nil, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 5), at: $1) }
    history.begin { $0.follow(.insert(Post(id: 9)), token: -1, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 3)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "5")
    history.ask { $0.load(.refresh) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == [9, 7, 5, 3])
    #expect(history.violations == [])
  }

  @Test
  func `A4, T2: what an edit put below the loaded rows is no frontier`() {
    var history = History(
      [9, 7, 5, 3, 1], sortedBy: { $0.id > $1.id },
      configuration: FeedConfiguration(pageSize: 2, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 2), at: 4)
    history.begin { $0.insert(Post(id: 2), after: 7, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 2), at: $1) }
    #expect(history.machine.value.outline == "9 7 2")
    history.server.insert(Post(id: 4), at: 3)
    history.begin { $0.follow(.insert(Post(id: 4)), token: -1, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 8)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "9 8 7 2")
  }
}
