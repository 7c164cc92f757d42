import FreshetTesting
import Testing

@testable import Freshet

/// Rule X4 for what is on screen: the lists that rows come from know of it.
@Suite(.timeLimit(.minutes(5)))
struct DisplayingTests {
  let list = ScriptedList()
  let other = ScriptedList()

  func posts(_ ids: some Sequence<Int>) -> [ListRow<Post>] { ids.map { .post($0) } }

  @Test
  func `X4: a row on screen is so for the list that it comes from`() {
    list.show(posts((0..<50).map { $0 * 2 }), atEnd: true)
    other.show(posts((0..<50).map { $0 * 2 + 1 }), atEnd: true)
    let merged = list.merged(with: other, sortedBy: \.id)
    let rows = merged.filter { $0.id > 5 }.separated { above, below in
      above.map { $0.id / 10 } == below.id / 10 ? nil : Post(id: below.id / 10)
    }
    let lines = rows.map { Line($0.item?.id ?? -1) }.limited(to: 60).sectioned { _ in "all" }
    let view = ListView(lines.publisher)
    lines.willDisplay(Line(41))
    #expect(list.takeAsked() == [] && other.takeAsked() == ["display 41"])
    // What a value was made of is followed.
    other.show(posts([41, 43]), atEnd: true)
    list.show(posts([42, 44]), atEnd: true)
    lines.willDisplay(Line(42))
    lines.willDisplay(Line(41))
    lines.willDisplay(Line(39))
    #expect(list.takeAsked() == ["display 42"] && other.takeAsked() == ["display 41"])
    withExtendedLifetime(view) {}
  }

  /// A row that is made of another one.
  struct Line: ListItem {
    let id: String

    init(_ number: Int) { id = "line \(number)" }
  }

  @Test
  func `X4: a filter that leaves few rows loads on while the reader is near the last one`() async {
    let server = ScriptedServer((0..<2_000).map { Post(id: $0) })
    let feed = Feed(server.source(.cursor), configuration: FeedConfiguration(pageSize: 10))
    let few = feed.filter { $0.id % 40 == 0 }
    await few.refresh()
    for await value in few.values {
      if value.items.count == 1 { few.willDisplay(Post(id: 0)) }
      if value.items.count == 11 { break }
    }
    #expect(server.requests.count >= 41)
  }

  @Test
  func `X4: the end comes, page after page`() async {
    let server = ScriptedServer((0..<80).map { Post(id: $0) })
    let feed = Feed(server.source(.cursor), configuration: FeedConfiguration(pageSize: 10))
    let few = feed.filter { $0.id % 40 == 0 }
    await few.refresh()
    for await value in few.values {
      if value.items.count == 1 { few.willDisplay(Post(id: 0)) }
      if value.state.next == .end { break }
    }
    #expect(server.requests.count == 8)
  }

  @Test
  func `R4: what failed is not asked for again by scrolling`() async {
    let server = ScriptedServer((0..<80).map { Post(id: $0) })
    for _ in 0..<20 { server.failNext(with: ScriptedFailure()) }
    let feed = Feed(server.source(.cursor))
    list.show(posts([900]), atEnd: true)
    let all = list.followed(by: feed)
    let view = ListView(all.publisher)
    await all.refresh()
    for _ in 0..<10 {
      all.willDisplay(Post(id: 900))
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(server.requests.count == 1 && all.value.state.refresh.failure != nil)
    withExtendedLifetime(view) {}
  }

  @Test
  func `ten pages without a row are enough until the reader goes on`() async {
    let same = list.limited(to: 100)
    let view = ListView(same.publisher)
    list.show(posts(0..<30))
    for _ in 0..<2 {
      same.willDisplay(Post(id: 25))
      #expect(await eventually { await !same.eventQueue.ask({ !$0.loadsAhead.isEmpty }) })
      #expect(list.takeAsked() == ["display 25"] + Array(repeating: "more", count: 10))
    }
    same.willDisplay(Post(id: 15))
    #expect(await same.eventQueue.ask { $0.loadsAhead.isEmpty })
    withExtendedLifetime(view) {}
  }

  @Test
  func `R4: a failure is not asked for again, and old rows and pauses ask for nothing`() async {
    let server = ScriptedServer((0..<80).map { Post(id: $0) })
    let feed = Feed(
      server.source(.cursor),
      configuration: FeedConfiguration(pageSize: 10, retryPolicy: .never))
    let few = feed.filter { $0.id % 40 == 0 }
    await few.refresh()
    let view = ListView(few.publisher)
    server.failNext(with: ScriptedFailure())
    few.willDisplay(Post(id: 0))
    for await value in few.values where value.state.next.failure != nil { break }
    few.willDisplay(Post(id: 0))
    #expect(server.requests.count == 2)

    let merged = list.merged(with: other, sortedBy: \.id)
    let second = ListView(merged.publisher)
    list.show(posts([1]))
    other.show(posts([2]), atEnd: true)
    list.turnOld()
    merged.willDisplay(Post(id: 1))
    #expect(list.takeAsked() == [] && other.takeAsked() == [])
    withExtendedLifetime((view, second)) {}
  }

  @Test
  func `X4: what lets one list wait lets all wait that it is made of`() {
    let all = list.merged(with: other, sortedBy: \.id).filter { _ in true }.map { $0 }
    all.pause()
    all.resume()
    #expect(list.takeAsked() == ["pause", "resume"])
    #expect(other.takeAsked() == ["pause", "resume"])
  }
}
