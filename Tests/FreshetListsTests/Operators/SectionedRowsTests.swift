import FreshetTesting
import Testing

@testable import FreshetLists

/// Rules A1, X1 and X2 for the sections of a list.
@Suite(.timeLimit(.minutes(5)))
struct SectionedRowsTests {
  /// Rows with version 0 belong to the row above.
  static let name: @Sendable (Row) -> String? = { $0.version == 0 ? nil : "\($0.version / 3)" }

  func meaning(_ rows: [Row]) -> ListSnapshot<Row> {
    var sections: [(name: String, rows: [Row])] = []
    let first = rows.lazy.compactMap(Self.name).first ?? ""
    var last = first
    for row in rows {
      last = Self.name(row) ?? last
      if let index = sections.firstIndex(where: { $0.name == last }) {
        sections[index].rows.append(row)
      } else {
        sections.append((last, [row]))
      }
    }
    return ListSnapshot(
      sections: sections.map { ListSection(name: $0.name, rows: RowTree($0.rows)) })
  }

  @Test
  func `A1, X1, X2: sections hold what sorting rows into them from scratch gives`() async {
    for seed in SeededGenerator.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      var input = RandomRows(ids: .random(in: 1...40, using: &random))
      var sections = SectionedRows(by: Self.name)
      var checker = BatchUpdateChecker<Row>()
      for step in 0..<12 {
        let before = sections.snapshot
        let old = input.rows
        let edits = input.step(&random)
        let changes = sections.apply(edits, to: RowTree(input.rows))
        let violations = checker.violations(
          performing: ListStep(
            before: before, after: sections.snapshot, changes: changes, origin: .edit))
        let meant = meaning(input.rows)
        #expect(violations == [], "seed \(seed), step \(step)")
        #expect(sections.snapshot == meant, "seed \(seed), step \(step)")
        #expect(
          (0...meant.sections.count).map(sections.snapshot.rowsAbove)
            == (0...meant.sections.count).map(meant.rowsAbove), "seed \(seed), step \(step)")
        let fewest = meant.changes(from: before).movedRows.count
        let isRenamed = edits.updated.contains {
          old[edits.placeBefore($0)].id != input.rows[$0].id
        }
        #expect(isRenamed || changes.movedRows.count <= fewest, "seed \(seed), step \(step)")
        let least = weight(of: meant.changes(from: before), before)
        #expect(weight(of: changes, before) <= least, "seed \(seed), step \(step)")
        guard violations.isEmpty, sections.snapshot == meant else { return }
      }
    }
  }

  /// How many rows are in the sections that go or move, and how many sections these are.
  private func weight(of changes: ListChanges, _ before: ListSnapshot<Row>) -> Int {
    changes.deletedSections.reduce(0) { $0 + before.sections[$1].count + 1 }
  }

  @Test(arguments: [2, 100, 1_000])
  func `C3: of sections that pass each other the lighter ones move`(count: Int) {
    // Two rows in each section, and one hundred in the first.
    var rows = (0..<count).flatMap { section in
      (0..<(section == 0 ? 100 : 2)).map { Row(id: 1_000 * section + $0, version: 3 * section + 3) }
    }
    var sections = SectionedRows(by: Self.name)
    _ = sections.apply(RowEdits(inserted: Array(rows.indices)), to: RowTree(rows))
    // A row of the last section comes first.
    rows.insert(Row(id: -1, version: 3 * count), at: 0)
    let up = sections.apply(RowEdits(inserted: [0]), to: RowTree(rows))
    #expect(up.deletedSections == [count - 1] && up.insertedSections == [0])
    #expect(up.deletedRows.isEmpty && up.insertedRows.isEmpty && sections.snapshot == meaning(rows))
    // It goes, and the section with it.
    rows.remove(at: 0)
    let down = sections.apply(RowEdits(deleted: [0]), to: RowTree(rows))
    #expect(down.deletedSections == [0] && down.insertedSections == [count - 1])
    // The first section has the most rows: where one passes it, that one moves.
    rows.insert(Row(id: -2, version: 6), at: 1)
    _ = sections.apply(RowEdits(inserted: [1]), to: RowTree(rows))
    rows.remove(at: 0)
    let heavy = sections.apply(RowEdits(deleted: [0]), to: RowTree(rows))
    #expect(heavy.deletedSections == [1] && heavy.insertedSections == [0])
    #expect(sections.snapshot == meaning(rows))
  }
}
