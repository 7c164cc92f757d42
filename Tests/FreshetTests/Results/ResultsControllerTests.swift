import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ResultsControllerTests {
  final class Log: ListControllerDelegate {
    typealias Item = Post
    var lines: [String] = []

    private func number(_ row: ListRow<Post>) -> Int { row.item?.id ?? -1 }

    func controllerWillChangeContent(_ controller: ListController<some LiveList<Post>>) {
      lines.append("will \(controller.fetchedObjects.count)")
    }
    func controller(
      _ controller: ListController<some LiveList<Post>>, didChange section: ListSectionChange
    ) { lines.append("\(section)") }
    func controller(
      _ controller: ListController<some LiveList<Post>>,
      didChange row: ListRowChange<ListRow<Post>>
    ) {
      switch row {
      case .deleted(let row, let path): lines.append("- \(number(row)) \(path.section).\(path.row)")
      case .inserted(let row, let path):
        lines.append("+ \(number(row)) \(path.section).\(path.row)")
      case .moved(let row, let from, let to):
        lines.append("\(number(row)) \(from.section).\(from.row) > \(to.section).\(to.row)")
      case .updated(let row, let from, let to):
        lines.append("~ \(number(row)) \(from.section).\(from.row) \(to.section).\(to.row)")
      }
    }
    func controller(
      _ controller: ListController<some LiveList<Post>>,
      didChangeContent update: ListUpdate<Post>
    ) { lines.append("did \(controller.fetchedObjects.count)") }
  }

  @Test
  func `it answers what a fetched results controller answers`() async throws {
    let store = MemoryStore((0..<12).map { Post(id: $0, version: $0 % 3) })
    let results = ResultsController(
      store: store,
      arrangement: .sorted(by: \.id, .reverse).sectioned(by: { $0.version }, .reverse) { "v\($0)" },
      window: .zero)
    await results.fetch(.all)
    #expect(results.sections.map(\.name) == ["v2", "v1", "v0"])
    #expect(
      results.sections[0].count == 4 && results.sections[0].items().map(\.id) == [11, 8, 5, 2])
    #expect(results.sections.indices.filter(results.isComplete).count == 3)
    #expect(results.sectionIndexTitles == ["V"] && results.section(forIndexTitle: "V") == 0)
    #expect(try results.object(at: IndexPath(indexes: [1, 0])).id == 10)
    #expect(results.indexPath(for: Post(id: 0)) == IndexPath(indexes: [2, 3]))
    #expect(results.indexPath(for: Post(id: 99)) == nil)
    #expect(await results.item(withID: 5)?.version == 2)
    let invalid = ListError.invalidIndexPath(RowPath(section: 3, row: 0))
    #expect(throws: invalid) { try results.object(at: IndexPath(indexes: [3, 0])) }
    results.arrange(.sorted(by: \.id).limited(to: 5))
    #expect(results.fetchedObjects.map(\.id) == [0, 1, 2, 3, 4])
    #expect(results.sections.indices.map(results.isComplete) == [false])
  }

  @Test
  func `the delegate hears a batch in the order that it knows`() async throws {
    let store = MemoryStore((0..<4).map { Post(id: $0, version: 1) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.id).sectioned(by: { $0.version }), window: .zero)
    let log = Log()
    results.delegate = log
    await results.fetch(.all)
    #expect(log.lines.first == "will 0" && log.lines.last == "did 4")
    log.lines = []
    var changes = ChangeBatch<Post>()
    changes.addDeletion(of: 0)
    changes.add(Post(id: 3, version: 2), as: .update)
    changes.add(Post(id: 9, version: 1), as: .insert)
    try await store.write(changes)
    #expect(await eventually { !log.lines.isEmpty })
    #expect(
      log.lines == [
        "will 4", "inserted(name: \"2\", at: 1)", "- 0 0.0", "- 3 0.3", "+ 9 0.2", "+ 3 1.0",
        "did 4",
      ])
  }

  @Test
  func `C1: a controller of results that have rows shows them, and is told of what comes after`()
    async throws
  {
    let store = MemoryStore((0..<4).map { Post(id: $0) })
    let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
    await results.fetch(.all)
    let controller = ResultsController(results)
    let log = Log()
    controller.delegate = log
    #expect(controller.fetchedObjects.count == 4)
    try await store.write(inserting: [Post(id: 9)])
    #expect(await eventually { !log.lines.isEmpty })
    #expect(log.lines == ["will 4", "+ 9 0.4", "did 5"])
  }

  /// Fails until it is mended.
  final class BrokenStore: DataStore {
    let isMended = Locked(false)

    func execute(_ query: DataStoreQuery<Post, Bool>) async throws {
      guard isMended.withLock({ $0 }) else { throw ScriptedError() }
      query.enqueue([Post(id: 1)], as: .insert)
    }
  }

  @Test
  func `who asks again waits for the outcome, or begins and goes on, as a button does`() async {
    let store = BrokenStore()
    let results = ResultsController(store: store, window: .zero)
    #expect(await results.fetch(true) == .failed(ScriptedError()))
    #expect(
      await results.retry().failure != nil && results.fetchStatus?.state == .failed(ScriptedError())
    )
    let button: @MainActor () -> Void = { results.retry() }
    store.isMended.withLock { $0 = true }
    button()
    #expect(await eventually { results.fetchStatus?.state == .loaded })
    #expect(await results.retry() == .idle && results.fetchedObjects.map(\.id) == [1])
  }

  @Test
  func `two states are equal where the fetch stands in the same way`() {
    let states: [FetchState] = [
      .initial, .loading, .loaded, .failed(ScriptedError()), .failed(CancellationError()),
      .failed(FeedError.staleKey("1")), .failed(FeedError.staleKey("2")),
    ]
    for (index, state) in states.enumerated() {
      #expect(states.indices.filter { states[$0] == state } == [index])
    }
  }

  @Test
  func `each request may have an arrangement of its own`() async {
    let store = MemoryStore((0..<6).map { Post(id: $0) })
    let results = ResultsController(store: store, window: .zero) { request in
      request.isIncluded(Post(id: 1)) ? .sorted(by: \.id, .reverse) : .sorted(by: \.id)
    }
    await results.fetch(.all)
    #expect(results.fetchedObjects.map(\.id) == [5, 4, 3, 2, 1, 0])
    await results.fetch(.init { $0.id % 2 == 0 })
    #expect(results.fetchedObjects.map(\.id) == [0, 2, 4])
  }
}
