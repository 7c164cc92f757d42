import FreshetTesting
import Testing

@testable import Freshet

// What passes through a list made of others.
extension DerivedListTests {
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
    // A list that is busy when a part of it changes follows a moment later.
    var view = ListView(all.publisher)
    #expect(await all.refresh() == .idle)
    // Nothing was fetched yet: results that nobody asked for hold nothing back.
    #expect(await eventually { view.advance() == [] && view.rows.count == 10 })
    await results.fetch(.all)
    #expect(await eventually { view.advance() == [] && view.rows.count == 11 })
    #expect(view.value.state.refresh == .idle && view.value.refreshedAt != nil)
    server.failNext(with: ScriptedFailure())
    #expect(await all.loadNext().failure != nil)
    #expect(await eventually { view.advance() == [] && view.rows.count == 11 })
    #expect(view.value.state.next.failure != nil)
    #expect(await all.retry() == .idle)
    #expect(await eventually { view.advance() == [] && view.rows.count == 21 })
    try await store.write(inserting: [Post(id: 101)])
    await results.fetch(.all)
    #expect(await eventually { view.advance() == [] && view.rows.count == 22 })
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
    var view = ListView(filtered.publisher)
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
    var view = ListView(merged.publisher)
    #expect(view.advance() == [] && view.value.items.map(\.id) == [1, 5])
    #expect(!view.value.isComplete(0) && view.value.state.next == .end)
    gate.hold()
    async let first = results.fetch("a")
    #expect(await gate.waiting(1))
    #expect(await eventually { merged.value.state.refresh == .loading })
    #expect(view.advance() == [] && view.value.state.refresh == .loading)
    #expect(view.value.items.map(\.id) == [1, 5] && !view.value.isComplete(0))
    #expect(merged.value.items.map(\.id) == [1, 5])
    gate.releaseAll()
    _ = await first
    #expect(view.advance() == [] && view.value.items.map(\.id) == [1, 3, 5])
    #expect(view.value.isComplete(0))
    gate.hold()
    async let second = results.fetch("b")
    #expect(await gate.waiting(1))
    await results.eventQueue.ask { _ in }
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
}
