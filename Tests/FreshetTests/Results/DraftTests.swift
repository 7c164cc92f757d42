import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct DraftTests {
  let store = MemoryStore((0..<5).map { Post(id: $0) })

  func results(_ store: some DataStore<Post, MemoryStore<Post>.Request>) async -> LiveResults<
    Post, MemoryStore<Post>.Request
  > {
    let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
    await results.fetch(.all)
    return results
  }

  /// Waits until the results show these versions by id.
  func shows(_ versions: [Int: Int], _ results: LiveResults<Post, MemoryStore<Post>.Request>) async
  {
    var updates = results.updates.makeAsyncIterator()
    while Dictionary(uniqueKeysWithValues: results.value.items.map { ($0.id, $0.version) })
      != versions
    {
      guard await updates.next() != nil else { return }
    }
  }

  @Test
  func `edits are shown in every query, and are not in the store`() async throws {
    let draft = Draft(of: store)
    let (first, second) = (await results(draft), await results(draft))
    draft.insert(Post(id: 9))
    draft.update(Post(id: 2, version: 7))
    draft.delete(4)
    await shows([0: 0, 1: 0, 2: 7, 3: 0, 9: 0], first)
    await shows([0: 0, 1: 0, 2: 7, 3: 0, 9: 0], second)
    #expect(store.items == (0..<5).map { Post(id: $0) })
    #expect(draft.changes.all.map(\.kind) == [.insert, .update, .delete])
    let third = await results(draft)
    await shows([0: 0, 1: 0, 2: 7, 3: 0, 9: 0], third)
    draft.discard()
    await shows([0: 0, 1: 0, 2: 0, 3: 0, 4: 0], first)
    #expect(draft.changes.isEmpty)
  }

  @Test
  func `an edited item is shown where the request asks for it, as the store would`() async throws {
    let draft = Draft(of: Draft(of: store))
    try await store.write(updating: [Post(id: 3, version: 5), Post(id: 4, version: 5)])
    let results = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
    await results.fetch(.init { $0.version >= 3 })
    await shows([3: 5, 4: 5], results)
    draft.update(Post(id: 4, version: 2))
    await shows([3: 5], results)
    draft.insert(Post(id: 9))
    draft.update(Post(id: 0, version: 3))
    await shows([0: 3, 3: 5], results)
    let later = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
    await later.fetch(.init { $0.version < 3 })
    await shows([1: 0, 2: 0, 4: 2, 9: 0], later)
    draft.update(Post(id: 4, version: 7))
    await shows([0: 3, 3: 5, 4: 7], results)
    await shows([1: 0, 2: 0, 9: 0], later)
    draft.update(Post(id: 4, version: 1))
    try await draft.commit(recursively: true)
    await shows([0: 3, 3: 5], results)
    await shows([1: 0, 2: 0, 4: 1, 9: 0], later)
    try await store.write(updating: [Post(id: 4, version: 8)])
    await shows([0: 3, 3: 5, 4: 8], results)
    draft.update(Post(id: 4, version: 0))
    await shows([0: 3, 3: 5], results)
    draft.discard()
    await shows([0: 3, 3: 5, 4: 8], results)
  }

  /// A store that cannot say which items a request asks for, as most cannot.
  struct SilentStore: WritableDataStore {
    let store: MemoryStore<Post>
    func execute(_ query: DataStoreQuery<Post, MemoryStore<Post>.Request>) async throws {
      try await store.execute(query)
    }
    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
  }

  @Test
  func `over a store that cannot say so an edited item is shown until it is committed`()
    async throws
  {
    let draft = Draft(of: SilentStore(store: store))
    let results = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
    await results.fetch(.init { $0.version < 3 && $0.id > 2 })
    draft.update(Post(id: 4, version: 7))
    await shows([3: 0, 4: 7], results)
    try await draft.commit()
    await shows([3: 0], results)
  }

  @Test
  func `what is committed is in the store, and stays on display`() async throws {
    let draft = Draft(of: store)
    let results = await results(draft)
    draft.insert(Post(id: 9))
    draft.insert(Post(id: 10))
    draft.delete(10)
    draft.delete(0)
    try await draft.commit()
    #expect(store.items.map(\.id) == [1, 2, 3, 4, 9])
    #expect(draft.changes.isEmpty)
    await shows([1: 0, 2: 0, 3: 0, 4: 0, 9: 0], results)
    try await store.write(updating: [Post(id: 9, version: 1)])
    await shows([1: 0, 2: 0, 3: 0, 4: 0, 9: 1], results)
  }

  @Test
  func `an item that the store has, inserted and deleted, goes`() async throws {
    let draft = Draft(of: store)
    let results = await results(draft)
    draft.insert(Post(id: 1, version: 4))
    #expect(draft.changes.all.map(\.kind) == [.update])
    draft.delete(1)
    await shows([0: 0, 2: 0, 3: 0, 4: 0], results)
    #expect(draft.changes.all.map(\.kind) == [.delete])
    try await draft.commit()
    #expect(store.items.map(\.id) == [0, 2, 3, 4])
    await shows([0: 0, 2: 0, 3: 0, 4: 0], results)
  }

  @Test
  func `an item that changed in the store meanwhile is a conflict`() async throws {
    let draft = Draft(of: store)
    let results = await results(draft)
    draft.update(Post(id: 1, version: 5))
    draft.update(Post(id: 2, version: 5))
    try await store.write(updating: [Post(id: 1, version: 3)], deleting: [3])
    await shows([0: 0, 1: 5, 2: 5, 4: 0], results)
    let conflict = await #expect(throws: DraftConflict<Post>.self) { try await draft.commit() }
    #expect(conflict?.ids == [1])
    #expect(draft.changes.count == 2 && store.items.first { $0.id == 1 }?.version == 3)
    try await draft.commit(overwriting: true)
    #expect(store.items.first { $0.id == 1 }?.version == 5)
  }

  @Test
  func `changes of the store gather in the window of a draft's results`() async throws {
    let clock = ManualClock()
    let results = LiveResults(
      store: Draft(of: store), arrangement: .sorted(by: \.id), window: .milliseconds(100),
      clock: clock)
    await results.fetch(.all)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    for id in 10..<20 { try await store.write(inserting: [Post(id: id)]) }
    #expect(await clock.sleepers(1))
    #expect(results.value.list.count == 5)
    clock.advance(by: .milliseconds(100))
    #expect(await updates.next()?.changes.insertedRows.count == 10)
  }

  @Test
  func `a draft of a draft commits into it, or down to the store`() async throws {
    let parent = Draft(of: store)
    let child = Draft(of: parent)
    let (above, below) = (await results(child), await results(parent))
    child.update(Post(id: 1, version: 1))
    await shows([0: 0, 1: 1, 2: 0, 3: 0, 4: 0], above)
    #expect(below.value.items.allSatisfy { $0.version == 0 })
    try await child.commit()
    await shows([0: 0, 1: 1, 2: 0, 3: 0, 4: 0], below)
    #expect(store.items.first { $0.id == 1 }?.version == 0)
    child.update(Post(id: 2, version: 2))
    try await child.commit(recursively: true)
    #expect(store.items.map(\.version) == [0, 1, 2, 0, 0])
    await shows([0: 0, 1: 1, 2: 2, 3: 0, 4: 0], above)
  }

  @Test
  func `a query that leaves an edited item out is no conflict, and one that lost it is`()
    async throws
  {
    let draft = Draft(of: store)
    let all = await results(draft)
    let some = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
    await some.fetch(.init { $0.id != 1 && $0.version < 8 })
    draft.update(Post(id: 1, version: 5))
    try await draft.commit()
    #expect(store.items.first { $0.id == 1 }?.version == 5)
    // The store says to the second query that it does not ask for this one any more.
    draft.update(Post(id: 2, version: 9))
    try await draft.commit()
    draft.update(Post(id: 2, version: 10))
    try await draft.commit()
    await shows([0: 0, 1: 5, 2: 10, 3: 0, 4: 0], all)
    draft.update(Post(id: 3, version: 1))
    try await store.write(deleting: [3])
    await #expect(throws: DraftConflict<Post>.self) { try await draft.commit() }
  }

  /// A store whose writes wait, once they are made or before.
  struct SlowStore: WritableDataStore {
    let store = MemoryStore<Post>()
    let gate = ScriptedServer<Post>()
    let isEarly: Bool
    var fails = false

    func execute(_ query: DataStoreQuery<Post, MemoryStore<Post>.Request>) async throws {
      try await store.execute(query)
    }

    func write(_ changes: ChangeBatch<Post>) async throws {
      if isEarly { try await store.write(changes) }
      _ = try await gate.source(.keyset).page(PageRequest())
      if fails { throw ScriptedFailure() }
      if !isEarly { try await store.write(changes) }
    }
  }

  @Test(arguments: [true, false])
  func `what is edited while it is committed is an edit of what was committed`(isEarly: Bool)
    async throws
  {
    let slow = SlowStore(isEarly: isEarly)
    let draft = Draft(of: slow)
    let results = await results(draft)
    draft.insert(Post(id: 1))
    draft.insert(Post(id: 2))
    draft.insert(Post(id: 3))
    slow.gate.hold()
    async let committed: Void = draft.commit()
    #expect(await slow.gate.waiting(1))
    draft.delete(1)
    draft.update(Post(id: 2, version: 1))
    draft.update(Post(id: 3, version: 1))
    slow.gate.releaseAll()
    try await committed
    #expect(draft.changes.all.map(\.kind) == [.delete, .update, .update])
    await shows([2: 1, 3: 1], results)
    draft.delete(3)
    try await draft.commit()
    #expect(slow.store.items == [Post(id: 2, version: 1)] && draft.changes.isEmpty)
    await shows([2: 1], results)
  }

  @Test
  func `an insertion that was deleted while it could not be committed is forgotten`() async throws {
    let slow = SlowStore(isEarly: false, fails: true)
    let draft = Draft(of: slow)
    let results = await results(draft)
    draft.insert(Post(id: 1))
    draft.insert(Post(id: 2))
    slow.gate.hold()
    let committed = Task { try await draft.commit() }
    #expect(await slow.gate.waiting(1))
    draft.delete(1)
    slow.gate.releaseAll()
    await #expect(throws: ScriptedFailure.self) { try await committed.value }
    #expect(draft.changes.all.map(\.id) == [2])
    await shows([2: 0], results)
  }

  @Test
  func `an insertion that goes again gives way to what the store has under its id`() async throws {
    let draft = Draft(of: store)
    let results = await results(draft)
    draft.insert(Post(id: 9))
    try await store.write(inserting: [Post(id: 9, version: 3)])
    await #expect(throws: DraftConflict<Post>.self) { try await draft.commit() }
    draft.delete(9)
    #expect(draft.changes.isEmpty)
    await shows([0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 9: 3], results)
  }

  /// A store whose queries wait to begin, and may return as soon as they enqueued what there is.
  struct GatedStore: WritableDataStore {
    let store: MemoryStore<Post>
    let gate = ScriptedServer<Post>()
    var isBrief = false

    func execute(_ query: DataStoreQuery<Post, MemoryStore<Post>.Request>) async throws {
      _ = try await gate.source(.keyset).page(PageRequest())
      guard isBrief else { return try await store.execute(query) }
      query.enqueue(store.items.filter(query.request.isIncluded), as: .insert)
    }

    func isIncluded(_ item: Post, in request: MemoryStore<Post>.Request) -> Bool? {
      request.isIncluded(item)
    }

    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
  }

  @Test
  func `edits are shown after the store's query returned, and are conflicts where they are`()
    async throws
  {
    let draft = Draft(of: GatedStore(store: store, isBrief: true))
    let results = await results(draft)
    draft.update(Post(id: 1, version: 5))
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.version) == [0, 5, 0, 0, 0])
    draft.insert(Post(id: 9))
    draft.discard()
    await results.eventQueue.ask { _ in }
    #expect(results.value.items.map(\.id) == [0, 1, 2, 3, 4])
    draft.update(Post(id: 2, version: 1))
    try await store.write(updating: [Post(id: 2, version: 3)])
    await results.fetch(.all)
    await #expect(throws: DraftConflict<Post>.self) { try await draft.commit() }
  }

  @Test
  func `R4: what a draft shows stays until the store says what it has for another request`()
    async throws
  {
    let gated = GatedStore(store: store)
    let draft = Draft(of: gated)
    let results = await results(draft)
    draft.update(Post(id: 1, version: 5))
    await shows([0: 0, 1: 5, 2: 0, 3: 0, 4: 0], results)
    gated.gate.hold()
    async let second = results.fetch(.init { $0.id > 0 })
    #expect(await gated.gate.waiting(1))
    draft.update(Post(id: 4, version: 6))
    await results.eventQueue.ask { _ in }
    #expect(results.value.list.count == 5)
    gated.gate.releaseAll()
    _ = await second
    #expect(results.value.items.map(\.version) == [5, 0, 0, 6])
  }

  @Test
  func `what a query has nothing to do with is not kept for it`() {
    var edits = DraftEdits<Post, Int>()
    let query = DataStoreQuery<Post, Int>(0, window: .zero) { _, _ in }
    let number = edits.add(query) { $0.id < 2 }
    edits.receive(ChangeBatch(), isComplete: true, for: number)
    var inserted = ChangeBatch<Post>()
    inserted.add((0..<100).map { Post(id: $0) }, as: .insert)
    edits.edit(inserted)
    edits.end(edits.beginCommit(), isWritten: true)
    #expect(edits.unsaid == [2])
  }

  @Test
  func `what is edited at once is told as one batch, what goes back with what comes`() {
    let told = Locked<[[Int]]>([])
    let query = DataStoreQuery<Post, Int>(0, window: .zero) { changes, _ in
      if !changes.isEmpty { told.withLock { $0.append(changes.all.map(\.id).sorted()) } }
    }
    query.processesChangesImmediately = true
    var edits = DraftEdits<Post, Int>()
    let number = edits.add(query) { _ in true }
    var stored = ChangeBatch<Post>()
    stored.add([Post(id: 1)], as: .insert)
    edits.receive(stored, isComplete: true, for: number)
    // A draft over this one commits: one item goes, another one comes.
    var first = ChangeBatch<Post>()
    first.addDeletion(of: 1)
    first.add(Post(id: 2), as: .insert)
    edits.edit(first)
    // What came here goes again: the store has nothing to delete.
    var second = ChangeBatch<Post>()
    second.addDeletion(of: 2)
    second.add(Post(id: 3), as: .insert)
    edits.edit(second)
    #expect(told.withLock { $0 } == [[1], [1, 2], [2, 3]])
  }
}
