import FreshetTesting
import Testing

@testable import Freshet

/// R6: rows stand where the user put them, among those that are being made too.
@Suite(.timeLimit(.minutes(5)))
struct EditedOrderTests {
  /// The first three of six rows, and items that are being made behind some of them.
  static func history(_ made: [(id: Int, above: Int?)]) -> History {
    var history = History(Array(1...6), configuration: FeedConfiguration(pageSize: 3))
    history.ask { $0.load(.refresh) }
    for (id, above) in made {
      history.begin { $0.insert(Post(id: id), after: above, token: id, at: $1) }
    }
    return history
  }

  struct Move: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let made: [(id: Int, above: Int?)]
    let id: Int
    let other: Int?
    let expected: [Int]
  }

  static let moves = [
    Move(
      testDescription: "up past one at the top", made: [(9, nil)], id: 1, other: nil,
      expected: [1, 9, 2, 3]),
    Move(
      testDescription: "down past one", made: [(9, 1)], id: 1, other: 9, expected: [9, 1, 2, 3]),
    Move(
      testDescription: "down between two", made: [(9, 1), (8, 9)], id: 1, other: 9,
      expected: [9, 1, 8, 2, 3]),
    Move(
      testDescription: "up between two", made: [(9, 1), (8, 9)], id: 2, other: 9,
      expected: [1, 9, 2, 8, 3]),
    Move(
      testDescription: "up past two", made: [(9, 1), (8, 9)], id: 2, other: 1,
      expected: [1, 2, 9, 8, 3]),
    Move(
      testDescription: "down past the last one", made: [(9, 3)], id: 3, other: 9,
      expected: [1, 2, 9, 3]),
    Move(
      testDescription: "where it stands", made: [(9, 1), (8, 2)], id: 2, other: 9,
      expected: [1, 9, 2, 8, 3]),
  ]

  @Test(arguments: moves)
  func `R6: a row can be moved past one that is being made`(move: Move) {
    for isTaken in [true, false] {
      var history = Self.history(move.made)
      let step = history.machine.value.step
      let before = history.machine.value.items.map(\.id)
      history.begin { $0.move(move.id, after: move.other, at: $1) }
      #expect(history.machine.value.items.map(\.id) == move.expected)
      #expect((history.machine.value.step == step) == (before == move.expected))
      for (id, _) in move.made {
        if isTaken { history.server.insert(Post(id: id), at: 0) }
        history.begin { isTaken ? $0.confirm(id, at: $1) : $0.undo(id, at: $1) }
      }
      let made = Set(move.made.map(\.id))
      let rest = move.expected.filter { isTaken || !made.contains($0) }
      #expect(history.machine.value.items.map(\.id) == rest)
      #expect(history.machine.timeline.posts.compactMap(\.item?.id) == rest)
      // What follows is asked for from where it was.
      history.ask { $0.load(.next) }
      #expect(history.machine.value.items.map(\.id) == rest + [4, 5, 6])
      #expect(history.violations == [])
    }
  }

  @Test
  func `R6: an item that is being made stands where it was once its deletion failed`() {
    for made in [9, 90, nil] {
      var history = Self.history([(8, nil), (9, nil)])
      #expect(history.machine.value.items.map(\.id) == [9, 8, 1, 2, 3])
      history.begin { $0.delete(8, token: 10, at: $1) }
      #expect(history.machine.value.items.map(\.id) == [9, 1, 2, 3])
      // The one above it is decided meanwhile, or not.
      if let made { history.begin { $0.confirm(9, as: Post(id: made), at: $1) } }
      history.begin { $0.undo(10, at: $1) }
      #expect(history.machine.value.items.map(\.id) == [made ?? 9, 8, 1, 2, 3])
      #expect(history.violations == [])
    }
  }
}
