import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

@Suite(.timeLimit(.minutes(5)))
struct FlatStepsTests {
  typealias Flat = FlatLayout<Post>

  static func names(_ flat: Flat) -> [String] {
    (0..<flat.count).map { index in
      switch flat[index] {
      case .title(let name): return "# \(name)"
      case .row(let path):
        #expect(flat.index(of: path) == index)
        switch flat.screen.row(at: path) {
        case .item(let item): return "\(item.id)"
        case .gap(let gap, _, _): return "gap \(gap.id)"
        case .edge(let edge): return "edge \(edge.id)"
        case .placeholder(let place): return "\(place.place) \(place.index)"
        case nil: return "nothing"
        }
      }
    }
  }

  @Test(arguments: 0..<100)
  func `steps one after the other lead from any rows to any others`(seed: Int) {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    let showsTitles = seed.isMultiple(of: 2)
    func flat(_ lists: inout RandomLists) -> Flat {
      Flat(
        ListLayoutTests.screen(
          &lists, names: ["a", "", "c"], hasPlaceholders: seed.isMultiple(of: 3)),
        showsTitles: showsTitles)
    }
    var before = flat(&lists)
    for _ in 0..<20 {
      let after = flat(&lists)
      let changes = after.screen.changes(
        since: before.screen, after.screen.list.changes(from: before.screen.list))
      let steps = FlatSteps(changes, from: before, to: after)
      var rows = Self.names(before)
      let end = Self.names(after)
      for index in steps.removed.reversed() { rows.remove(at: index) }
      for move in steps.moves { rows.insert(rows.remove(at: move.from), at: move.to) }
      for index in steps.inserted { rows.insert(end[index], at: index) }
      #expect(rows == end, "seed \(seed)")
      #expect(steps.moves.count <= changes.movedRows.count)
      before = after
    }
  }

  @Test
  func `a section without a name has no title`() {
    func names(_ sections: [(String, [ListRow<Post>])]) -> [String] {
      Self.names(Flat(ListLayout(ScriptedDisplay.list(sections)), showsTitles: true))
    }
    #expect(names([("", [.row(1), .row(2)])]) == ["1", "2"])
    #expect(
      names([("a", [.row(1)]), ("", [.row(2)]), ("b", [.row(3)])])
        == ["# a", "1", "2", "# b", "3"])
  }

  @Test(arguments: 0..<40)
  func `rows that change their order move one by one`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let ids = Array(1...9)
    var before = Flat(
      ListLayout(ScriptedDisplay.list([("", ids.map { .row($0) })])), showsTitles: false)
    for _ in 0..<20 {
      let list = ScriptedDisplay.list([("", ids.shuffled(using: &random).map { .row($0) })])
      let after = Flat(ListLayout(list), showsTitles: false)
      let changes = list.changes(from: before.screen.list)
      let steps = FlatSteps(changes, from: before, to: after)
      var rows = Self.names(before)
      for move in steps.moves { rows.insert(rows.remove(at: move.from), at: move.to) }
      #expect(rows == Self.names(after), "seed \(seed)")
      before = after
    }
  }
}
