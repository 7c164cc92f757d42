import FreshetLists
import FreshetTesting
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
  func `an older value of the store does not undo an edit that it took`() async throws {
    let results = await results(window: .milliseconds(100))
    // It waits in the window while the edit is written.
    try await store.write(updating: [Post(id: 1, version: 11)])
    try await results.update(1) {
      $0.version = 35
    } commit: {
    }
    clock.advance(by: .milliseconds(100))
    try await store.write(updating: [Post(id: 0, version: 1)])
    #expect(await eventually { results.value.items.first?.version == 1 })
    #expect(outline(results) == "0 2 3 1" && results.value.items.last?.version == 35)
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
    // Once the store has it, an item with its id is another one.
    #expect(await eventually { store.items.count == 3 })
    try await store.write(inserting: [Post(id: 2, version: 5)])
    #expect(await eventually { outline(results) == "0 2 1 3" })
  }

  @Test
  func `an item that is made keeps its row where the store gives it another id`() async throws {
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
    try await store.write(updating: [Post(id: 3, version: 7)])
    #expect(await eventually { outline(results) == "0 3 2" })
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

  /// What a model of the store and its edits shows.
  struct Model {
    var stored: [Int: Int]
    var edits: [(id: Int, version: Int?)] = []

    var outline: String {
      var items = stored
      for edit in edits where edit.version == nil || items[edit.id] != nil {
        items[edit.id] = edit.version
      }
      return items.filter { $0.value < 100 }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        .map { "\($0.key)" }.joined(separator: " ")
    }
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `C1, R6: any order of edits, answers and failures is legal and as the model has it`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: seed)
    var machine = ResultsMachine(
      arrangement: Arrangement<Post>.sorted(by: \.version).filtered { $0.version < 100 }.erased)
    var checker = BatchUpdateChecker<ListRow<Post>>()
    var model = Model(stored: [:])
    var open: [Int] = []
    var complete = QueryStatus()
    complete.isComplete = true
    _ = machine.begin(isSame: false, arrangement: nil)
    for token in 0..<60 {
      let id = Int.random(in: 0..<8, using: &random)
      let version = Int.random(in: 0..<130, using: &random)
      let step: ListStep<AnyItem>?
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        model.edits.append((id, version))
        open.append(token)
        step = machine.begin(
          .update { row in row = AnyItem(Post(id: id, version: version)) },
          of: RowID(id, of: Post.self), token: token)
      case 1:
        model.edits.append((id, nil))
        open.append(token)
        step = machine.begin(.delete, of: RowID(id, of: Post.self), token: token)
      case 2 where !open.isEmpty:
        let index = open.indices.randomElement(using: &random) ?? 0
        model.edits.remove(at: index)
        step = machine.end(open.remove(at: index))
      default:
        let isGone = random.oneIn(4)
        model.stored[id] = isGone ? nil : version
        step = machine.receive(
          upserting: isGone ? [] : [AnyItem(Post(id: id, version: version))],
          removing: isGone ? [RowID(id, of: Post.self)] : [], complete, of: machine.fetch)
      }
      let update = machine.publish(step).map { ListUpdate<Post>($0) }
      let violations = update.map { checker.violations(performing: $0.step) } ?? []
      #expect(violations == [], "seed \(seed), step \(token)")
      let shown = Self.outline(ListValue(shared: machine.shown))
      #expect(shown == model.outline, "seed \(seed), step \(token)")
    }
  }
}
