import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@MainActor @Suite(.timeLimit(.minutes(5)))
struct PreviewTests {
  let posts = (0..<4).map { Post(id: $0) }

  @Test
  func `a preview shows rows and state without a server`() {
    let feed = FeedController.preview(posts, sectionedBy: { "\($0.id / 2)" })
    #expect(feed.items.map(\.id) == [0, 1, 2, 3] && feed.sections.map(\.name) == ["0", "1"])
    #expect(feed.state == .complete && feed.refreshedAt != nil && feed.isComplete(1))
    let loading = FeedController<Post>.preview([], state: .loading)
    #expect(loading.state.refresh == .loading && loading.items.isEmpty)
  }

  @Test
  func `a preview stays as it is, whatever a view asks for as it appears`() async throws {
    let feed = FeedController.preview([Post](), state: .failed(URLError(.timedOut)))
    #expect(feed.placeholder == .failed(ErrorNotice(URLError(.timedOut))))
    #expect(await feed.refresh().failure != nil)
    await feed.retry()
    #expect(await feed.loadNext() == .idle && feed.items.isEmpty)
    let full = FeedController.preview(posts, state: .loading)
    full.willDisplay(posts[3])
    try await full.update(2, optimistically: { $0.version = 1 }) {
      #expect(full.items[2].version == 1)
    }
    #expect(await full.refresh() == .loading)
    #expect(full.items.count == 4 && full.items[2].version == 1 && full.state == .loading)
  }

  @Test
  func `a preview of results answers at once, and asks no store`() async {
    let results = LiveResults<Post, MemoryStore<Post>.Request>.preview(posts, state: .loading)
    #expect(await results.fetch(.all).isLoading && results.value.list.count == posts.count)
  }

  @Test
  func `a preview has gaps, each with its state`() async {
    let gap = Gap(id: 7)
    var state = ListState(next: .loading)
    state.gaps[7] = .failed(.source(ScriptedFailure()))
    let feed = FeedController.preview(
      rows: [.item(posts[0]), .gap(gap), .item(posts[1])], state: state)
    #expect(feed.rows.map(\.id) == [.item(0), .gap(7), .item(1)])
    #expect(feed.state.gaps[7]?.failure != nil && feed.state.next == .loading)
    #expect(await feed.load(gap).failure != nil)
    #expect(feed.rows.map(\.id) == [.item(0), .gap(7), .item(1)])
  }

  @Test
  func `lists made of a preview, and queries, can be previewed too`() async {
    let list = ListController(Feed.preview(posts.map { .item($0) }).filter { $0.id > 1 })
    #expect(list.items.map(\.id) == [2, 3])
    let found = QueryController.preview(
      "maps", rows: posts.map { .item($0) }, state: .failed(ScriptedFailure()))
    #expect(found.items.count == 4 && found.state.failure != nil)
    found.show("charts")
    #expect(await eventually { !found.isShowingOldRows })
    #expect(found.items.count == 4 && found.state.failure == nil)
  }

  @Test
  func `results are previewed in their sections`() async {
    let results = ResultsController<Post, String>.preview(
      posts, arrangement: .all.sectioned { $0.id / 2 }, state: .failed(ScriptedFailure()))
    #expect(results.sections.map(\.name) == ["0", "1"] && results.state.failure != nil)
    #expect(results.value.notice?.action == .retry)
    await results.fetch("anything")
    #expect(results.fetchedObjects.count == 4 && results.state.failure != nil)
    let loading = ResultsController<Post, Int>.preview([], state: .loading)
    #expect(await loading.fetch(1).isLoading)
  }
}

@Suite
struct ListPlaceholderTests {
  @MainActor @Test
  func `a list without rows is on its way, empty or failed`() {
    func placeholder(_ state: ListState) -> ListPlaceholder? {
      FeedController<Post>.preview([], state: state).placeholder
    }
    let error = ScriptedFailure()
    #expect(placeholder(.loading) == .loading)
    #expect(placeholder(ListState(next: .loading)) == .loading)
    #expect(placeholder(.complete) == .empty)
    #expect(placeholder(.failed(error)) == .failed(ErrorNotice(error)))
    #expect(FeedController.preview([Post(id: 1)], state: .failed(error)).placeholder == nil)
    // Nothing was asked for yet.
    #expect(ListPlaceholder(ListValue<Post>()) == .loading)
    typealias Results = ResultsController<Post, Int>
    #expect(Results.preview([], state: .initial).placeholder == .loading)
    #expect(Results.preview([], state: .loading).placeholder == .loading)
    #expect(Results.preview([], state: .loaded).placeholder == .empty)
    #expect(Results.preview([], state: .failed(error)).placeholder == .failed(ErrorNotice(error)))
  }

  @MainActor @Test
  func `results whose store cannot say what changes say so, and who looks hears of it`() {
    let displayed = ObservableListState<Post>(ListValue())
    var contents = ListContents()
    contents.setFetch(FetchStatus(state: .loaded))
    displayed.show(ListValue(contents), by: nil)
    let heard = Locked(0)
    withObservationTracking {
      _ = displayed.state
    } onChange: {
      heard.withLock { $0 += 1 }
    }
    let error = ScriptedFailure()
    contents.setFetch(FetchStatus(state: .loaded, interruption: error))
    displayed.show(ListValue(contents), by: nil)
    #expect(heard.withLock { $0 } == 1)
    let notice = ErrorNotice(error, isRetriedByItself: true)
    #expect(ListPlaceholder(displayed.value) == .failed(notice) && notice.action == nil)
    contents.setFetch(FetchStatus(state: .loaded))
    displayed.show(ListValue(contents), by: nil)
    #expect(ListPlaceholder(displayed.value) == .empty)
  }
}
