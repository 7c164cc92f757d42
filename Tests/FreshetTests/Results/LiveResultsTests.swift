import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(15)))
struct LiveResultsTests {
  /// A store that does what a closure says.
  struct ClosureStore: DataStore {
    let body: @Sendable (DataStoreQuery<Post, String>) async throws -> Void
    func execute(_ query: DataStoreQuery<Post, String>) async throws { try await body(query) }
  }

  static let byVersion = Arrangement<Post>.sorted(by: \.version, .reverse)

  @Test
  func `changes of a store are shown as they are written`() async throws {
    let store = MemoryStore((0..<5).map { Post(id: $0, version: $0) })
    let results = LiveResults(store: store, arrangement: Self.byVersion, window: .zero)
    #expect(await results.fetch(.all).failure == nil)
    #expect(results.value.list.items.map(\.id) == [4, 3, 2, 1, 0])
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.write(updating: [Post(id: 1, version: 9)])
    let update = try #require(await updates.next())
    #expect(update.after.items.map(\.id) == [1, 4, 3, 2, 0])
    #expect(update.changes.movedRows.count == 1 && update.changes.updatedRows.count == 1)
    try await store.write(deleting: [4])
    try await store.write(inserting: [Post(id: 7, version: 3)])
    while results.value.list.items.map(\.id) != [1, 3, 7, 2, 0], await updates.next() != nil {}
    #expect(results.path(of: 7) == RowPath(section: 0, row: 2))
  }

  @Test
  func `the first results come at once, later ones gather in a window`() async throws {
    let clock = ManualClock()
    let store = MemoryStore([Post(id: 0)])
    let results = LiveResults(store: store, window: .milliseconds(100), clock: clock)
    await results.fetch(.all)
    #expect(results.value.list.count == 1)
    for id in 1..<50 { try await store.write(inserting: [Post(id: id)]) }
    try await store.write(deleting: [3])
    await clock.sleepers(1)
    #expect(results.value.list.count == 1)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    clock.advance(by: .milliseconds(100))
    let update = try #require(await updates.next())
    #expect(update.changes.insertedRows.count == 48)
  }

  @Test
  func `another fetch stops the one before, whose changes have no effect any more`() async {
    let queries = Locked<[DataStoreQuery<Post, String>]>([])
    let store = ClosureStore { query in
      queries.withLock { $0.append(query) }
      query.enqueue([Post(id: query.request.count)], as: .insert)
      query.finishInitialResults()
      await query.untilStopped()
    }
    let results = LiveResults(store: store, window: .zero)
    await results.fetch("a")
    #expect(results.value.list.items.map(\.id) == [1])
    await results.fetch("bb")
    #expect(results.value.list.items.map(\.id) == [2])
    queries.withLock { $0[0] }.enqueue([Post(id: 100)], as: .insert)
    queries.withLock { $0[0] }.processPendingChanges()
    await results.mailbox.ask { _ in }
    #expect(results.value.list.items.map(\.id) == [2])
    #expect(results.value.state.failure == nil)
  }

  @Test
  func `R4: a query that fails keeps what is shown, and says why`() async {
    let fails = Locked(false)
    let store = ClosureStore { query in
      query.enqueue([Post(id: 1)], as: .insert)
      if fails.withLock({ $0 }) { throw ScriptedFailure() }
      query.enqueue([Post(id: 2)], as: .insert)
    }
    let results = LiveResults(store: store)
    await results.fetch("a")
    #expect(results.value.list.count == 2)
    fails.withLock { $0 = true }
    #expect(await results.fetch("a").failure is ScriptedFailure)
    #expect(results.value.list.count == 2)
    fails.withLock { $0 = false }
    #expect(await results.fetch("a").failure == nil)
  }

  @Test
  func `the same request again shows what is gone until all is there, another one does not`() async
  {
    let gate = ScriptedServer<Post>()
    let store = ClosureStore { query in
      let ids = query.request == "odd" ? [1, 3] : [2, 4]
      query.enqueue([Post(id: ids[0])], as: .insert)
      _ = try? await gate.source(.keyset).page(PageRequest())
      query.enqueue([Post(id: ids[1])], as: .insert)
    }
    let results = LiveResults(store: store)
    await results.fetch("odd")
    gate.hold()
    async let again = results.fetch("odd")
    await gate.waiting(1)
    await results.mailbox.ask { _ in }
    #expect(results.value.list.items.map(\.id) == [1, 3])
    gate.releaseAll()
    _ = await again
    gate.hold()
    async let other = results.fetch("even")
    await gate.waiting(1)
    await results.mailbox.ask { _ in }
    #expect(results.value.list.items.map(\.id) == [2])
    gate.releaseAll()
    _ = await other
    #expect(results.value.list.items.map(\.id) == [2, 4])
  }

  @Test
  func `a store that enqueues too much does the work of taking it in`() {
    let clock = ManualClock()
    let taken = Locked<[Int]>([])
    let query = DataStoreQuery<Post, String>("", window: .seconds(1), clock: clock) { batch, _ in
      taken.withLock { $0.append(batch.count) }
    }
    for id in 0..<100_000 { query.enqueue([Post(id: id)], as: .insert) }
    for version in 0..<100_000 { query.enqueue([Post(id: 1, version: version)], as: .update) }
    query.processPendingChanges()
    let batches = taken.withLock { $0 }
    #expect(batches.max() ?? 0 <= 4096)
    #expect(batches.reduce(0, +) == 100_001)
  }

  @Test
  func `a batch holds one change for each id`() {
    var batch = ChangeBatch<Post>()
    batch.add(Post(id: 1), as: .insert)
    batch.add(Post(id: 1, version: 2), as: .update)
    batch.add(Post(id: 2), as: .update)
    batch.addDeletion(of: 2)
    batch.addDeletion(of: 3)
    batch.add(Post(id: 3), as: .insert)
    #expect(batch.all.map(\.kind) == [.insert, .delete, .update])
    #expect(batch.upserted == [Post(id: 1, version: 2), Post(id: 3)] && batch.deleted == [2])
  }

  @Test
  func `a query that is stopped has not failed, and who waits for it is told`() async {
    let store = ClosureStore { query in
      query.enqueue([Post(id: 1)], as: .insert)
      if query.request == "loaded" { query.finishInitialResults() }
      await query.untilStopped()
      throw CancellationError()
    }
    let results = LiveResults(store: store, window: .zero)
    #expect(await results.fetch("loaded").failure == nil)
    results.stop()
    for await value in results.values where value.state.failure != nil || !value.state.isLoading {
      break
    }
    async let outcome = results.fetch("loading")
    for await value in results.values where value.state.isLoading && value.list.count > 0 { break }
    results.stop()
    #expect(await outcome.failure == nil)
    #expect(results.value.list.count == 1 && !results.value.state.isLoading)
  }

  @Test
  func `R3: a fetch whose caller is cancelled returns, and stops a store that never ends`() async {
    let stopped = AsyncStream<Void>.makeStream()
    let query = Locked<DataStoreQuery<Post, String>?>(nil)
    let ends = Locked<[AsyncStream<Void>.Continuation]>([])
    defer { for end in ends.withLock({ $0 }) { end.finish() } }
    let store = ClosureStore { running in
      query.withLock { $0 = running }
      running.enqueue([Post(id: 1)], as: .insert)
      await withTaskCancellationHandler {
        // Like a store that does not look whether it is cancelled.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        ends.withLock { $0.append(continuation) }
        await Task { for await _ in never {} }.value
      } onCancel: {
        stopped.continuation.finish()
      }
    }
    let results = LiveResults(store: store, window: .zero)
    let caller = Task { await results.fetch("a") }
    for await value in results.values where value.list.count == 1 { break }
    caller.cancel()
    #expect(await !caller.value.isLoading)
    for await _ in stopped.stream {}
    // R2: what it says after that has no effect.
    query.withLock { $0 }?.enqueue([Post(id: 2)], as: .insert)
    query.withLock { $0 }?.processPendingChanges()
    await results.mailbox.ask { _ in }
    #expect(results.value.list.items.map(\.id) == [1])

    let late = Task { await results.fetch("b") }
    late.cancel()
    #expect(await !late.value.isLoading)
    let waiting = Task { await results.fetch("c") }
    for await value in results.values where value.state.isLoading { break }
    results.stop()
    #expect(await !waiting.value.isLoading)
  }

  @Test
  func `R3: a fetch that is loaded goes on when its caller is cancelled`() async throws {
    let store = MemoryStore([Post(id: 0)])
    let results = LiveResults(store: store, window: .zero)
    let caller = Task {
      await results.fetch(.all)
      let (never, continuation) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      continuation.finish()
    }
    for await value in results.values where !value.state.isLoading && value.list.count > 0 { break }
    caller.cancel()
    await caller.value
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.write(inserting: [Post(id: 1)])
    #expect(await updates.next()?.after.count == 2)
  }

  @Test
  func `results that nobody holds go, and stop their query`() async {
    let ended = AsyncStream<Void>.makeStream()
    let store = ClosureStore { query in
      query.finishInitialResults()
      await withTaskCancellationHandler {
        await query.untilStopped()
      } onCancel: {
        ended.continuation.finish()
      }
    }
    do {
      let results = LiveResults(store: store)
      await results.fetch("a")
    }
    for await _ in ended.stream {}
  }
}

@MainActor
@Suite(.timeLimit(.minutes(15)))
struct ResultsControllerTests {
  final class Log: ResultsControllerDelegate {
    typealias Item = Post
    var lines: [String] = []

    func controllerWillChangeContent(_ controller: ResultsController<Post, some Sendable>) {
      lines.append("will \(controller.fetchedObjects.count)")
    }
    func controller(
      _ controller: ResultsController<Post, some Sendable>, didChange section: ListSectionChange
    ) { lines.append("\(section)") }
    func controller(
      _ controller: ResultsController<Post, some Sendable>, didChange row: ListRowChange<Post>
    ) {
      switch row {
      case .deleted(let post, let path): lines.append("- \(post.id) \(path.section).\(path.row)")
      case .inserted(let post, let path): lines.append("+ \(post.id) \(path.section).\(path.row)")
      case .moved(let post, let from, let to):
        lines.append("\(post.id) \(from.section).\(from.row) > \(to.section).\(to.row)")
      case .updated(let post, let from, let to):
        lines.append("~ \(post.id) \(from.section).\(from.row) \(to.section).\(to.row)")
      }
    }
    func controller(
      _ controller: ResultsController<Post, some Sendable>,
      didChangeContent update: ResultsUpdate<Post>
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
      results.sections[0].count == 4 && results.sections[0].objects.map(\.id) == [11, 8, 5, 2])
    #expect(results.sections.filter(\.isComplete).count == 3)
    #expect(results.sectionIndexTitles == ["V"] && results.section(forIndexTitle: "V") == 0)
    #expect(try results.object(at: IndexPath(indexes: [1, 0])).id == 10)
    #expect(results.indexPath(for: Post(id: 0)) == IndexPath(indexes: [2, 3]))
    #expect(results.indexPath(for: Post(id: 99)) == nil)
    #expect(await results.item(withID: 5)?.version == 2)
    let invalid = ListError.invalidIndexPath(RowPath(section: 3, row: 0))
    #expect(throws: invalid) { try results.object(at: IndexPath(indexes: [3, 0])) }
    results.arrange(.sorted(by: \.id).limited(to: 5))
    #expect(results.fetchedObjects.map(\.id) == [0, 1, 2, 3, 4])
    #expect(results.sections.map(\.isComplete) == [false])
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
    var updates = results.updates.makeAsyncIterator()
    while log.lines.isEmpty, await updates.next() != nil { await Task.yield() }
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
    var updates = controller.updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.write(inserting: [Post(id: 9)])
    while log.lines.isEmpty, await updates.next() != nil { await Task.yield() }
    #expect(log.lines == ["will 4", "+ 9 0.4", "did 5"])
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
