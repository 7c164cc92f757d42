import FreshetTesting
import Testing

@testable import Freshet

/// Lists that are made of others: when they work, whom they ask, what passes through.
@Suite(.timeLimit(.minutes(15)))
struct DerivedListTests {
  /// How often a closure was called.
  final class Calls: Sendable {
    private let count = Locked(0)

    func add() { count.withLock { $0 += 1 } }

    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  struct Day: ListItem {
    let id: Int
  }

  let list = ScriptedList()
  let other = ScriptedList()

  func posts(_ ids: some Sequence<Int>) -> [FeedRow<Post>] { ids.map { .post($0) } }

  // MARK: - When it works

  @Test
  func `a list that nobody looks at calls no closure and follows nothing`() {
    let calls = Calls()
    let mapped = list.map { post in
      calls.add()
      return post
    }
    let days = mapped.sectioned { "\($0.id / 10)" }
    list.show(posts(0..<20))
    #expect(calls.take() == 0 && list.shown.observers == 0)
    var view: ListView<Post>? = ListView(days.shown)
    #expect(view?.advance() == [] && view?.value.list.sections.count == 2)
    #expect(calls.take() == 20 && list.shown.observers == 1 && mapped.shown.observers == 1)
    let second = ListView(mapped.shown)
    list.show(posts(1..<20) + [.post(20)])
    #expect(view?.advance() == [] && view?.rows.count == 20)
    #expect(calls.take() == 1)
    view = nil
    #expect(days.shown.observers == 0)
    #expect(mapped.shown.observers == 1)
    list.show(posts(0..<5))
    #expect(mapped.shown.value.rows.count == 5)
    withExtendedLifetime(second) {}
  }

  @Test
  func `a list that ended begins anew with its next observer`() {
    let mapped = list.map { Post(id: $0.id, version: 7) }
    for count in 1...3 {
      var view = ListView(mapped.shown)
      #expect(view.advance() == [])
      list.show(posts(0..<count))
      #expect(view.advance() == [] && view.rows.count == count)
    }
    #expect(list.shown.observers == 0 && mapped.shown.value.rows.isEmpty)
  }

  @Test
  func `what a long list shows is known at any time while it begins`() async {
    list.show(posts(0..<1_000))
    let mapped = list.map { Post(id: $0.id, version: 1) }
    var updates = mapped.updates.makeAsyncIterator()
    #expect(mapped.value.rows.count == 1_000 && mapped.value.items.first?.version == 1)
    #expect(await updates.next()?.after.count == 1_000)
    #expect(mapped.value.rows.count == 1_000)
  }

  @Test
  func `nothing is left of a list when its observers and its owner go`() async {
    weak var mapped: DerivedList<Post>?
    weak var base: ScriptedList?
    do {
      let list = ScriptedList()
      base = list
      list.show(posts(0..<3))
      var updates: UpdateStream<FeedUpdate<Post>>.Iterator? = {
        let derived = list.map { $0 }.filter { $0.id > 0 }.map { $0 }
        mapped = derived
        return derived.updates.makeAsyncIterator()
      }()
      let count = await updates?.next()?.after.count
      #expect(count == 2)
      // Whoever takes updates holds the list.
      #expect(mapped != nil)
      #expect(list.shown.observers == 1)
      updates = nil
      #expect(list.shown.observers == 0)
      #expect(mapped == nil)
    }
    #expect(base == nil)
  }

  @Test
  func `an observer that is cancelled lets the list end`() async {
    let derived = list.merged(with: other, sortedBy: \.id).map { $0 }
    let (first, hasCome) = AsyncStream<Void>.makeStream()
    list.show(posts(0..<3), atEnd: true)
    other.show(posts(3..<5), atEnd: true)
    let task = Task {
      for await _ in derived.updates { hasCome.yield() }
    }
    for await _ in first { break }
    #expect(list.shown.observers == 1 && other.shown.observers == 1)
    task.cancel()
    await task.value
    #expect(list.shown.observers == 0 && other.shown.observers == 0)
  }

  @Test
  func `X3: one change at 100,000 rows calls each closure three times at most`() async {
    let calls = (0..<5).map { _ in Calls() }
    let chain = list.merged(with: other, .forward) { post in
      calls[0].add()
      return post.id
    }.filter { _ in
      calls[1].add()
      return true
    }.separated { above, below -> Day? in
      calls[2].add()
      return above.map { $0.id / 100 } == below.id / 100 ? nil : Day(id: below.id / 100)
    }.map { row in
      calls[3].add()
      return row
    }.sectioned { row in
      calls[4].add()
      return "\((row.item?.id ?? 0) / 100_000)"
    }
    list.show(posts((0..<50_000).map { $0 * 2 }), atEnd: true)
    other.show(posts((0..<50_000).map { $0 * 2 + 1 }), atEnd: true)
    var updates = chain.updates.makeAsyncIterator()
    while await updates.next()?.after.count != 101_000 {}
    for calls in calls { _ = calls.take() }

    var rows = posts((0..<50_000).map { $0 * 2 })
    rows[25_000] = .post(50_000, 1)
    list.show(rows, atEnd: true)
    #expect(await updates.next()?.changes.updatedRows.count == 1)
    #expect(calls.map { $0.take() }.allSatisfy { (1...3).contains($0) })
    rows.remove(at: 10_001)
    list.show(rows, atEnd: true)
    #expect(await updates.next()?.changes.deletedRows.count == 1)
    #expect(calls.map { $0.take() }.allSatisfy { $0 <= 3 })
    rows.insert(.post(20_002), at: 10_001)
    list.show(rows, atEnd: true)
    #expect(await updates.next()?.changes.insertedRows.count == 1)
    #expect(calls.map { $0.take() }.allSatisfy { $0 <= 3 })
  }

  @Test
  func `another condition is one update, for hundreds of rows a task makes it`() async {
    list.show(posts(0..<1_000))
    let filtered = list.filter { $0.id % 2 == 0 }
    var updates = filtered.updates.makeAsyncIterator()
    #expect(await updates.next()?.after.count == 500)
    filtered.replaceCondition { $0.id % 3 == 0 }
    let update = await updates.next()
    #expect(update?.changes.deletedRows.count == 333 && update?.changes.insertedRows.count == 167)
    #expect(filtered.value.rows.count == 334)
  }

  // MARK: - What passes through

  @Test
  func `A4, X4: sections of a derived list say whether rows may be missing`() {
    list.show([.post(1), .post(11), .gap(3), .post(21), .post(31)])
    let days = list.map { $0 }.sectioned { "\($0.id / 10)" }
    let value = days.value
    #expect(value.list.sections.map(\.name) == ["0", "1", "2", "3"])
    #expect((0..<4).map(value.isComplete) == [true, false, false, false])
    list.show(posts([1, 11, 21]), atEnd: true)
    #expect((0..<3).map(days.value.isComplete) == [true, true, true])
  }

  @Test
  func `an item is found by its id, and so is its place`() async {
    list.show([.post(1), .gap(3), .post(21)])
    let days = list.sectioned { "\($0.id / 10)" }
    #expect(days.path(of: 21) == RowPath(section: 1, row: 0) && days.path(of: 3) == nil)
    #expect(await days.item(withID: 21) == Post(id: 21))
    #expect(await days.item(withID: 3) == nil)
  }

  @Test
  func `R4, R5: states pass with the rows they belong to, and failures take none`() async throws {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 10))
    let store = MemoryStore([Post(id: 100)])
    let results = LiveResults(store: store, window: .zero)
    let all = results.map { $0 }.followed(by: feed)
    var view = ListView(all.shown)
    #expect(await all.refresh() == .idle)
    // Nothing was fetched yet: results that nobody asked for hold nothing back.
    #expect(view.advance() == [] && view.rows.count == 10)
    await results.fetch(.all)
    #expect(view.advance() == [] && view.rows.count == 11)
    #expect(view.value.state.refresh == .idle && view.value.refreshedAt != nil)
    server.failNext(with: ScriptedFailure())
    #expect(await all.loadNext().failure != nil)
    #expect(view.advance() == [] && view.rows.count == 11)
    #expect(view.value.state.next.failure != nil)
    #expect(await all.retry() == .idle)
    #expect(view.advance() == [] && view.rows.count == 21)
    try await store.write(inserting: [Post(id: 101)])
    await results.fetch(.all)
    #expect(view.advance() == [] && view.rows.count == 22)
  }

  @Test
  func `X4: items that are being sent are so wherever their ids stay`() {
    let separated = list.separated { _, _ in nil as Day? }
    let lists: [any LiveList<Post>] = [
      list.filter { $0.id < 3 }, list.limited(to: 1), list.sectioned { _ in "" },
      list.merged(with: other, sortedBy: \.id), other.followed(by: list),
    ]
    func values() -> [ItemIDs<Int>] {
      lists.map { list in
        if let list = list as? FilteredList<Post> { return list.value.pendingEdits }
        return (list as! DerivedList<Post>).value.pendingEdits
      }
    }
    let mapped = list.map { Post(id: $0.id + 1) }
    list.show(posts(0..<3), pending: [1])
    #expect(values() == Array(repeating: [1], count: 5))
    #expect(separated.value.pendingEdits == [.item(1)] && mapped.value.pendingEdits == [])
    other.show(posts(7..<9), pending: [7])
    #expect(values() == [[1], [1], [1], [1, 7], [1, 7]])
    // Told without a change of rows.
    let filtered = list.filter { _ in true }
    var view = ListView(filtered.shown)
    #expect(view.advance() == [] && view.value.pendingEdits == [1])
    list.show(posts(0..<3), pending: [])
    #expect(view.advance() == [] && view.value.pendingEdits == [])
  }

  @Test
  func `X5, R4: what a merge shows stays while a store is asked, and may not be all`() async {
    let gate = ScriptedServer<Post>()
    let store = FunctionStore { query in
      _ = try? await gate.source(.keyset).page(PageRequest())
      query.enqueue([Post(id: 3)], as: .insert)
    }
    let results = LiveResults(store: store, window: .zero)
    list.show(posts([1, 5]), atEnd: true)
    let merged = list.merged(with: results, sortedBy: \.id)
    var view = ListView(merged.shown)
    #expect(view.advance() == [] && view.value.items.map(\.id) == [1, 5])
    #expect(!view.value.isComplete(0) && view.value.state.next == .end)
    gate.hold()
    async let first = results.fetch("a")
    await gate.waiting(1)
    await results.mailbox.ask { _ in }
    #expect(view.advance() == [] && view.value.items.map(\.id) == [1, 5])
    #expect(view.value.state.refresh == .loading && !view.value.isComplete(0))
    #expect(merged.value.items.map(\.id) == [1, 5])
    gate.releaseAll()
    _ = await first
    #expect(view.advance() == [] && view.value.items.map(\.id) == [1, 3, 5])
    #expect(view.value.isComplete(0))
    gate.hold()
    async let second = results.fetch("b")
    await gate.waiting(1)
    await results.mailbox.ask { _ in }
    #expect(merged.value.items.map(\.id) == [1, 3, 5])
    gate.releaseAll()
    _ = await second
  }

  /// A store that does what a closure says.
  struct FunctionStore: DataStore {
    let body: @Sendable (DataStoreQuery<Post, String>) async throws -> Void

    init(_ body: @escaping @Sendable (DataStoreQuery<Post, String>) async throws -> Void) {
      self.body = body
    }

    func execute(_ query: DataStoreQuery<Post, String>) async throws { try await body(query) }
  }

  // MARK: - Many at once

  @Test
  func `observers come and go while the lists change, and each sees legal updates`() async {
    let derived = list.merged(with: other, sortedBy: \.id).filter { $0.id % 3 != 0 }
      .sectioned { "\($0.id / 10)" }
    let changes = Task { [list, other] in
      var random = SeededGenerator(seed: 1)
      while !Task.isCancelled {
        let ids = (0..<60).filter { _ in random.oneIn(2) }
        let changed = random.oneIn(2) ? list : other
        changed.show(ids.map { .post($0) }, atEnd: true)
        await Task.yield()
      }
    }
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var found: [String] = []
          for _ in 0..<20 {
            var checker = BatchUpdateChecker<FeedRow<Post>>()
            var count = 0
            for await update in derived.updates {
              found += checker.violations(performing: update.list)
              count += 1
              if count == 3 { break }
            }
          }
          return found
        }
      }
      for await found in group { #expect(found == []) }
    }
    changes.cancel()
    await changes.value
    await derived.mailbox.ask { _ in }
    #expect(derived.shown.observers == 0 && list.shown.observers == 0)
  }
}
