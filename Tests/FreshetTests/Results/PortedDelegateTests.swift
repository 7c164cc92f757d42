import Freshet
import FreshetTesting
import Testing

/// A delegate as every user of `NSFetchedResultsController` has one: what it hears goes into one batch,
/// and rows that changed are reloaded inside of it.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct PortedDelegateTests {
  final class TableDelegate: ResultsControllerDelegate {
    typealias Item = Post
    var table = BatchUpdateChecker<Post>()
    var violations: [String] = []
    private var calls = ListChanges()
    private var reloaded: [RowPath] = []

    func controllerWillChangeContent(_ controller: ResultsController<Post, some Sendable>) {
      calls = ListChanges()
      reloaded = []
    }

    func controller(
      _ controller: ResultsController<Post, some Sendable>, didChange section: ListSectionChange
    ) {
      switch section {
      case .deleted(_, let index): calls.deletedSections.append(index)
      case .inserted(_, let index): calls.insertedSections.append(index)
      }
    }

    func controller(
      _ controller: ResultsController<Post, some Sendable>, didChange row: ListRowChange<Post>
    ) {
      switch row {
      case .deleted(_, let path): calls.deletedRows.append(path)
      case .inserted(_, let path): calls.insertedRows.append(path)
      case .updated(_, let path, _): reloaded.append(path)
      case .moved(_, let from, let to):
        calls.movedRows.append(ListChanges.Move(from: from, to: to))
        calls.updatedRows.append(to)
      }
    }

    func controller(
      _ controller: ResultsController<Post, some Sendable>,
      didChangeContent update: ResultsUpdate<Post>
    ) {
      violations += table.violations(performing: calls, reloading: reloaded, showing: update.after)
    }
  }

  /// Posts of one version modulo 4 stand together, in an order that their version decides.
  @Test(arguments: 0..<20)
  func `C1, C2: a ported delegate performs legal batches`(seed: Int) async throws {
    let store = MemoryStore((0..<30).map { Post(id: $0, version: $0 % 12) })
    let results = ResultsController(
      store: store,
      arrangement: .sorted(by: \.version, .reverse).sectioned(by: { $0.version % 4 }), window: .zero
    )
    let delegate = TableDelegate()
    results.delegate = delegate
    await results.fetch(.all)
    var random = SeededGenerator(seed: seed)
    for step in 0..<40 {
      var changes = ChangeBatch<Post>()
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let id = Int.random(in: 0..<40, using: &random)
        if random.oneIn(4) {
          changes.addDeletion(of: id)
        } else {
          changes.add(
            Post(id: id, version: Int.random(in: 0..<12, using: &random)), as: .update)
        }
      }
      try await store.write(changes)
      let expected = Set(store.items.map(\.description))
      while Set(results.fetchedObjects.map(\.description)) != expected { await Task.yield() }
      if !delegate.violations.isEmpty {
        Issue.record("seed \(seed), step \(step): \(delegate.violations.prefix(3))")
        return
      }
    }
  }
}
