import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@MainActor @Suite(.timeLimit(.minutes(5)))
struct FeedControllerTests {
  let server = ScriptedServer((0..<40).map { Post(id: $0) })

  func controller() -> FeedController<Post> {
    FeedController(
      server.source(.cursor), sectionedBy: { "\($0.id / 8)" },
      configuration: FeedConfiguration(pageSize: 10))
  }

  @Test
  func `rows, sections and state are there when a load returns`() async throws {
    let feed = controller()
    #expect(await feed.refresh() == .idle)
    #expect(feed.items.map(\.id) == Array(0..<10))
    #expect(feed.sections.map(\.name) == ["0", "1"])
    #expect(feed.sections.map(\.count) == [8, 2])
    #expect(try feed.row(at: IndexPath(indexes: [1, 1])).item == Post(id: 9))
    #expect(try feed.row(at: RowPath(section: 1, row: 1)).item == Post(id: 9))
    #expect(feed.path(of: 9) == RowPath(section: 1, row: 1) && feed.path(of: 10) == nil)
    #expect(feed.indexPath(for: Post(id: 8)) == IndexPath(indexes: [1, 0]))
    #expect(throws: ListError.self) { try feed.row(at: IndexPath(indexes: [1, 2])) }
    #expect(throws: ListError.self) { try feed.row(at: IndexPath()) }
    #expect(feed.refreshedAt != nil)
  }

  @Test
  func `A1: a section key that comes again joins its section`() async {
    let feed = FeedController(
      server.source(.keyset), sectionedBy: { $0.id % 3 == 0 ? "fizz" : "rest" },
      configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    #expect(feed.sections.map(\.name) == ["fizz", "rest"])
    #expect(feed.sections[0].rows.compactMap { $0.item?.id } == [0, 3, 6, 9])
  }

  @Test
  func `observers of one value see rows and state change together`() async {
    let feed = controller()
    let changes = Locked(0)
    func observe() {
      withObservationTracking {
        _ = (feed.items.count, feed.state)
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    await feed.refresh()
    #expect(changes.withLock { $0 } == 1)
  }

  @Test
  func `a hand edit is on display when it returns`() async {
    let feed = controller()
    await feed.refresh()
    feed.moveLocally(from: 9, to: 0)
    #expect(feed.items.first?.id == 9)
    feed.removeLocally(at: 0)
    feed.insertLocally(Post(id: 77), at: 4)
    #expect(feed.items[4].id == 77 && feed.items.count == 10)
  }

  final class Delegate: ListControllerDelegate {
    typealias Item = Post
    var added: [IndexPath] = []
    var deleted: [IndexPath] = []
    var failures: [FeedError] = []
    /// What is edited the first time that rows change.
    var edit: (() -> Void)?

    func controller(
      _ controller: ListController<some LiveList<Post>>, didChangeContent update: ListUpdate<Post>
    ) {
      added += update.addedIndexPaths
      deleted += update.deletedIndexPaths
      let edit = edit
      self.edit = nil
      edit?()
    }

    func controller(_ controller: ListController<some LiveList<Post>>, didFail error: FeedError) {
      failures.append(error)
    }
  }

  @Test
  func `the delegate hears of rows and of failures`() async {
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 3))
    let delegate = Delegate()
    feed.delegate = delegate
    await feed.refresh()
    // The rows of a new section are new rows.
    #expect(delegate.added == (0..<3).map { IndexPath(indexes: [0, $0]) })
    delegate.added = []
    server.insert(Post(id: 100), at: 1)
    await feed.refresh()
    #expect(delegate.added == [IndexPath(indexes: [0, 1])] && delegate.deleted == [])
    server.failNext(with: ScriptedFailure())
    await feed.refresh()
    server.failNext(with: ScriptedFailure())
    await feed.loadNext()
    // A failure on each edge is told.
    #expect(delegate.failures == [.source(ScriptedFailure()), .source(ScriptedFailure())])
    // Who asks again waits for the outcome, and sees it.
    #expect(await feed.retry() == .idle && feed.state.failure == nil)
  }

  @Test
  func `a failure is told once to a delegate that edits while it is told`() async {
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 3))
    let delegate = Delegate()
    await feed.refresh()
    feed.delegate = delegate
    delegate.edit = { [unowned feed] in feed.insertLocally(Post(id: 200), at: 0) }
    // Rows change and a load fails before the controller looks.
    feed.feed.receive(.insert(Post(id: 100)))
    feed.feed.engine.perform { machine, _ in
      machine.planner.fail(.next, .source(ScriptedFailure()))
      machine.publish()
    }
    feed.holdNew()
    #expect(feed.items.map(\.id) == [200, 100, 0, 1, 2])
    #expect(delegate.failures == [.source(ScriptedFailure())])
  }

  @Test
  func `C1: a controller of a feed that has rows shows them, and is told of what comes after`()
    async
  {
    let first = controller()
    await first.refresh()
    let feed = FeedController(first.feed)
    let delegate = Delegate()
    feed.delegate = delegate
    #expect(feed.items.count == 10)
    feed.insertLocally(Post(id: -3), at: 4)
    #expect(delegate.added == [IndexPath(indexes: [0, 4])] && delegate.deleted == [])
  }

  @Test
  func `L3, R5: steps that undo each other before they are taken leave their state`() async {
    let feed = controller()
    await feed.refresh()
    let delegate = Delegate()
    feed.delegate = delegate
    // The main actor is busy: nothing is taken, and 33 steps become one.
    feed.feed.pause()
    for _ in 0..<11 {
      feed.feed.insertLocally(Post(id: 500), after: nil)
      feed.feed.insertLocally(Post(id: 500, version: 1), after: nil)
      feed.feed.removeLocally(500)
    }
    feed.holdNew()
    #expect(await eventually { feed.state.isPaused })
    #expect(feed.items.count == 10)
    feed.insertLocally(Post(id: -4), at: 0)
    #expect(feed.items.count == 11 && delegate.added == [IndexPath(indexes: [0, 0])])
  }

  @Test
  func `an index means what is on display, whatever the engine knows already`() async {
    let feed = controller()
    await feed.refresh()
    let shown = feed.items.map(\.id)
    for id in shown.dropFirst(3) { feed.feed.removeLocally(id) }
    feed.moveLocally(from: shown.count - 1, to: 0)
    feed.removeLocally(at: 0)
    feed.insertLocally(Post(id: shown[0]), at: 2)
    #expect(feed.items.map(\.id) == [shown[1], shown[2], shown[0]])
  }

  @Test
  func `R6: an edit is on display before the source is told`() async throws {
    let feed = controller()
    await feed.refresh()
    let id = feed.items[2].id
    try await feed.update(id, optimistically: { $0.version = 9 }) {
      #expect(feed.items[2].version == 9)
    }
    await #expect(throws: ScriptedFailure.self) {
      try await feed.remove(id) {
        #expect(!feed.items.contains { $0.id == id })
        throw ScriptedFailure()
      }
    }
    #expect(feed.items[2].id == id)
    try await feed.insert(Post(id: -1)) {
      #expect(feed.items[0].id == -1)
      return Post(id: 700)
    }
    #expect(feed.items[0].id == 700)
  }

  @Test
  func `load states are shown while new rows wait`() async {
    let feed = controller()
    await feed.refresh()
    feed.holdNew()
    server.insert(Post(id: 500), at: 0)
    await feed.refresh()
    #expect(feed.state.newItems == 1)
    server.failNext(with: ScriptedFailure())
    await feed.refresh()
    #expect(feed.state.refresh.failure != nil)
  }

  @Test
  func `A4: a section that touches a gap or the loading end says so`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = Feed(
      server.source(.cursor), sectionedBy: { "\($0.id / 5)" },
      configuration: FeedConfiguration(pageSize: 10, refreshPages: 1))
    func complete() -> [String: Bool] {
      let value = feed.value
      return Dictionary(
        uniqueKeysWithValues: value.list.sections.indices.map {
          (value.list.sections[$0].name, value.isComplete($0))
        })
    }
    await feed.loadNext()
    #expect(complete() == ["0": true, "1": false])
    while await feed.loadNext() == .idle {}
    #expect(complete().allSatisfy { $0.value })
    for id in 100..<125 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    // 124…120, 119…115 stand above the gap, 0 below it.
    #expect(complete().filter { !$0.value }.keys.sorted() == ["0", "23"])
    if let gap = feed.value.rows.lazy.compactMap(\.gap).first {
      while await feed.load(gap) == .idle {}
    }
    #expect(complete().allSatisfy { $0.value })
  }

  @Test
  func `A1: a section key that changes its mind leaves rows where they are`() async {
    let day = Day()
    let feed = Feed(
      server.source(.cursor), sectionedBy: { $0.id < 5 ? day.name : "earlier" },
      configuration: FeedConfiguration(pageSize: 10))
    var checker = BatchUpdateChecker<ListRow<Post>>()
    var updates = feed.updates.makeAsyncIterator()
    await feed.refresh()
    day.name = "yesterday"
    server.update(Post(id: 1, version: 1))
    server.delete(2)
    server.insert(Post(id: 100), at: 3)
    await feed.refresh()
    day.name = "today"
    server.delete(1)
    await feed.refresh()
    for _ in 0..<3 {
      if let update = await updates.next() {
        #expect(checker.violations(performing: update.step) == [])
      }
    }
    #expect(checker.shown == feed.value.list)
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }

  @Test
  func `a controller that nobody holds goes, and its feed with it`() async {
    weak var feed: Feed<Post>?
    do {
      let controller = controller()
      await controller.refresh()
      feed = controller.feed
    }
    #expect(await eventually { feed == nil })
  }
}

/// The name of a section that depends on when it is asked.
private final class Day: Sendable {
  private let state = Locked("today")
  var name: String {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
