import FreshetTesting
import Testing

@testable import Freshet

/// Pages that are counted, by number or by offset.
@Suite(.timeLimit(.minutes(5)))
struct CountedPagesTests {
  static let wild = [Int.max, .max - 1, .max / 2, -1, .min, .min + 1]

  @Test(arguments: wild)
  func `a first number that no list begins with is an error that says so`(first: Int) async {
    let offsets = Feed(OffsetSource(first: first) { _, _ in [Post(id: 1)] })
    let numbers = Feed(NumberedSource(first: first) { _, _ in [Post(id: 1)] })
    for feed in [offsets, numbers] {
      let state = await feed.loadNext()
      guard case .source(let error)? = state.failure else {
        Issue.record("\(state)")
        continue
      }
      #expect("\(error)".contains("\(first)") && "\(error)".contains("`first`"))
    }
  }

  @Test
  func `T8: a page that is as long as was asked for proves no end, however long pages were before`()
    async
  {
    let all = (0..<100).map { Post(id: $0) }
    let source = OffsetSource { offset, limit in Array(all.dropFirst(offset).prefix(limit)) }
    let feed = Feed(
      source, startingAt: OffsetKey(offset: 40, pageSize: 50),
      configuration: FeedConfiguration(pageSize: 20))
    while await feed.loadNext() == .idle {}
    #expect(Array(feed.value.items) == Array(all[40...]))
  }

  @Test(arguments: wild)
  func `a key of a place that no list has leads nowhere, whoever stored it`(count: Int) async {
    let offsets = OffsetSource { _, limit in (0..<min(limit, 3)).map { Post(id: $0) } }
    let numbers = NumberedSource { _, limit in (0..<min(limit, 3)).map { Post(id: $0) } }
    for key in [OffsetKey(offset: count, pageSize: 3), OffsetKey(offset: 3, pageSize: count)] {
      await #expect(throws: FeedError.self) {
        _ = try await offsets.page(PageRequest(key: key, limit: 3))
      }
    }
    for above in [nil, 1] as [UInt64?] {
      await #expect(throws: FeedError.staleKey("\(count)")) {
        _ = try await numbers.page(
          PageRequest(key: NumberedKey(number: count, above: above), limit: 3))
      }
    }
    // A feed that was to begin there says so, or begins at the head.
    let feed = Feed(offsets, startingAt: OffsetKey(offset: count, pageSize: 3))
    await feed.refresh()
    #expect(feed.value.state.refresh.failure != nil || feed.value.items.first?.id == 0)
  }

  @Test(arguments: [1, .max] as [Int])
  func `any page size can be asked for`(limit: Int) async throws {
    let posts = (0..<5).map { Post(id: $0) }
    let offsets = OffsetSource { offset, count in Array(posts.dropFirst(offset).prefix(count)) }
    let first = try await offsets.page(PageRequest(limit: limit))
    let key = try #require(first.next)
    let second = try await offsets.page(PageRequest(key: key, limit: limit))
    #expect(second.previous?.offset ?? 0 == 0 && second.items.first == first.items.last)
    for paging in ScriptedPaging.allCases {
      let server = ScriptedServer(posts)
      let feed = Feed(
        server.source(paging), configuration: FeedConfiguration(pageSize: limit))
      while await feed.loadNext() == .idle {}
      #expect(feed.value.items.map(\.id) == [0, 1, 2, 3, 4], "\(paging)")
      #expect(feed.value.state.next == .end)
    }
  }

  @Test
  func `T5: a row that goes between a page and the reading again of the one above is noticed`()
    async
  {
    let server = ScriptedServer((0..<40).map { Post(id: $0) })
    let feed = Feed(server.source(.page), configuration: FeedConfiguration(pageSize: 10))
    await feed.loadNext()
    server.hold()
    async let more = feed.loadNext()
    #expect(await server.waiting(1))
    server.release()
    // Page 2 was read as rows 10 to 19; now page 1 is to be read again.
    #expect(await server.waiting(1))
    server.delete(0)
    server.releaseAll()
    #expect(await more == .idle)
    #expect(feed.value.items.map(\.id).suffix(20) == (1...20).map { $0 })
    #expect(feed.value.state.gaps.isEmpty)
    // Both were read once more.
    #expect(server.requests.count == 5)
  }

  @Test
  func `T5: a list that does not hold still is read no further than it is proven`() async {
    let posts = (0..<100).map { Post(id: $0) }
    let server = ScriptedServer(posts)
    // A row goes from the head before each reading of page 1, beyond the first.
    let source = NumberedSource { number, limit in
      if number == 1, !server.requests.isEmpty { server.delete(server.items[0].id) }
      _ = try server.answer(PageRequest(limit: 1), .keyset)
      return Array(server.items.dropFirst((number - 1) * limit).prefix(limit))
    }
    let feed = Feed(source, configuration: FeedConfiguration(pageSize: 10))
    await feed.loadNext()
    await feed.loadNext()
    let ids = feed.value.items.map(\.id)
    #expect(ids == Array(ids[0]...(ids[0] + ids.count - 1)) && ids.count >= 10)
  }
}
