import Foundation
@testable import Freshet
import FreshetTesting
import Testing

/// W1: the number of rows in the whole list, as the source and the loaded rows know it.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct ReportedTotalTests {
  /// A list whose new rows come first; each page has the number of its rows at that moment.
  private final class Server: Sendable {
    struct State {
      var ids: [Int]
      var random: SeededGenerator
      /// Whether a change happens while a page is on its way.
      var changesBetween = false
      var nextID = 10_000
      var report: @Sendable (Int) -> RowTotal? = { .exact($0) }
    }
    let state: Locked<State>
    private let receiver = Locked<(@Sendable (FeedEvent<Post>) -> Void)?>(nil)

    init(_ count: Int, seed: Int = 0) {
      state = Locked(State(ids: Array(0..<count), random: SeededGenerator(seed: seed)))
    }

    func tell(_ feed: Feed<Post>) {
      receiver.withLock { $0 = { [weak feed] in feed?.receive($0) } }
    }

    func page(_ request: PageRequest<Int>) -> Page<Post, Int> {
      let page = state.withLock { state in
        let rest = state.ids.drop { id in request.key.map { Self.place(of: id) <= $0 } ?? false }
        let items = rest.prefix(request.limit)
        let last = items.count < rest.count ? items.last : nil
        var page = Page(items.map { Post(id: $0) }, next: last.map { Self.place(of: $0) })
        page.total = state.report(state.ids.count)
        return page
      }
      if state.withLock({ $0.changesBetween && Bool.random(using: &$0.random) }) { change() }
      return page
    }

    /// Inserts a row at the head or deletes one, and reports it.
    func change() {
      let event = state.withLock { state in
        if Bool.random(using: &state.random), state.ids.count > 1 {
          let index = Int.random(in: 0..<state.ids.count, using: &state.random)
          return FeedEvent<Post>.delete(state.ids.remove(at: index))
        }
        state.nextID += 1
        state.ids.insert(state.nextID, at: 0)
        return .insert(Post(id: state.nextID))
      }
      receiver.withLock(\.self)?(event)
    }

    private static func place(of id: Int) -> Int { id < 10_000 ? id : -id }

    var count: Int { state.withLock { $0.ids.count } }
    func report(_ report: @escaping @Sendable (Int) -> RowTotal?) {
      state.withLock { $0.report = report }
    }
  }

  private func feed(of server: Server, pageSize: Int = 10) -> Feed<Post> {
    let feed = Feed<Post>(configuration: FeedConfiguration(pageSize: pageSize)) {
      (request: PageRequest<Int>) in server.page(request)
    }
    server.tell(feed)
    return feed
  }

  @Test
  func `W1: the total is the source's, and follows what is inserted and deleted`() async {
    let server = Server(100)
    let feed = feed(of: server)
    #expect(feed.value.state.total == nil)
    await feed.refresh()
    #expect(feed.value.state.total == .exact(100))
    feed.receive(.insert(Post(id: 500)))
    #expect(feed.value.state.total == .exact(101))
    feed.receive(.update(Post(id: 500, version: 1)))
    feed.receive(.upsert(Post(id: 500, version: 2)))
    #expect(feed.value.state.total == .exact(101))
    feed.receive(.delete(3))
    #expect(feed.value.state.total == .exact(100))
    // Whether it was among those that the source counted is unknown.
    feed.receive(.delete(90))
    #expect(feed.value.state.total == .estimated(100))
    await feed.refresh()
    #expect(feed.value.state.total == .exact(100))
  }

  @Test func `W1: a list that is loaded whole has as many rows as it shows`() async {
    let server = Server(15)
    server.report { _ in nil }
    let feed = feed(of: server)
    await feed.refresh()
    #expect(feed.value.state.total == nil)
    await feed.loadNext()
    #expect(feed.value.state.total == .exact(15))
    feed.receive(.delete(3))
    #expect(feed.value.state.total == .exact(14))
  }

  @Test(arguments: [RowTotal.exact(5), .estimated(0), .atLeast(7), .exact(.min)])
  func `W1: a total below the rows on display is a lower bound`(wrong: RowTotal) async {
    let server = Server(100)
    server.report { _ in wrong }
    let feed = feed(of: server)
    await feed.refresh()
    #expect(feed.value.state.total == .atLeast(10))
    await feed.loadNext()
    #expect(feed.value.state.total == .atLeast(20))
  }

  @Test(arguments: [RowTotal.estimated(2_300), .atLeast(10_000), .exact(.max)])
  func `W1: a total says whether it is exact`(total: RowTotal) async {
    let server = Server(100)
    server.report { _ in total }
    let feed = feed(of: server)
    await feed.refresh()
    #expect(feed.value.state.total == total)
    feed.receive(.insert(Post(id: 500)))
    #expect(feed.value.state.total == total.adding(1))
    server.report { _ in nil }
    await feed.refresh()
    #expect(feed.value.state.total == nil)
  }

  @Test func `W1: a filtered list has no total`() async {
    let server = Server(100)
    let feed = feed(of: server)
    await feed.refresh()
    let even = feed.filter { $0.id % 2 == 0 }
    #expect(even.value.state.total == nil)
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `W1: an exact total is that of the source, whatever changes while pages arrive`(
    seed: Int
  ) async {
    let server = Server(60, seed: seed)
    server.state.withLock { $0.changesBetween = true }
    let feed = feed(of: server)
    var random = SeededGenerator(seed: seed)
    for step in 0..<20 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: await feed.refresh()
      case 1: await feed.loadNext()
      default: server.change()
      }
      guard let total = feed.value.state.total?.exact else { continue }
      #expect(total == server.count, "step \(step)")
    }
    // Once nothing changes any more, it is exact.
    server.state.withLock { $0.changesBetween = false }
    await feed.refresh()
    #expect(feed.value.state.total == .exact(server.count))
  }

  @Test func `W1: a total has a text for the user`() {
    #expect(RowTotal.exact(7).text == "7")
    #expect(RowTotal.estimated(70).text == "about 70")
    #expect(RowTotal.atLeast(70).text(at: 3) == "3 of 70 or more")
    #expect(RowTotal.estimated(70).text(at: 57) == "57 of about 70")
    #expect(RowTotal.exact(.max).adding(1) == .exact(.max))
    #expect(RowTotal.exact(0).adding(-1) == .exact(0))
  }
}
