import FreshetLists
import FreshetTesting
import Observation
import Testing

@testable import Freshet

/// Edits of live results that are on display before the store has them.
@Suite(.timeLimit(.minutes(5)))
struct ResultsEditingTests {
  typealias Results = LiveResults<Post, MemoryStore<Post>.Request>

  let clock = ManualClock()
  let store = MemoryStore((0..<4).map { Post(id: $0, version: 10 * $0) })

  func results(window: Duration = .zero) async -> Results {
    let results = Results(
      store: store, arrangement: .sorted(by: \.version).filtered { $0.version < 100 },
      window: window, clock: clock)
    await results.fetch(.all)
    return results
  }

  func outline(_ results: Results) -> String { Self.outline(results.value) }

  static func outline(_ value: ListValue<Post>) -> String {
    value.items.map { "\($0.id)" }.joined(separator: " ")
  }

  @Test
  func `R6: an update is shown where the arrangement has it, and undone alone if it fails`()
    async throws
  {
    let results = await results()
    await #expect(throws: ScriptedError.self) {
      try await results.update(0) {
        $0.version = 15
      } commit: {
        #expect(outline(results) == "1 0 2 3" && results.value.pendingEdits == [0])
        try await results.update(0) {
          $0.version = 25
        } commit: {
          #expect(outline(results) == "1 2 0 3")
          try await store.write(updating: [Post(id: 3, version: 1)])
          #expect(await eventually { outline(results) == "3 1 2 0" })
        }
        throw ScriptedError()
      }
    }
    // The second one was taken, and the store has its time to show it.
    #expect(outline(results) == "3 1 2 0" && results.value.pendingEdits == [])
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(2))
    #expect(await eventually { outline(results) == "0 3 1 2" })
  }

  @Test
  func `results that are gone wait for no store any more`() async throws {
    var results: Results? = await results()
    for id in 0..<4 {
      try await results?.update(id) {
        $0.version += 1
      } commit: {
        // The store keeps it to itself.
      }
    }
    #expect(await clock.sleepers(4))
    results = nil
    #expect(await eventually { clock.sleeping == 0 })
  }

  @Test
  func `an edit that the store took is shown until the store has it, without a step between`()
    async throws
  {
    let results = await results()
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await results.update(1) {
      $0.version = 35
    } commit: { [store] in
      try await store.write(updating: [Post(id: 1, version: 35)])
    }
    let update = try #require(await updates.next())
    #expect(Self.outline(update.value) == "0 2 3 1" && update.origin == .edit)
    // The store's own change says the same, and is no step.
    try await store.write(updating: [Post(id: 2, version: 40)])
    let next = try #require(await updates.next())
    #expect(Self.outline(next.value) == "0 3 1 2")
  }

  @Test
  func `a deletion hides an item, and puts it back if it fails`() async throws {
    let results = await results()
    await #expect(throws: ScriptedError.self) {
      try await results.remove(2) {
        #expect(outline(results) == "0 1 3")
        throw ScriptedError()
      }
    }
    #expect(outline(results) == "0 1 2 3")
    try await results.remove(2) { try await store.write(deleting: [2]) }
    #expect(outline(results) == "0 1 3")
    // Once the store has reported it, an item with its id is another one.
    try await store.write(updating: [Post(id: 0, version: 1)])
    #expect(await eventually { results.value.items.first?.version == 1 })
    try await store.write(inserting: [Post(id: 2, version: 5)])
    #expect(await eventually { outline(results) == "0 2 1 3" })
  }

  @Test
  func `an item that is made may get another id from the store`() async throws {
    let results = await results()
    let made = try await results.insert(Post(id: -1, version: 12)) {
      #expect(outline(results) == "0 1 -1 2 3" && results.value.pendingEdits == [-1])
      try await store.write(inserting: [Post(id: 77, version: 12)])
      return Post(id: 77, version: 12)
    }
    #expect(made.id == 77 && outline(results) == "0 1 77 2 3")
    try await store.write(updating: [Post(id: 77, version: 1)])
    #expect(await eventually { outline(results) == "0 77 1 2 3" })
    await #expect(throws: ScriptedError.self) {
      try await results.insert(Post(id: -2, version: 3)) { throw ScriptedError() }
    }
    #expect(outline(results) == "0 77 1 2 3")
  }

  @Test
  func `R6: edits survive another fetch, and an item that the filter leaves out is not shown`()
    async throws
  {
    let results = await results()
    try await results.update(3) {
      $0.version = 200
    } commit: {
      #expect(outline(results) == "0 1 2")
      await results.fetch(.init { $0.id != 1 })
      #expect(outline(results) == "0 2")
      try await store.write(updating: [Post(id: 3, version: 200)])
    }
    #expect(outline(results) == "0 2")
    // What was written before this is reported by now.
    try await store.write(updating: [Post(id: 0, version: 1)])
    #expect(await eventually { results.value.items.first?.version == 1 })
    try await store.write(updating: [Post(id: 3, version: 7)])
    #expect(await eventually { outline(results) == "0 3 2" })
  }

  @Test
  func `a row that is being deleted does not return by a fetch that does not find it`()
    async throws
  {
    let results = await results()
    try await results.remove(2) {
      #expect(outline(results) == "0 1 3")
      try await store.write(deleting: [2])
      await results.fetch(.all)
      await results.fetch(.init { $0.id < 9 })
    }
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(2))
    try await store.write(inserting: [Post(id: 7, version: 1)])
    #expect(await eventually { outline(results) == "0 7 1 3" })
  }

  @Test
  func `an item that commit returns is shown until the store reports it`() async throws {
    let results = await results(window: .milliseconds(100))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await results.update(1) {
      $0.version = 35
    } commit: {
      Post(id: 1, version: 36)
    }
    #expect(outline(results) == "0 2 3 1" && results.value.items.last?.version == 36)
    // An answer about another item is none about this one.
    try await results.update(0) {
      $0.version = 50
    } commit: {
      Post(id: 77, version: 1)
    }
    #expect(outline(results) == "2 3 1 0" && results.value.items.count == 4)
  }

  @Test
  func `an edit of an item that was just made does not hide it`() async throws {
    let results = await results(window: .milliseconds(100))
    let steps = results.updates
    try await results.insert(Post(id: -1, version: 12)) { Post(id: 77, version: 12) }
    try await results.update(77) {
      $0.version = 22
    } commit: {
    }
    #expect(outline(results) == "0 1 2 77 3")
    // One that changes nothing does not end the one before it.
    try await results.update(77) {
      $0.version = 22
    } commit: {
    }
    try await results.update(0) {
      $0.version = 15
    } commit: {
    }
    try await results.update(0) { _ in
    } commit: {
    }
    #expect(outline(results) == "1 0 2 77 3")
    var rows = 0
    for await update in steps {
      rows = update.value.items.count
      if rows == 5 { break }
    }
    #expect(rows == 5)
  }

  /// A store of a server: it answers once, and reports nothing by itself.
  private struct OneShot: DataStore {
    let posts: [Post]

    func execute(_ query: DataStoreQuery<Post, Int>) async throws {
      query.enqueue(posts, as: .insert)
    }
  }

  @Test
  func `R6: without a running query an edit that was taken stays until the next fetch`()
    async throws
  {
    let results = LiveResults(
      store: OneShot(posts: (0..<3).map { Post(id: $0) }), arrangement: .sorted(by: \.id),
      window: .zero, clock: clock)
    await results.fetch(0)
    results.stop()
    try await results.remove(1) {}
    try await results.insert(Post(id: -1)) { Post(id: 9) }
    #expect(await clock.sleepers(2))
    clock.advance(by: .seconds(2))
    try await results.update(0) {
      $0.version = 7
    } commit: {
    }
    #expect(results.value.items.map(\.id) == [0, 2, 9])
    // Once the time is over, the next fetch decides.
    #expect(
      await eventually {
        await results.fetch(0)
        return results.value.items.map(\.id) == [0, 1, 2]
      })
  }

  @MainActor @Test
  func `a view of the status sees progress and rows that do not decode`() {
    let displayed = ObservableListState<Post>(ListValue(shared: ListContents.unfetched))
    let fetch = Locked(0)
    let state = Locked(0)
    withObservationTracking {
      _ = displayed.fetch
    } onChange: {
      fetch.withLock { $0 += 1 }
    }
    withObservationTracking {
      _ = displayed.state
    } onChange: {
      state.withLock { $0 += 1 }
    }
    var contents = ListContents.unfetched.value
    var status = FetchStatus()
    status.progress = FetchProgress(completed: 3)
    contents.setFetch(status)
    let next = ListValue<Post>(contents)
    #expect(!next.parts(differingFrom: displayed.current).isEmpty)
    displayed.show(next, by: nil)
    #expect(fetch.withLock { $0 } == 1 && state.withLock { $0 } == 0)
  }

  @MainActor @Test
  func `a controller shows an edit in the turn in which it is made`() async throws {
    let results = ListController(await results())
    try await results.update(0) {
      $0.version = 15
    } commit: {
      #expect(results.items.map(\.id) == [1, 0, 2, 3] && results.row(0).isPending)
    }
    #expect(!results.row(0).isPending)
  }
}
