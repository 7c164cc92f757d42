import Foundation
import Freshet
import FreshetLists
import FreshetTesting
import Testing

/// The delegate of `Snippets/PortedDelegate.swift`, which is the file beside this one, and a table
/// that holds it to UIKit's rules.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PortedDelegateTests {
  final class CheckedTable: UITableView {
    private(set) var violations: [String] = []
    private(set) var reloads = 0
    private var checker = BatchUpdateChecker<ListRow<Quake>>()
    private var calls = ListChanges()
    private var reloaded: [RowPath] = []
    private var isInBatch = false
    private let list: () -> ListSnapshot<ListRow<Quake>>

    init(_ list: @escaping () -> ListSnapshot<ListRow<Quake>>) { self.list = list }

    private func inBatch(_ body: () -> Void) {
      if isInBatch { body() } else { violations.append("a change outside of a batch") }
    }

    override func beginUpdates() {
      calls = ListChanges()
      reloaded = []
      isInBatch = true
    }

    override func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
      inBatch { calls.insertedSections += sections }
    }

    override func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
      inBatch { calls.deletedSections += sections }
    }

    override func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
      inBatch { calls.insertedRows += paths.map { RowPath($0) } }
    }

    override func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
      inBatch { calls.deletedRows += paths.map { RowPath($0) } }
    }

    override func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
      inBatch { reloaded += paths.map { RowPath($0) } }
      reloads += paths.count
    }

    override func moveRow(at path: IndexPath, to newPath: IndexPath) {
      inBatch {
        calls.movedRows.append(ListChanges.Move(from: RowPath(path), to: RowPath(newPath)))
      }
    }

    override func endUpdates() { isInBatch = false }

    /// Comes behind every batch: now all is known that the delegate does.
    override func reconfigureRows(at paths: [IndexPath]) {
      calls.updatedRows = paths.map { RowPath($0) }
      violations += checker.violations(performing: calls, reloading: reloaded, showing: list())
    }
  }

  /// Quakes whose magnitude is the same modulo 4 stand together, in the order of their magnitudes.
  @Test(arguments: SeededGenerator.seeds(20))
  func `C1, C2: a ported delegate performs legal batches`(seed: Int) async throws {
    let store = MemoryStore((0..<30).map { Quake(id: $0, magnitude: $0 % 12) })
    let results = ResultsController(
      store: store,
      arrangement: .sorted(by: \.magnitude, .reverse).sectioned(by: { $0.magnitude % 4 }),
      window: .zero)
    let table = CheckedTable { results.value.list }
    let delegate = QuakesDelegate(table)
    results.delegate = delegate
    await results.fetch(.all)
    var random = SeededGenerator(seed: seed)
    for step in 0..<40 {
      var changes = ChangeBatch<Quake>()
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let id = Int.random(in: 0..<40, using: &random)
        if random.oneIn(4) {
          changes.addDeletion(of: id)
        } else {
          let magnitude = Int.random(in: 0..<12, using: &random)
          changes.add(Quake(id: id, magnitude: magnitude), as: .update)
        }
      }
      try await store.write(changes)
      let expected = Dictionary(uniqueKeysWithValues: store.items.map { ($0.id, $0.magnitude) })
      #expect(
        await eventually {
          Dictionary(uniqueKeysWithValues: results.fetchedObjects.map { ($0.id, $0.magnitude) })
            == expected
        })
      if !table.violations.isEmpty {
        Issue.record("seed \(seed), step \(step): \(table.violations.prefix(3))")
        return
      }
    }
    withExtendedLifetime(delegate) {}
  }

  @Test
  func `a row that changed beside others that go is reloaded where it was`() async throws {
    let store = MemoryStore((0..<4).map { Quake(id: $0, magnitude: $0) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.id), window: .zero)
    let table = CheckedTable { results.value.list }
    let delegate = QuakesDelegate(table)
    results.delegate = delegate
    await results.fetch(.all)
    try await store.write(updating: [Quake(id: 3, magnitude: 9)], deleting: [0, 1])
    #expect(await eventually { results.fetchedObjects.count == 2 })
    #expect(table.violations.isEmpty && table.reloads == 1)
    withExtendedLifetime(delegate) {}
  }
}
