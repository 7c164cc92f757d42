import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// What becomes of items of live results that are moved by hand.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct MovingByHandTests {
  let clock = ManualClock()
  /// What is shown is sorted by version: each is 10 more than the one above.
  let store = MemoryStore((0..<5).map { Post(id: $0, version: 10 * $0) })

  func results() async -> ResultsController<Post, MemoryStore<Post>.Request> {
    let results = ResultsController(
      LiveResults(store: store, arrangement: .sorted(by: \.version), window: .zero, clock: clock))
    await results.fetch(.all)
    return results
  }

  /// The steps that are told, until nobody holds it.
  final class Steps {
    var told: [String] = []

    @MainActor init(_ results: ResultsController<Post, MemoryStore<Post>.Request>) {
      results.followers.add(self) { steps, _, update in
        if let update, !update.changes.isEmpty { steps.told.append("\(update.changes)") }
      }
    }
  }

  func ids(_ results: ResultsController<Post, MemoryStore<Post>.Request>) -> [Int] {
    results.fetchedObjects.map(\.id)
  }

  @Test
  func `an item stays where it was dropped until the store's write has come through`() async throws
  {
    let results = await results()
    let steps = Steps(results)
    let (allowed, gate) = AsyncStream.makeStream(of: Void.self)
    let move = results.move(0, after: 2) { [store] in
      for await _ in allowed { break }
      try await store.write(updating: [Post(id: 0, version: 25)])
    }
    #expect(ids(results) == [1, 2, 0, 3, 4] && results.path(of: 0)?.row == 2)
    // What else happens shows meanwhile.
    try await store.write(inserting: [Post(id: 9, version: 15)])
    #expect(await eventually { results.fetchedObjects.count >= 6 })
    #expect(ids(results) == [1, 9, 2, 0, 3, 4])
    #expect(results.list.value.items.map(\.id) == [1, 9, 2, 0, 3, 4])
    gate.yield()
    try await move.value
    #expect(await eventually { results.fetchedObjects[3].version != 0 })
    #expect(ids(results) == [1, 9, 2, 0, 3, 4] && results.value.list == results.list.value.list)
    #expect(steps.told == ["1 row moved", "1 row inserted", "1 row updated"])
    // From then on it stands where the store has it.
    try await store.write(updating: [Post(id: 0, version: 1)])
    #expect(await eventually { ids(results) == [0, 1, 9, 2, 3, 4] })
  }

  @Test
  func `X4: a list made of results has a dragged item where it was dropped`() async throws {
    let results = await results()
    let even = results.list.filter { $0.id % 2 == 0 }.controller()
    let (allowed, gate) = AsyncStream.makeStream(of: Void.self)
    let move = results.move(0, after: 2) { for await _ in allowed { break } }
    #expect(await eventually { even.items.map(\.id) == [2, 0, 4] })
    gate.finish()
    try await move.value
  }

  @Test
  func `R6: an item that the store refuses goes back alone, and who moved it hears why`()
    async throws
  {
    let results = await results()
    let (allowed, gate) = AsyncStream.makeStream(of: Void.self)
    let other = results.move(4, after: nil) { for await _ in allowed { break } }
    let move = results.move(0, after: 2) { throw ScriptedError() }
    #expect(ids(results) == [4, 1, 2, 0, 3])
    await #expect(throws: ScriptedError.self) { try await move.value }
    #expect(ids(results) == [4, 0, 1, 2, 3])
    gate.finish()
    try await other.value
  }

  @Test
  func `a cancelled write that throws puts the item back, and one that is done leaves it`()
    async throws
  {
    let results = await results()
    let (allowed, gate) = AsyncStream.makeStream(of: Void.self)
    let move = results.move(0, after: 2) {
      for await _ in allowed { break }
      try Task.checkCancellation()
    }
    move.cancel()
    await #expect(throws: CancellationError.self) { try await move.value }
    #expect(ids(results) == [0, 1, 2, 3, 4])
    let done = results.move(0, after: 2) { [store] in
      try await store.write(updating: [Post(id: 0, version: 25)])
    }
    done.cancel()
    try await done.value
    #expect(ids(results) == [1, 2, 0, 3, 4])
    #expect(await eventually { results.fetchedObjects[2].version != 0 })
    #expect(ids(results) == [1, 2, 0, 3, 4])
    gate.finish()
  }

  @Test
  func `a store that has it elsewhere has its way two seconds later`() async throws {
    let results = await results()
    let move = results.move(0, after: 2) {}
    try await move.value
    #expect(await clock.sleepers(1))
    #expect(ids(results) == [1, 2, 0, 3, 4])
    clock.advance(by: .seconds(2))
    #expect(await eventually { ids(results) == [0, 1, 2, 3, 4] })
  }

  @Test
  func `another arrangement holds nothing, and a delegate may move what it is told of`()
    async throws
  {
    let results = await results()
    let mover = Mover()
    mover.results = results
    results.delegate = mover
    try await store.write(inserting: [Post(id: 9, version: 99)])
    #expect(await eventually { results.fetchedObjects.count >= 6 })
    #expect(ids(results) == [9, 0, 1, 2, 3, 4] && mover.told == ["inserted", "moved"])
    results.arrange(.sorted(by: \.version, .reverse))
    #expect(ids(results) == [9, 4, 3, 2, 1, 0])
    results.arrange(.sorted(by: \.version))
    #expect(ids(results) == [0, 1, 2, 3, 4, 9])
  }

  /// Moves what comes to the head.
  final class Mover: ListControllerDelegate {
    typealias Item = Post
    var told: [String] = []
    weak var results: ResultsController<Post, MemoryStore<Post>.Request>?
    private var moves: [Task<Void, any Error>] = []
    private let never = AsyncStream.makeStream(of: Void.self)

    deinit { never.continuation.finish() }

    func controller(
      _ controller: ListController<some LiveList<Post>>, didChange row: ListRowChange<ListRow<Post>>
    ) {
      switch row {
      case .inserted(.item(let post), _):
        told.append("inserted")
        guard let results else { return }
        moves.append(
          results.move(post.id, after: nil) { [never] in for await _ in never.stream {} })
      case .moved: told.append("moved")
      default: told.append("other")
      }
    }
  }
}
