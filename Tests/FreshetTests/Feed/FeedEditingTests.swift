@testable import Freshet
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FeedEditingTests {
  let server = ScriptedServer((0..<40).map { Post(id: $0) })

  func feed() -> Feed<Post> {
    Feed(server.source(.cursor), configuration: FeedConfiguration(pageSize: 10))
  }

  @Test
  func `R6: an edit is seen at once, survives a refresh, and is part of the item afterwards`()
    async throws
  {
    let feed = feed()
    await feed.refresh()
    try await feed.update(3, optimistically: { $0.version += 10 }) {
      #expect(feed.value.items[3].version == 10)
      server.update(Post(id: 3, version: 1))
      await feed.refresh()
      #expect(feed.value.items[3].version == 11)
      server.update(Post(id: 3, version: 11))
    }
    #expect(feed.value.items[3].version == 11)
    await feed.refresh()
    #expect(feed.value.items[3].version == 11)
  }

  @Test
  func `R6: an edit that fails is undone, and it alone`() async throws {
    let feed = feed()
    await feed.refresh()
    try await feed.update(3, optimistically: { $0.version += 100 }) {
      await #expect(throws: ScriptedFailure.self) {
        try await feed.update(3, optimistically: { $0.version += 1 }) {
          #expect(feed.value.items[3].version == 101)
          throw ScriptedFailure()
        }
      }
      #expect(feed.value.items[3].version == 100)
    }
    await #expect(throws: ScriptedFailure.self) {
      try await feed.remove(5) {
        #expect(feed.value.items.map(\.id) == [0, 1, 2, 3, 4, 6, 7, 8, 9])
        await feed.refresh()
        #expect(feed.value.items.count == 9)
        throw ScriptedFailure()
      }
    }
    #expect(feed.value.items.map(\.id) == Array(0..<10))
  }

  @Test
  func `R6: what the source makes of an edit is shown, and who waits for the source is known`()
    async throws
  {
    let feed = feed()
    await feed.refresh()
    let answer = try await feed.update(3, optimistically: { $0.version = 5 }) {
      #expect(feed.value.pendingEdits == [3] && feed.value.items[3].version == 5)
      return Post(id: 3, version: 7)
    }
    #expect(answer == Post(id: 3, version: 7) && feed.value.items[3] == answer)
    #expect(feed.value.pendingEdits == [])
    _ = try? await feed.insert(Post(id: -1)) {
      #expect(feed.value.pendingEdits == [-1])
      throw ScriptedFailure()
    }
    #expect(feed.value.pendingEdits == [] && feed.value.items.count == 10)
  }

  @Test
  func `R6: edits of an item apply in their order, whichever the source takes first`() {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.ask { $0.load(.refresh) }
    history.begin { $0.update(2, token: 1, at: $1) { $0.version = 10 } }
    history.begin { $0.update(2, token: 2, at: $1) { $0.version = 20 } }
    history.begin { $0.confirm(2, at: $1) }
    #expect(history.machine.value.items[1].version == 20)
    history.begin { $0.confirm(1, at: $1) }
    #expect(history.machine.value.items[1].version == 20)
    #expect(history.machine.timeline.item(2)?.version == 20)
    // What the source makes of one does not hide another that it has not taken.
    history.begin { $0.update(3, token: 3, at: $1) { $0.version += 1 } }
    history.begin { $0.update(3, token: 4, at: $1) { $0.version += 10 } }
    history.begin { $0.confirm(4, as: Post(id: 3, version: 100), at: $1) }
    #expect(history.machine.value.items[2].version == 101)
    // An edit of what is being made waits for that.
    history.begin { $0.insert(Post(id: -1), after: nil, token: 5, at: $1) }
    history.begin { $0.update(-1, token: 6, at: $1) { $0.version = 7 } }
    history.begin { $0.confirm(6, at: $1) }
    #expect(history.machine.value.items.first == Post(id: -1, version: 7))
    #expect(history.violations == [])
  }

  @Test
  func `R6: what is being made can be moved, and stands where the answers have it`() {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: 9), after: nil, token: 1, at: $1) }
    history.begin { $0.move(9, after: 2, at: $1) }
    #expect(history.machine.value.items.map(\.id) == [1, 2, 9, 3])
    history.server.insert(Post(id: 9), at: 3)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.items.map(\.id) == [1, 2, 3, 9])
    history.begin { $0.confirm(1, as: Post(id: 9), at: $1) }
    #expect(history.machine.value.items.map(\.id) == [1, 2, 3, 9])
    // The source says that it has an item whose edit fails.
    history.begin { $0.insert(Post(id: 10), after: 1, token: 2, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 10)), token: 3, at: $1) }
    history.begin { $0.undo(2, at: $1) }
    #expect(history.machine.value.items.map(\.id) == [1, 10, 2, 3, 9])
    #expect(history.violations == [])
  }

  @Test
  func `rows wait from the first answer on where they are held before it`() {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.begin { $0.holdNew() }
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.items.map(\.id) == [-1, 1, 2, 3])
    history.begin { $0.follow(.insert(Post(id: 8)), token: 2, at: $1) }
    #expect(history.machine.value.items.map(\.id) == [-1, 1, 2, 3])
    #expect(history.machine.value.state.newItems == 1)
    history.begin { $0.showNew() }
    #expect(history.machine.value.items.map(\.id) == [8, -1, 1, 2, 3])
    #expect(history.violations == [])
  }

  @Test
  func `R6: a temporary id becomes the server's, as an update of the same row`() async throws {
    for isSectioned in [false, true] {
      let section: @Sendable (Post) -> String = { isSectioned ? "\(abs($0.id) % 2)" : "" }
      let server = ScriptedServer((0..<40).map { Post(id: $0) })
      let feed = Feed(
        server.source(.cursor), sectionedBy: section, configuration: FeedConfiguration(pageSize: 10)
      )
      await feed.refresh()
      var updates = feed.updates.makeAsyncIterator()
      var checker = BatchUpdateChecker<ListRow<Post>>()
      if let update = await updates.next() { _ = checker.violations(performing: update.step) }
      try await feed.insert(Post(id: -1)) {
        await feed.refresh()
        #expect(feed.value.items.first?.id == -1)
        return Post(id: 101)
      }
      let inserted = try #require(await updates.next())
      #expect(checker.violations(performing: inserted.step) == [])
      let renamed = try #require(await updates.next())
      #expect(renamed.changes.updatedRows.count == 1 && renamed.changes.insertedRows.isEmpty)
      #expect(checker.violations(performing: renamed.step) == [])
      #expect(feed.value.items.map(\.id) == [101] + Array(0..<10))
      // An answer that has the new item already leaves one row of it.
      try await feed.insert(Post(id: -2)) {
        server.insert(Post(id: isSectioned ? 103 : 102), at: 0)
        await feed.refresh()
        return Post(id: isSectioned ? 103 : 102)
      }
      #expect(Set(feed.value.items.map(\.id)).count == feed.value.items.count)
      #expect(!feed.value.items.contains { $0.id < 0 })
    }
  }

  @Test
  func `R6: what was deleted does not come back from an older answer`() async throws {
    let feed = feed()
    await feed.refresh()
    server.hold()
    async let refreshed = feed.refresh()
    #expect(await server.waiting(1))
    try await feed.remove(4) {}
    // The server answers as it did before the deletion.
    server.releaseAll()
    _ = await refreshed
    #expect(!feed.value.items.contains { $0.id == 4 })
  }

  @Test(arguments: [true, false])
  func `R6: a deletion holds against a slow replica until deletionHorizon, and no longer`(
    isWithin: Bool
  ) async throws {
    var configuration = FeedConfiguration(pageSize: 10)
    configuration.deletionHorizon = isWithin ? .seconds(3600) : .zero
    let feed = Feed(server.source(.cursor), configuration: configuration)
    await feed.refresh()
    // The server takes the deletion, and goes on listing the row.
    try await feed.remove(4) {}
    #expect(!feed.value.items.contains { $0.id == 4 })
    await feed.refresh()
    await feed.refresh()
    #expect(feed.value.items.contains { $0.id == 4 } == !isWithin)
    #expect(feed.value.items.filter { $0.id != 4 }.map(\.id) == [0, 1, 2, 3, 5, 6, 7, 8, 9])
  }

  @Test
  func `news before anything is loaded cost nothing that is stored`() async throws {
    let directory = TemporaryDirectory()
    func feed() -> Feed<Post> {
      Feed(
        server.source(.cursor), cache: .file("home", in: directory.caches),
        configuration: FeedConfiguration(pageSize: 10))
    }
    do {
      let feed = feed()
      while await feed.loadNext() == .idle {}
      await feed.flush()
    }
    do {
      let second = feed()
      second.anchor = 3
      await second.flush()
    }
    do {
      let third = feed()
      third.receive(.upsert(Post(id: 35, version: 1)))
      third.receive(.insert(Post(id: 900)))
      third.receive(.delete(30))
      await third.loadCache()
      await third.flush()
    }
    let last = feed()
    await last.loadCache()
    #expect(last.value.items.map(\.id) == [900] + (0..<40).filter { $0 != 30 })
    #expect(last.value.items.first { $0.id == 35 }?.version == 1)
  }

  @Test
  func `R6: edits of a temporary item stay with it when it becomes the server's`() async throws {
    let feed = feed()
    await feed.refresh()
    var editing: Task<Void, any Error>?
    try await feed.insert(Post(id: -1)) {
      editing = Task {
        try await feed.update(-1, optimistically: { $0.version += 5 }) {
          #expect(await eventually { feed.value.items.contains(where: { $0.id == 100 }) })
          #expect(feed.value.items.first == Post(id: 100, version: 5))
        }
      }
      #expect(await eventually { feed.value.items.first?.version == 5 })
      server.insert(Post(id: 100), at: 0)
      return Post(id: 100)
    }
    try await editing?.value
    #expect(feed.value.items.first?.id == 100)
  }

  @Test
  func `R6: deleted twice and undone twice, an item is where it was`() async throws {
    let feed = feed()
    await feed.refresh()
    await #expect(throws: ScriptedFailure.self) {
      try await feed.remove(5) {
        try? await feed.remove(5) { throw ScriptedFailure() }
        throw ScriptedFailure()
      }
    }
    #expect(feed.value.items.map(\.id) == Array(0..<10))
  }

  @Test
  func `an item put into an empty feed stays on top of the first page`() async throws {
    let feed = feed()
    try await feed.insert(Post(id: -1)) {
      await feed.refresh()
      #expect(feed.value.items.map(\.id) == [-1] + Array(0..<10))
      #expect(await feed.loadNext() == .idle)
      #expect(feed.value.items.count == 21)
      return Post(id: 100)
    }
    #expect(feed.value.items.first?.id == 100)
  }

  @Test
  func `what is deleted and made again is there`() async throws {
    let feed = feed()
    await feed.refresh()
    let post = feed.value.items[5]
    try await feed.remove(5) { server.delete(5) }
    try await feed.insert(post, after: 4) {
      server.insert(post, at: 5)
      return post
    }
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == Array(0..<10))
    feed.receive(.delete(5))
    feed.receive(.insert(post))
    #expect(feed.value.items.map(\.id) == [5, 0, 1, 2, 3, 4, 6, 7, 8, 9])
  }

  @Test
  func `R2: news and answers commute`() async throws {
    let feed = feed()
    await feed.refresh()
    server.hold()
    async let refreshed = feed.refresh()
    #expect(await server.waiting(1))
    feed.receive(.insert(Post(id: 900)))
    feed.receive(.upsert(Post(id: 2, version: 7)))
    feed.receive(.delete(6))
    #expect(feed.value.items.map(\.id) == [900, 0, 1, 2, 3, 4, 5, 7, 8, 9])
    server.releaseAll()
    _ = await refreshed
    #expect(feed.value.items.map(\.id) == [900, 0, 1, 2, 3, 4, 5, 7, 8, 9])
    #expect(feed.value.items[3].version == 7)
  }

  @Test
  func `news are followed after a refresh, until they end`() async throws {
    let feed = feed()
    let (events, continuation) = AsyncStream<FeedEvent<Post>>.makeStream()
    continuation.yield(.insert(Post(id: 900)))
    continuation.yield(.invalidate)
    continuation.finish()
    try await feed.follow(events)
    #expect(feed.value.items.map(\.id) == [900] + Array(0..<10))
    // The news asked for another refresh.
    #expect(await eventually { server.requests.count == 2 && feed.value.state.refresh == .idle })
    server.failNext(with: ScriptedFailure())
    await #expect(throws: FeedError.source(ScriptedFailure())) { try await feed.follow(events) }
  }
}
