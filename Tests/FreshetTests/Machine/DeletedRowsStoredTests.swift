import FreshetTesting
import Testing

@testable import Freshet

/// R6, P5: rows that the source deleted are not stored, whatever answers come late.
@Suite(.timeLimit(.minutes(5)))
struct DeletedRowsStoredTests {
  @Test(arguments: [true, false])
  func `R6: a row that was removed stays away, whatever comes before the app starts again`(
    isSorted: Bool
  ) throws {
    let order: @Sendable (Post, Post) -> Bool = { $0.id < $1.id }
    var history = History(
      [1, 2], sortedBy: isSorted ? order : nil, isCached: true,
      configuration: FeedConfiguration(pageSize: 4))
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.delete(1, token: 1, at: $1) }
    history.server.delete(1)
    history.begin { $0.confirm(1, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "2")
    try history.expectTheSameAfterRelaunch()
  }

  @Test(arguments: [true, false])
  func `R6: a row that went after it changed stays away when the app starts again`(
    isNew: Bool
  ) throws {
    var history = History(
      isNew ? [] : [1], isCached: true, configuration: FeedConfiguration(pageSize: 4))
    if !isNew { history.ask { $0.load(.refresh) } }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.follow(.upsert(Post(id: 1, version: 1)), token: 1, at: $1) }
    history.server.delete(1)
    history.begin { $0.follow(.delete(1), token: 2, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "")
    try history.expectTheSameAfterRelaunch()
  }

  @Test
  func `R6: a row that went while all rows were read stays away when the app starts again`() throws
  {
    var history = History(
      [1, 2], .page, isCached: true,
      configuration: FeedConfiguration(pageSize: 1, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    history.fill()
    history.begin { $0.load(.refresh, scope: .all) }
    history.answerOldest()
    history.server.delete(1)
    history.begin { $0.follow(.delete(1), token: 1, at: $1) }
    history.settle()
    #expect(!history.machine.value.items.contains { $0.id == 1 })
    try history.expectTheSameAfterRelaunch()
  }

  @Test
  func `R6: a row that went while the page above was read stays away when the app starts again`()
    throws
  {
    var history = History(
      Array(1...6), startingAt: 3, isCached: true,
      configuration: FeedConfiguration(pageSize: 3, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "4 5 6")
    history.begin { $0.load(.previous) }
    history.serve(0)
    history.server.delete(2)
    history.begin { $0.follow(.delete(2), token: 1, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1 3 4 5 6")
    try history.expectTheSameAfterRelaunch()
  }
}

extension History {
  /// The app starts again, and shows what it showed.
  fileprivate mutating func expectTheSameAfterRelaunch() throws {
    let shown = machine.value.outline
    relaunch(from: try #require(cache))
    #expect(machine.value.outline == shown)
    #expect(violations == [])
  }
}
