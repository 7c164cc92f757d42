import FreshetLists
import FreshetTesting
import Testing

/// What a delegate of `NSFetchedResultsController` does with the changes one by one, all in one
/// batch.
@Suite(.timeLimit(.minutes(5)))
struct EnumerationTests {
  /// The calls of such a delegate, as its documentation shows them.
  struct Delegate {
    var calls = ListChanges()
    var reloaded: [RowPath] = []

    init<Item>(_ update: ListStep<Item>) {
      update.enumerateSectionChanges { change in
        switch change {
        case .deleted(_, let section): calls.deletedSections.append(section)
        case .inserted(_, let section): calls.insertedSections.append(section)
        }
      }
      update.enumerateRowChanges { change in
        switch change {
        case .deleted(_, let path): calls.deletedRows.append(path)
        case .inserted(_, let path): calls.insertedRows.append(path)
        case .moved(_, let from, let to):
          calls.movedRows.append(ListChanges.Move(from: from, to: to))
          calls.updatedRows.append(to)
        case .updated(_, let from, _): reloaded.append(from)
        }
      }
    }
  }

  @Test
  func `C1, C2: rows reloaded inside of a batch are named by their place before it`() async {
    for seed in SeededGenerator.seeds(2000) {
      var random = SeededGenerator(seed: seed)
      let before = DifferenceTests.randomList(using: &random)
      let after = DifferenceTests.edited(before, using: &random)
      let update = ListStep(from: before, to: after)
      let delegate = Delegate(update)
      var view = BatchUpdateChecker(before)
      var violations = view.violations(
        performing: delegate.calls, reloading: delegate.reloaded, showing: after)
      for (from, to) in zip(update.changes.updatedRowsBefore, update.changes.updatedRows)
      where (try? before.item(at: from))?.id != after[to].id {
        violations.append("\(to) was not at \(from)")
      }
      if !violations.isEmpty {
        Issue.record("seed \(seed): \(violations.prefix(3))")
        return
      }
    }
  }

  @Test
  func `C2: a view refuses to reload a row at its place after a batch, or one that moves`() {
    let before = ListSnapshot((0..<5).map { Row(id: $0) })
    var rows = (0..<5).map { Row(id: $0) }
    rows[4].version = 1
    rows.remove(at: 0)
    let after = ListSnapshot(rows)
    let update = ListStep(from: before, to: after)
    #expect(update.changes.updatedRows == [RowPath(section: 0, row: 3)])
    #expect(update.changes.updatedRowsBefore == [RowPath(section: 0, row: 4)])
    var calls = update.changes
    calls.updatedRows = []
    var view = BatchUpdateChecker(before)
    #expect(
      view.violations(performing: calls, reloading: [.init(section: 0, row: 3)], showing: after)
        != [])
    view = BatchUpdateChecker(before)
    #expect(
      view.violations(performing: calls, reloading: [.init(section: 0, row: 0)], showing: after)
        != [])
    view = BatchUpdateChecker(before)
    #expect(
      view.violations(performing: calls, reloading: [.init(section: 0, row: 4)], showing: after)
        == [])
  }
}
