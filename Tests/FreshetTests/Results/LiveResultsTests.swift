import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
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
    #expect(results.value.items.map(\.id) == [4, 3, 2, 1, 0])
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.write(updating: [Post(id: 1, version: 9)])
    let update = try #require(await updates.next())
    #expect(update.value.items.map(\.id) == [1, 4, 3, 2, 0])
    #expect(update.changes.movedRows.count == 1 && update.changes.updatedRows.count == 1)
    try await store.write(deleting: [4])
    try await store.write(inserting: [Post(id: 7, version: 3)])
    while results.value.items.map(\.id) != [1, 3, 7, 2, 0], await updates.next() != nil {}
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
    #expect(await clock.sleepers(1))
    #expect(results.value.list.count == 1)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    clock.advance(by: .milliseconds(100))
    let update = try #require(await updates.next())
    #expect(update.changes.insertedRows.count == 48)
  }

  @Test
  func `X4: asking twice for another query does not mix it with the one shown`() {
    var complete = QueryStatus()
    complete.isComplete = true
    var machine = ResultsMachine(arrangement: Arrangement<Post>.all.erased)
    func receive(_ id: Int, _ status: QueryStatus) {
      let items = [AnyItem(Post(id: id))]
      _ = machine.publish(
        machine.receive(upserting: items, removing: [], status, of: machine.fetch))
    }
    var ids: [Int] { ListValue<Post>(shared: machine.shown).items.map(\.id) }
    _ = machine.begin(isSame: false, arrangement: nil)
    receive(1, complete)
    _ = machine.begin(isSame: false, arrangement: nil)
    machine.stop()
    _ = machine.begin(isSame: true, arrangement: nil)
    receive(2, QueryStatus())
    #expect(ids == [2])
    // From then on the rows are of one query: those that are not complete stay.
    _ = machine.begin(isSame: true, arrangement: nil)
    receive(3, QueryStatus())
    #expect(ids == [2, 3])
  }

  @Test
  func `a lone change is shown at once`() async throws {
    let clock = ManualClock()
    let store = MemoryStore([Post(id: 0)])
    let results = LiveResults(store: store, window: .milliseconds(100), clock: clock)
    await results.fetch(.all)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    for id in 1..<5 {
      // The window of what came before ends, and nothing else came in it.
      #expect(await clock.sleepers(1))
      clock.advance(by: .milliseconds(100))
      try await store.write(inserting: [Post(id: id)])
      #expect(await updates.next()?.after.count == id + 1)
    }
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
    #expect(results.value.items.map(\.id) == [1])
    await results.fetch("bb")
    #expect(results.value.items.map(\.id) == [2])
    queries.withLock { $0[0] }.enqueue([Post(id: 100)], as: .insert)
    queries.withLock { $0[0] }.processPendingChanges()
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.id) == [2])
    #expect(results.fetchStatus.state.failure == nil)
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
    #expect(await gate.waiting(1))
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.id) == [1, 3])
    gate.releaseAll()
    _ = await again
    gate.hold()
    async let other = results.fetch("even")
    #expect(await gate.waiting(1))
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.id) == [2])
    gate.releaseAll()
    _ = await other
    #expect(results.value.items.map(\.id) == [2, 4])
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
    for await value in results.values where value.fetchStatus?.state.isLoading == false {
      break
    }
    async let outcome = results.fetch("loading")
    for await value in results.values
    where value.fetchStatus?.state.isLoading == true && value.list.count > 0 { break }
    results.stop()
    #expect(await outcome.failure == nil)
    #expect(results.value.list.count == 1 && !results.fetchStatus.state.isLoading)
  }

  @Test
  func `R3: a fetch whose caller is cancelled returns, and stops a store that never ends`() async {
    let stopped = AsyncStream<Void>.makeStream()
    let query = Locked<DataStoreQuery<Post, String>?>(nil)
    // A fetch may begin after the test is over: it ends at once then.
    let ends = Locked<[AsyncStream<Void>.Continuation]?>([])
    defer { for end in ends.withLock({ ends in ends.take() }) ?? [] { end.finish() } }
    let store = ClosureStore { running in
      query.withLock { $0 = running }
      running.enqueue([Post(id: 1)], as: .insert)
      await withTaskCancellationHandler {
        // Like a store that does not look whether it is cancelled.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        if ends.withLock({ $0?.append(continuation) }) == nil { continuation.finish() }
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
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.id) == [1])

    let late = Task { await results.fetch("b") }
    late.cancel()
    #expect(await !late.value.isLoading)
    let waiting = Task { await results.fetch("c") }
    for await value in results.values where value.fetchStatus?.state.isLoading == true { break }
    results.stop()
    #expect(await !waiting.value.isLoading)
  }

  @Test
  func `R1, R3: who waits for the same fetch waits on, and the last one takes it along`() async {
    let queries = Locked<[DataStoreQuery<Post, String>]>([])
    let store = ClosureStore { query in
      queries.withLock { $0.append(query) }
      await query.untilStopped()
    }
    let results = LiveResults(store: store, window: .zero)
    let first = Task { await results.fetch("a") }
    #expect(await eventually { queries.withLock(\.count) >= 1 })
    let second = Task { await results.fetch("a") }
    #expect(await eventually { queries.withLock(\.count) >= 2 })
    let third = Task { await results.fetch("a") }
    #expect(await eventually { queries.withLock(\.count) >= 3 })
    first.cancel()
    #expect(await first.value.isLoading)
    queries.withLock { $0[2] }.enqueue([Post(id: 1)], as: .insert)
    queries.withLock { $0[2] }.finishInitialResults()
    #expect(await !second.value.isLoading)
    #expect(await !third.value.isLoading)
    #expect(results.value.list.count == 1 && results.fetchStatus.state.failure == nil)

    let last = Task { await results.fetch("b") }
    #expect(await eventually { queries.withLock(\.count) >= 4 })
    last.cancel()
    #expect(await !last.value.isLoading)
    // Somebody wants it who does not wait.
    results.performFetch("c")
    let other = Task { await results.fetch("c") }
    #expect(await eventually { queries.withLock(\.count) >= 6 })
    other.cancel()
    #expect(await other.value.isLoading)
    #expect(results.fetchStatus.state.isLoading)
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
    for await value in results.values
    where value.fetchStatus?.state.isLoading == false && value.list.count > 0 { break }
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
