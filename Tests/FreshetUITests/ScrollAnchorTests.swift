import FreshetLists
import Testing

@testable import Freshet
@testable import FreshetUI

/// Which row keeps its place through a step.
@Suite(.timeLimit(.minutes(5)))
struct ScrollAnchorTests {
  static func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  /// Chooses among rows that are known by their numbers, of a list that shows others afterwards.
  func kept(
    _ seen: [Int], below: [Int] = [], in changes: ListChanges? = ListChanges(), after: [Int]
  ) -> ScrollAnchor? {
    ScrollAnchor(among: seen.map(Self.path), below: below.map(Self.path), in: changes) { path in
      after.firstIndex(of: path.row).map(Self.path)
    }
  }

  @Test
  func `the first row that stays keeps its place, or the first that is left`() throws {
    var changes = ListChanges()
    changes.movedRows = [.init(from: Self.path(4), to: Self.path(0))]
    changes.deletedRows = [Self.path(5)]
    let row = try #require(kept([4, 5, 6], in: changes, after: [4, 0, 1, 2, 3, 6, 7]))
    #expect(row.before == Self.path(6) && row.after == Self.path(5) && row.seen == row.before)
    // What happened is not known: the first that is there.
    let guess = kept([4, 5, 6], in: nil, after: [4, 0, 1, 2, 3, 6, 7])
    #expect(guess?.before == Self.path(4) && guess?.after == Self.path(0))
    // None stays: the reader goes with the first that is left.
    changes.movedRows.append(.init(from: Self.path(6), to: Self.path(1)))
    let moved = kept([4, 5, 6], below: [7], in: changes, after: [4, 6, 0, 1, 2, 3, 7])
    #expect(moved?.before == Self.path(4) && moved?.after == Self.path(0))
  }

  @Test
  func `where all rows on screen go, the next one below takes the place of the first`() throws {
    var changes = ListChanges()
    changes.deletedRows = [4, 5].map(Self.path)
    changes.movedRows = [.init(from: Self.path(6), to: Self.path(0))]
    let row = try #require(
      kept([4, 5], below: [6, 7, 8], in: changes, after: [6, 0, 1, 2, 3, 7, 8]))
    #expect(row.seen == Self.path(4) && row.before == Self.path(7) && row.after == Self.path(5))
    #expect(kept([4, 5], in: changes, after: [0]) == nil)
    #expect(kept([], below: [4], after: [4]) == nil)
  }

  @Test
  func `a row of an edge keeps its place only where no other does`() {
    // Of numbers, 0 and 9 are edges.
    func kept(_ seen: [Int], below: [Int] = [], after: [Int]) -> ScrollAnchor? {
      ScrollAnchor(
        among: seen.map(Self.path), edges: [0, 9].map(Self.path), below: below.map(Self.path),
        in: ListChanges()
      ) { path in after.firstIndex(of: path.row).map(Self.path) }
    }
    // Rows come between the edge at the head and those of the list.
    let row = kept([1, 2], after: [0, 11, 12, 1, 2, 9])
    #expect(row?.before == Self.path(1) && row?.after == Self.path(3))
    #expect(kept([1], below: [5], after: [0, 5, 9])?.before == Self.path(5))
    #expect(kept([1], after: [0, 9])?.before == Self.path(0))
    #expect(kept([], after: [9])?.before == Self.path(9))
  }

  @Test
  func `C4: rows below the screen are not looked at where one on it stays`() {
    var looked = 0
    let below = (10..<310).lazy.map { row in
      looked += 1
      return Self.path(row)
    }
    let row = ScrollAnchor(among: [4, 5, 6].map(Self.path), below: below, in: ListChanges()) { $0 }
    #expect(row?.before == Self.path(4) && looked == 0)
    let screen = ListLayout<Post>(
      ScriptedDisplay.list((0..<400).map { ("\($0)", [.row($0 + 1)]) }))
    var placed = 0
    _ = ScrollAnchor(
      among: [RowPath(section: 0, row: 0)],
      below: screen.paths(below: RowPath(section: 0, row: 0), atMost: 300), in: ListChanges()
    ) { path in
      placed += 1
      return path
    }
    #expect(placed == 1)
  }

  @Test
  func `rows of a section that goes are taken with it`() {
    var changes = ListChanges()
    changes.deletedSections = [1]
    let paths = [RowPath(section: 1, row: 3), RowPath(section: 2, row: 0)]
    #expect(changes.rowsTaken(from: paths) == [paths[0]])
    changes.deletedRows = [RowPath(section: 0, row: 0), RowPath(section: 2, row: 0)]
    #expect(changes.rowsTaken(from: paths) == Set(paths))
    #expect(changes.rowsTaken(from: []) == [])
  }
}
