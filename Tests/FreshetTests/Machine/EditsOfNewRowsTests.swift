import FreshetTesting
import Testing

@testable import Freshet

/// R6: edits of a row that is still being made.
@Suite
struct EditsOfNewRowsTests {
  /// A row is being made and edited while a refresh is under way, and the source sends the row
  /// before it answers the insertion.
  private func history(
    _ edit: (inout History.Machine, History) -> Void
  ) -> History {
    var history = History([1], configuration: FeedConfiguration())
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    let before = history
    history.perform("edit", edit(&history.machine, before))
    history.begin { $0.load(.refresh) }
    history.begin { $0.follow(.insert(Post(id: 2)), token: -1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 2), at: $1) }
    return history
  }

  @Test
  func `R6: an update of a row that is being made survives news of the row`() {
    var history = history { machine, history in
      machine.update(-1, token: 2, at: history.now) { $0.version = 7 }
    }
    func version() -> Int? { history.machine.value.items.first { $0.id == 2 }?.version }
    #expect(version() == 7)
    history.begin { $0.confirm(2, at: $1) }
    #expect(version() == 7)
  }

  @Test
  func `R6: a row that is deleted while it is being made does not come with its news`() {
    var history = history { machine, history in machine.delete(-1, token: 2, at: history.now) }
    func isShown() -> Bool { history.machine.value.items.contains { $0.id == 2 } }
    #expect(!isShown())
    history.begin { $0.confirm(2, at: $1) }
    #expect(!isShown())
    history.settle()
    #expect(!isShown())
  }

  @Test(arguments: [true, false])
  func `R6: a row that the source tells of before it answers stays where it was put`(
    isContested: Bool
  ) {
    var history = History(Array(1...7), configuration: FeedConfiguration(pageSize: 10))
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: -1), after: 6, token: 1, at: $1) }
    history.server.insert(Post(id: 100), at: 6)
    if isContested { history.begin { $0.load(.refresh) } }
    history.begin { $0.follow(.insert(Post(id: 100)), token: 2, at: $1) }
    #expect(history.machine.value.outline == "100 1 2 3 4 5 6 -1 7")
    history.begin { $0.confirm(1, as: Post(id: 100), at: $1) }
    #expect(history.machine.value.outline == "1 2 3 4 5 6 100 7")
    history.settle()
    history.ask { $0.load(.refresh, scope: .all) }
    #expect(history.machine.value.outline == "1 2 3 4 5 6 100 7")
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false], [true, false])
  func `R2: what the source tells of a row that is being made shows at once`(
    isSorted: Bool, isDeletedBetween: Bool
  ) {
    let order: @Sendable (Post, Post) -> Bool = { $0.id < $1.id }
    var history = History(
      [1], sortedBy: isSorted ? order : nil, configuration: FeedConfiguration(pageSize: 4))
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: 100), after: 1, token: 1, at: $1) }
    history.server.insert(Post(id: 100), at: 1)
    history.begin { $0.follow(.insert(Post(id: 100)), token: 2, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1 100")
    if isDeletedBetween {
      history.begin { $0.follow(.delete(100), token: 3, at: $1) }
      #expect(history.machine.value.outline == "1")
    }
    let again = Post(id: 100, version: 1)
    history.server.update(again)
    history.begin { $0.follow(.upsert(again), token: 4, at: $1) }
    #expect(history.machine.value.items.contains(again))
    history.begin { $0.confirm(1, as: Post(id: 100), at: $1) }
    #expect(history.machine.value.items.contains(again))
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "1 100v1")
    #expect(history.violations == [])
  }
}
