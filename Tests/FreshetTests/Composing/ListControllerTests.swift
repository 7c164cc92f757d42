import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListControllerTests {
  let list = ScriptedList()

  @Test
  func `a controller shows its list from the first moment, and every edit at once`() throws {
    list.show((0..<20).map { .post($0) })
    let controller = list.sectioned { "\($0.id / 8)" }.controller()
    #expect(controller.sections.map(\.name) == ["0", "1", "2"])
    #expect(controller.items.count == 20 && controller.rows.count == 20)
    #expect((0..<3).map(controller.isComplete) == [true, true, false])
    #expect(try controller.row(at: IndexPath(indexes: [1, 1])).item == Post(id: 9))
    #expect(try controller.row(at: RowPath(section: 2, row: 3)).item == Post(id: 19))
    #expect(throws: ListError.self) { try controller.row(at: RowPath(section: 3, row: 0)) }
    #expect(throws: ListError.self) { try controller.row(at: IndexPath()) }
    #expect(controller.list.path(of: 9) == RowPath(section: 1, row: 1))
    #expect(controller.list.path(of: 90) == nil)
    #expect(controller.path(of: 9) == RowPath(section: 1, row: 1) && controller.path(of: 90) == nil)
  }

  @Test
  func `rows are on display when a load returns, and observers see rows and state at once`() async {
    let server = ScriptedServer((0..<40).map { Post(id: $0) })
    let feed = Feed(server.source(.cursor), configuration: FeedConfiguration(pageSize: 10))
    let controller = feed.filter { $0.id % 2 == 0 }.controller()
    let changes = Locked(0)
    func observe() {
      withObservationTracking {
        _ = (controller.items.count, controller.state)
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    #expect(await controller.refresh() == .idle)
    #expect(controller.items.map(\.id) == [0, 2, 4, 6, 8] && controller.refreshedAt != nil)
    #expect(changes.withLock { $0 } == 1)
    #expect(await controller.loadNext() == .idle)
    #expect(controller.items.count == 10)
    while await controller.loadNext() != .end {}
    #expect(controller.items.count == 20 && controller.state.next == .end)
    #expect(await controller.loadPrevious() == .end)
    server.failNext(with: ScriptedFailure())
    #expect(await controller.refresh().failure != nil)
    #expect(controller.state.refresh.failure != nil)
    #expect(await controller.retry().failure == nil)
  }

  @Test
  func `X4: what is being sent is so until the source has taken it, in controllers too`()
    async throws
  {
    let server = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = Feed(server.source(.cursor))
    await feed.refresh()
    let shown = (
      feed: FeedController(feed), list: feed.filter { _ in true }.controller()
    )
    try await shown.feed.update(1, optimistically: { $0.version = 1 }) {
      #expect(shown.feed.value.pendingEdits == [1])
      #expect(await eventually { shown.list.value.pendingEdits == [1] })
    }
    #expect(shown.feed.value.pendingEdits == [])
    #expect(await eventually { shown.list.value.pendingEdits == [] })
  }

  @Test
  func `other lists are made of what a controller shows`() async {
    let server = ScriptedServer([1, 5, 9].map { Post(id: $0) })
    let home = FeedController(Feed(server.source(.cursor)))
    let saved = ResultsController(LiveResults(store: MemoryStore([2, 6].map { Post(id: $0) })))
    let family = FeedFamily { (_: Int) in server.source(.cursor) }
    let found = QueryController(family, query: 0)
    await home.refresh()
    await saved.fetch(.all)
    let merged = ListController(home.feed.merged(with: saved.list, sortedBy: \.id))
    #expect(merged.items.map(\.id) == [1, 2, 5, 6, 9])
    let high = ListController(merged.list.filter { $0.id > 4 })
    #expect(high.items.map(\.id) == [5, 6, 9])
    let both = ListController(found.list.merged(with: merged.list, sortedBy: \.id))
    await found.refresh()
    await both.loadNext()
    #expect(both.items.map(\.id) == [1, 2, 5, 6, 9])
  }

  @Test
  func `X4: a controller tells its lists what is on screen, and lets them wait`() {
    let controller = list.filter { $0.id > 1 }.controller()
    list.show((0..<40).map { .post($0) })
    controller.willDisplay(Post(id: 3))
    controller.pause()
    controller.resume()
    #expect(list.takeAsked() == ["display 3", "pause", "resume"])
  }

  @Test
  func `a list ends with its controller`() {
    list.show([.post(1)])
    var controller: ListController<FilteredList<Post>>? = list.filter { _ in true }.controller()
    #expect(list.publisher.observers == 1 && controller?.items.count == 1)
    controller = nil
    #expect(list.publisher.observers == 0)
  }

  @Test
  func `hundreds of rows are made elsewhere, and come as an update`() async {
    list.show((0..<1_000).map { .post($0) })
    let isHere = Locked(false)
    let controller = list.map { post in
      if Thread.isMainThread { isHere.withLock { $0 = true } }
      return post
    }.controller()
    for await update in controller.updates where update.after.count == 1_000 { break }
    #expect(!isHere.withLock { $0 })
  }
}
