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
        let fewest = meant.changes(from: before).movedRows.count
        let isRenamed = edits.updated.contains {
          old[edits.placeBefore($0)].id != input.rows[$0].id
        }
        #expect(isRenamed || changes.movedRows.count <= fewest, "seed \(seed), step \(step)")
        guard violations.isEmpty, sections.snapshot == meant else { return }
      }
    }
  }
}
