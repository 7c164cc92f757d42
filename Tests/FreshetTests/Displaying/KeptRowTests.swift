import FreshetLists
import Testing

@testable import Freshet

/// Which row keeps its place through a step.
@Suite(.timeLimit(.minutes(15)))
struct KeptRowTests {
  static func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  /// Chooses among rows that are known by their numbers, of a list that shows others afterwards.
  func kept(
    _ seen: [Int], below: [Int] = [], in changes: ListChanges? = ListChanges(), after: [Int]
  ) -> KeptRow? {
    KeptRow(among: seen.map(Self.path), below: below.map(Self.path), in: changes) { path in
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
