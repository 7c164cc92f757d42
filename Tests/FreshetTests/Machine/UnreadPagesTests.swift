import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A value that a test changes and a source reads.
private final class Box<Value: Sendable>: Sendable {
  private let locked: Locked<Value>
  init(_ value: Value) { locked = Locked(value) }
  var value: Value {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }
}

/// T8: a source that speaks of more and has no way to get it.
@Suite(.timeLimit(.minutes(5)))
struct UnreadPagesTests {
  static let error = FeedError.unreadPages(seen: "a total of 9", advice: "Try another.", url: nil)

  /// Pages of three, of which the last one, by its number, leads nowhere.
  private func feed(
    _ posts: Box<[Post]>, last: Box<Int>, pages: Int = 1
  ) -> Feed<Post> {
    Feed(configuration: FeedConfiguration(pageSize: 3, refreshPages: pages)) {
      (request: PageRequest<Int>) in
      let (key, end) = (request.key ?? 0, last.value)
      let items = Array(posts.value.dropFirst(key * 3).prefix(3))
      var page = Page(items, next: key < end ? key + 1 : nil)
      if key == end { page.unread = Self.error }
      return page
    }
  }

  @Test(arguments: [PageContinuity.stable, .overlapping])
  func `T7, T8: a page without rows that speaks of more fails its edge, and is not asked again`(
    continuity: PageContinuity
  ) async {
    let requests = Box(0)
    let feed = Feed(configuration: FeedConfiguration(pageSize: 3), continuity: continuity) {
      (request: PageRequest<Int>) in
      requests.value += 1
      guard request.key == nil else {
        var page = Page<Post, Int>([], next: nil)
        page.unread = Self.error
        return page
      }
      return Page((1...3).map { Post(id: $0) }, next: 1)
    }
    await feed.refresh()
    var loads = 0
    while await feed.loadNext() == .idle, loads < 9 { loads += 1 }
    #expect(feed.value.state.next == .failed(Self.error), "\(feed.value.state)")
    #expect(requests.value <= 4)
    #expect(feed.value.items.map(\.id) == [1, 2, 3])
  }

  @Test
  func `T8: rows show, and the edge behind them fails`() async {
    let posts = Box((1...9).map { Post(id: $0) })
    let feed = feed(posts, last: Box(1))
    #expect(await feed.refresh() == .idle)
    #expect(feed.value.state.next == .idle)
    #expect(await feed.loadNext() == .failed(Self.error))
    #expect(feed.value.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(await feed.loadNext() == .failed(Self.error))
    #expect(feed.value.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(await feed.refresh(.all) == .idle)
    #expect(feed.value.state.next == .failed(Self.error))
  }

  @Test
  func `N5: why rows are missing is told without secrets`() async throws {
    let url = try #require(URL(string: "https://user:hunter2@a.example/?token=s3cret"))
    let feed = Feed<Post> { (_: PageRequest<Int>) in
      var page = Page<Post, Int>([Post(id: 1)], next: nil)
      page.unread = .unreadPages(seen: "next = \(url)", advice: "Try \u{1B}.", url: url)
      return page
    }
    await feed.refresh()
    var dumped = ""
    dump(feed.value.state.next.failure, to: &dumped)
    #expect(feed.value.state.next.failure != nil)
    #expect(!dumped.contains("s3cret") && !dumped.contains("hunter2"), "\(dumped)")
    #expect(!dumped.contains("\u{1B}"))
  }

  @Test
  func `T8: the edge stands again once a refresh finds the way`() async {
    let posts = Box((1...9).map { Post(id: $0) })
    let last = Box(0)
    let feed = feed(posts, last: last)
    await feed.loadNext()
    #expect(feed.value.state.next == .failed(Self.error))
    last.value = 5
    await feed.refresh()
    #expect(feed.value.state.next == .idle)
    await feed.loadNext()
    #expect(feed.value.items.map(\.id) == [1, 2, 3, 4, 5, 6])
  }

  @Test
  func `T8: a refresh that met nothing known leaves a gap that says why it cannot be loaded`() async
  {
    let posts = Box((1...9).map { Post(id: $0) })
    let last = Box(2)
    let feed = feed(posts, last: last)
    await feed.refresh()
    posts.value = (11...13).map { Post(id: $0) } + posts.value
    last.value = 0
    await feed.refresh()
    #expect(feed.value.rows.map { $0.item?.id } == [11, 12, 13, nil, 1, 2, 3])
    #expect(feed.value.state.gaps.values.map(\.failure) == [Self.error])
    #expect(feed.value.state.next == .idle)
  }

  @Test(arguments: [RefreshScope.head, .all])
  func `T8: a refresh that ends at known rows, and speaks of more, fails`(scope: RefreshScope) async
  {
    let posts = Box((1...5).map { Post(id: $0) })
    let feed = Feed<Post>(configuration: FeedConfiguration(pageSize: 4)) {
      (request: PageRequest<Int>) in
      let (start, all) = (request.key ?? 0, posts.value)
      let items = Array(all.dropFirst(start).prefix(4))
      var page = Page(items, next: start + 4 < all.count ? start + 4 : nil)
      // A page that may be all, or cut off.
      if page.next == nil, items.count == 4 { page.unread = Self.error }
      return page
    }
    await feed.refresh()
    await feed.loadNext()
    #expect(feed.value.items.count == 5 && feed.value.state.failure == nil)
    posts.value.removeLast()
    #expect(await feed.refresh(scope).failure == Self.error)
    // The rows stay (rule R4).
    #expect(feed.value.items.count == 5)
    posts.value = (1...3).map { Post(id: $0) }
    #expect(await feed.refresh(.all).failure == nil)
    #expect(feed.value.items.map(\.id) == [1, 2, 3] && feed.value.state.next == .end)
  }

  @Test
  func `T8: an edge that is being asked for does not fail by the answer of another load`() throws {
    var history = History([1, 2], configuration: FeedConfiguration())
    var page = Page<Post, PageKey>([Post(id: 1), Post(id: 2)], next: nil)
    page.unread = Self.error
    func answer(_ history: inout History, _ index: Int) {
      let ticket = history.pending.remove(at: index).ticket
      let now = history.now
      history.perform("answer", history.machine.receive(.success(page), for: ticket, at: now))
    }
    history.begin { $0.load(.refresh) }
    answer(&history, 0)
    #expect(history.machine.value.state.next == .failed(Self.error))
    history.begin { $0.load(.refresh) }
    history.begin { $0.load(.next) }
    let next = try #require(history.pending.indices.last)
    answer(&history, next)
    history.begin { $0.load(.next) }
    while !history.pending.isEmpty { answer(&history, 0) }
    #expect(history.machine.value.state.next == .failed(Self.error))
    #expect(history.violations.isEmpty, "\(history.violations)")
  }
}
