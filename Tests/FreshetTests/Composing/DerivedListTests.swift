import FreshetTesting
import Testing

@testable import Freshet

/// Lists that are made of others: when they work, whom they ask, what passes through.
@Suite(.timeLimit(.minutes(5)))
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

  func posts(_ ids: some Sequence<Int>) -> [ListRow<Post>] { ids.map { .post($0) } }

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
    #expect(calls.take() == 0 && list.publisher.observers == 0)
    var view: ListView<Post>? = ListView(days.publisher)
    #expect(view?.advance() == [] && view?.value.list.sections.count == 2)
    #expect(calls.take() == 20 && list.publisher.observers == 1)
    // What nobody looks at on the way is not shown, and costs nothing.
    #expect(mapped.publisher.observers == 0 && mapped.publisher.value.rows.isEmpty)
    list.show(posts(1..<20) + [.post(20)])
    #expect(view?.advance() == [] && view?.rows.count == 20)
    #expect(calls.take() == 1)
    let second = ListView(mapped.publisher)
    #expect(calls.take() == 20 && list.publisher.observers == 2)
    view = nil
    #expect(days.publisher.observers == 0)
    #expect(mapped.publisher.observers == 1 && list.publisher.observers == 1)
    list.show(posts(0..<5))
    #expect(mapped.publisher.value.rows.count == 5)
    withExtendedLifetime(second) {}
  }

  @Test
  func `a list that ended begins anew with its next observer`() {
    let mapped = list.map { Post(id: $0.id, version: 7) }
    for count in 1...3 {
      var view = ListView(mapped.publisher)
      #expect(view.advance() == [])
      list.show(posts(0..<count))
      #expect(view.advance() == [] && view.rows.count == count)
    }
    #expect(list.publisher.observers == 0 && mapped.publisher.value.rows.isEmpty)
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
      var updates: ListUpdates<Post>.Iterator? = {
        let derived = list.map { $0 }.filter { $0.id > 0 }.map { $0 }
        mapped = derived
        return derived.updates.makeAsyncIterator()
      }()
      let count = await updates?.next()?.after.count
      #expect(count == 2)
      // Whoever takes updates holds the list.
      #expect(mapped != nil)
      #expect(list.publisher.observers == 1)
      updates = nil
      #expect(list.publisher.observers == 0)
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
    #expect(list.publisher.observers == 1 && other.publisher.observers == 1)
    task.cancel()
    await task.value
    #expect(list.publisher.observers == 0 && other.publisher.observers == 0)
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

  @Test
  func `another condition reaches the lists that are made of the filtered one, whoever looks`() {
    list.show(posts(0..<20))
    let filtered = list.filter { $0.id % 2 == 0 }
    let mapped = filtered.map { Post(id: $0.id, version: 1) }
    var view: ListView<Post>? = ListView(mapped.publisher)
    #expect(view?.advance() == [] && view?.rows.count == 10 && filtered.publisher.observers == 0)
    filtered.replaceCondition { $0.id % 4 == 0 }
    #expect(view?.advance() == [] && view?.rows.count == 5)
    view = nil
    #expect(list.publisher.observers == 0)
    filtered.replaceCondition { $0.id < 3 }
    #expect(filtered.value.rows.count == 3 && mapped.value.rows.count == 3)
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
            var checker = BatchUpdateChecker<ListRow<Post>>()
            var count = 0
            for await update in derived.updates {
              found += checker.violations(performing: update.step)
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
    await derived.eventQueue.ask { _ in }
    #expect(derived.publisher.observers == 0 && list.publisher.observers == 0)
  }

  /// Does something when it goes.
  final class Farewell: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test
  func `what an old condition holds may look at the filter when it goes`() {
    let seen = Locked(0)
    let condition = FilterCondition<Post> { _ in true }
    do {
      let farewell = Farewell { [weak condition] in
        seen.withLock { $0 = condition?.current.version ?? 0 }
      }
      condition.replace(with: { _ in withExtendedLifetime(farewell) { true } })
    }
    condition.replace(with: { _ in false })
    #expect(seen.withLock { $0 } == 2)
  }
}
