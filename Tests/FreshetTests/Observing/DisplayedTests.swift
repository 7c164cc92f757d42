import FreshetTesting
import Observation
import Testing

@testable import Freshet

@MainActor @Suite(.timeLimit(.minutes(5)))
struct DisplayedTests {
  /// How often something was read that changed since.
  @MainActor
  final class Count {
    private nonisolated let changes = Locked(0)
    private let read: @MainActor () -> Void
    private var told = 0

    init(_ read: @escaping @MainActor () -> Void) {
      self.read = read
      observe()
    }

    private func observe() {
      // What is not told in the end keeps nothing alive.
      withObservationTracking(read) { [weak self] in self?.changes.withLock { $0 += 1 } }
    }

    /// Whether it changed since this was last asked for.
    func take() -> Bool {
      let changes = changes.withLock { $0 }
      defer { told = changes }
      if changes > told { observe() }
      return changes > told
    }
  }

  let server = ScriptedServer((0..<40).map { Post(id: $0) })

  func feed() async -> FeedController<Post> {
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    return feed
  }

  @Test
  func `who reads one row hears of changes of that row alone`() async throws {
    let feed = await feed()
    let rows = (0..<10).map { feed.row($0) }
    let counts = rows.map { row in Count { _ = row.item } }
    try await feed.update(3, optimistically: { $0.version = 1 }) {}
    #expect(counts.map { $0.take() } == (0..<10).map { $0 == 3 })
    #expect(rows[3].item == Post(id: 3, version: 1) && feed.row(3) === rows[3])
    feed.removeLocally(at: 5)
    #expect(counts.map { $0.take() } == (0..<10).map { $0 == 5 } && rows[5].item == nil)
    feed.insertLocally(Post(id: 5, version: 2), at: 0)
    #expect(counts.map { $0.take() } == (0..<10).map { $0 == 5 } && rows[5].item?.version == 2)
    // A row that stands elsewhere is the same row.
    feed.moveLocally(from: 9, to: 0)
    #expect(!counts.contains { $0.take() })
  }

  @Test
  func `R5: pausing and the reader's place do not change rows, and rows do not change the state`()
    async
  {
    let feed = await feed()
    let rows = Count { _ = (feed.rows.count, feed.sections.count, feed.path(of: 1)) }
    let state = Count { _ = feed.state }
    let place = Count { _ = feed.anchor }
    let all = Count { _ = feed.value }
    feed.pause()
    #expect([rows, state, place, all].map { $0.take() } == [false, true, false, true])
    feed.resume()
    #expect([rows, state, place, all].map { $0.take() } == [false, true, false, true])
    feed.anchor = 7
    #expect([rows, state, place, all].map { $0.take() } == [false, false, true, true])
    feed.insertLocally(Post(id: 77), at: 9)
    #expect([rows, state, place, all].map { $0.take() } == [true, false, false, true])
    #expect(![rows, state, place, all].contains { $0.take() })
  }

  @Test
  func `to ask for a row is not to read the rows`() async {
    let feed = await feed()
    let held = feed.row(2)
    let row = Count { _ = feed.row(2).item }
    feed.insertLocally(Post(id: 77), at: 9)
    #expect(!row.take() && held.item?.id == 2)
  }

  @Test
  func `a row says whether its edit is being sent`() async throws {
    let feed = await feed()
    let row = feed.row(4)
    let otherRow = feed.row(5)
    let other = Count { _ = otherRow.isPending }
    try await feed.update(4, optimistically: { $0.version = 1 }) { #expect(row.isPending) }
    #expect(!row.isPending && !other.take())
  }

  @Test
  func `rows of lists made of others and of results are observed in the same way`() async throws {
    let store = MemoryStore((0..<4).map { Post(id: $0) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.id).sectioned { $0.id / 2 }, window: .zero)
    await results.fetch(.all)
    let list = results.list.filter { $0.id > 0 }.controller()
    let rows = [results.row(1), results.row(2), list.row(1), list.row(2)]
    let counts = rows.map { row in Count { _ = row.item } }
    let state = Count { _ = results.state }
    try await store.write(updating: [Post(id: 2, version: 1)])
    #expect(await eventually { rows[1].item?.version == 1 && rows[3].item?.version == 1 })
    #expect(counts.map { $0.take() } == [false, true, false, true] && !state.take())
    // Its section goes with it.
    try await store.write(deleting: [2, 3])
    #expect(await eventually { rows[1].item == nil && rows[3].item == nil })
    #expect(counts.map { $0.take() } == [false, true, false, true])
  }

  @Test
  func `handles that nobody holds are forgotten`() async {
    let feed = await feed()
    var held: [ObservableRow<Post>] = []
    for id in 0..<10_000 {
      let row = feed.row(id)
      if id < 10 { held.append(row) }
    }
    #expect(feed.displayed.rememberedRows <= 65)
    #expect(held.compactMap(\.item?.id) == Array(0..<10) && held[3] === feed.row(3))
    weak let row = held[3]
    held = []
    #expect(row == nil)
  }

  @Test
  func `where more rows change than are held, those that are held are looked at`() async throws {
    let store = MemoryStore((0..<20_000).map { Post(id: $0) })
    let results = ResultsController(store: store, window: .zero)
    await results.fetch(.all)
    let rows = [0, 10_000, 19_999].map { results.row($0) }
    let counts = rows.map { row in Count { _ = row.item } }
    try await store.write(
      updating: (5_000..<20_000).map { Post(id: $0, version: 1) }, deleting: [19_999])
    #expect(await eventually { rows[1].item?.version == 1 })
    #expect(counts.map { $0.take() } == [false, true, true])
    #expect(rows.map(\.item) == [Post(id: 0), Post(id: 10_000, version: 1), nil])
  }

  @Test(arguments: [1, 2, 3])
  func `handles say what rows say, whatever happens`(seed: Int) async {
    var random = SeededGenerator(seed: seed)
    let feed = await feed()
    while await feed.loadNext() != .end {}
    var rows: [ObservableRow<Post>] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: feed.removeLocally(at: feed.items.indices.randomElement(using: &random) ?? 0)
      case 1:
        let id = Int.random(in: 0..<60, using: &random)
        feed.insertLocally(
          Post(id: id, version: step), at: Int.random(in: 0...feed.items.count, using: &random))
      case 2:
        let target = feed.items.indices.randomElement(using: &random) ?? 0
        feed.moveLocally(from: feed.items.count / 2, to: target)
      case 3: rows.append(feed.row(Int.random(in: 0..<60, using: &random)))
      default: if rows.count > 20 { rows.removeFirst(10) }
      }
      for row in rows {
        #expect(row.item == feed.items.first { $0.id == row.id }, "seed \(seed), step \(step)")
      }
    }
  }
}
