import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct OutboxTests {
  private let server = MutationServer()

  /// A feed with posts 0 to 4.
  private func makeFeed() async -> Feed<Post> {
    let source = ScriptedServer((0..<5).map { Post(id: $0) })
    let feed = Feed(source.source(.cursor))
    await feed.refresh()
    return feed
  }

  @Test
  func `O1: a mutation is on screen before it is sent, and stays once it is answered`()
    async throws
  {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.close()
    try await outbox.perform(Revise(target: 2, version: 7))
    #expect(feed.value.outline == "0 1 2v7 3 4" && server.applied == [])
    #expect(outbox.status.mutations.map(\.name) == ["Revise"])
    #expect(outbox.status.mutations.first?.mutation(as: Revise.self)?.version == 7)
    #expect(outbox.status.mutations.first?.changes(2, of: Post.self) == true)
    server.open()
    #expect(await outbox.isEmptied())
    #expect(feed.value.outline == "0 1 2v7 3 4" && server.applied == ["revise 2 v7"])
  }

  @Test @MainActor
  func `O1: a controller shows a mutation in the turn in which it is performed`() async throws {
    let source = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = FeedController(source.source(.cursor))
    await feed.refresh()
    let outbox = Outbox(server)
    let task = Task.immediate {
      _ = try await feed.perform(Revise(target: 1, version: 2), outbox)
    }
    #expect(feed.value.outline == "0 1v2 2")
    try await task.value
  }

  @Test
  func `O2: mutations of one item are sent one after the other, those of others beside them`()
    async throws
  {
    let outbox = Outbox(server)
    server.close()
    for version in 1...3 { try await outbox.perform(Revise(target: 1, version: version)) }
    try await outbox.perform(Revise(target: 2, version: 9))
    #expect(await eventually { server.waiting == 2 })
    #expect(outbox.status.mutations.map(\.progress) == [.sending, .waiting, .waiting, .sending])
    server.open()
    #expect(await outbox.isEmptied())
    let sent = server.applied.filter { $0.hasPrefix("revise 1") }
    #expect(sent == ["revise 1 v1", "revise 1 v2", "revise 1 v3"] && server.applied.count == 4)
  }

  @Test
  func `O2: the server's id replaces a temporary one, on screen and in what waits`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.close()
    try await outbox.perform(Create(target: -1))
    try await outbox.perform(Revise(target: -1, version: 5))
    #expect(feed.value.outline == "-1v5 0 1 2 3 4")
    server.open()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["create v1", "revise 1001 v5"])
    #expect(feed.value.outline == "1001v5 0 1 2 3 4")
    // A late mutation of the temporary id is sent for the server's.
    try await outbox.perform(Revise(target: -1, version: 6))
    #expect(await outbox.isEmptied())
    #expect(server.applied.last == "revise 1001 v6" && feed.value.outline == "1001v6 0 1 2 3 4")
  }

  @Test
  func `O3: a transient failure is repeated with the same key`() async throws {
    let clock = ManualClock()
    let outbox = Outbox(server, clock: clock)
    for _ in 0..<12 { server.fail(with: URLError(.networkConnectionLost)) }
    try await outbox.perform(Revise(target: 1, version: 1))
    for attempts in 1...12 {
      #expect(await outbox.isRetrying(after: attempts))
      #expect(await clock.sleepers(1))
      clock.advance(by: .seconds(60))
    }
    #expect(await outbox.isEmptied())
    // One key, and after the attempts of the policy its longest wait.
    #expect(server.attempts == [Array(0...12)] && server.applied == ["revise 1 v1"])
  }

  @Test
  func `O4: a final failure stops its lane alone, and is undone alone if discarded`()
    async throws
  {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.fail(with: ScriptedError())
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { outbox.status.failed.count == 1 })
    try await outbox.perform(Revise(target: 1, version: 2))
    try await outbox.perform(Revise(target: 2, version: 3))
    #expect(await eventually { server.applied == ["revise 2 v3"] })
    #expect(feed.value.outline == "0 1v2 2v3 3 4")
    let failed = try #require(outbox.status.failed.first)
    #expect(failed.failure?.message.isEmpty == false)
    try await outbox.discard(failed.id)
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 2 v3", "revise 1 v2"])
    #expect(feed.value.outline == "0 1v2 2v3 3 4")
  }

  @Test
  func `O4: what failed is sent again if it is retried or replaced`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.fail(with: ScriptedError(), ScriptedError())
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { outbox.status.failed.count == 1 })
    let id = try #require(outbox.status.failed.first?.id)
    try await outbox.retry(id)
    #expect(
      await eventually { outbox.status.failed.count == 1 && self.server.attempts == [[0, 1]] })
    try await outbox.replace(id, with: Revise(target: 1, version: 4))
    #expect(feed.value.outline == "0 1v4 2 3 4")
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 1 v4"])
    await #expect(throws: OutboxError.noSuchMutation) {
      try await outbox.replace(id, with: Revise(target: 1, version: 5))
    }
  }

  @Test
  func `O9: discarding a creation discards what depends on it`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    outbox.pause()
    try await outbox.perform(Create(target: -1))
    try await outbox.perform(Revise(target: -1, version: 5))
    let creation = try #require(outbox.status.mutations.first)
    try await outbox.discard(creation.id)
    #expect(outbox.status.mutations == [] && feed.value.outline == "0 1 2 3 4")
  }

  @Test
  func `O4: what is being sent is neither discarded nor replaced`() async throws {
    let outbox = Outbox(server)
    server.close()
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { server.waiting == 1 })
    let id = try #require(outbox.status.mutations.first?.id)
    await #expect(throws: OutboxError.sending) { try await outbox.discard(id) }
    await #expect(throws: OutboxError.sending) {
      try await outbox.replace(id, with: Revise(target: 1, version: 2))
    }
    server.open()
    #expect(await outbox.isEmptied())
  }

  @Test
  func `O7: a full outbox refuses a mutation and undoes its edit`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, limit: 2)
    outbox.attach(feed)
    outbox.pause()
    for id in 0..<2 { try await outbox.perform(Revise(target: id, version: 1)) }
    await #expect(throws: OutboxError.full(limit: 2)) {
      try await outbox.perform(Revise(target: 3, version: 1))
    }
    #expect(feed.value.outline == "0v1 1v1 2 3 4" && outbox.status.mutations.count == 2)
  }

  @Test
  func `O6: all attached lists show a mutation, an insertion only the list it is for`()
    async throws
  {
    let (first, second) = (await makeFeed(), await makeFeed())
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let results = LiveResults(store: store, arrangement: .sorted(by: \.id))
    await results.fetch(.all)
    let outbox = Outbox(server)
    outbox.attach(first, as: "first")
    outbox.attach(second, as: "second")
    outbox.attach(results)
    outbox.pause()
    try await outbox.perform(Revise(target: 1, version: 2))
    try await outbox.perform(Create(target: -1), inListNamed: "second")
    #expect(first.value.outline == "0 1v2 2 3 4" && second.value.outline == "-1v1 0 1v2 2 3 4")
    #expect(results.value.outline == "0 1v2 2")
  }

  @Test
  func `O10: an insertion that the filters of all lists exclude is reported and listed`()
    async throws
  {
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let results = LiveResults(
      store: store, arrangement: .sorted(by: \.id).filtered { $0.version == 0 })
    await results.fetch(.all)
    let outbox = Outbox(server, isPaused: true)
    #expect(try await !outbox.perform(Create(target: -9)).isExcluded)
    outbox.attach(results)
    let hidden = try await outbox.perform(Create(target: -1, version: 1))
    #expect(hidden.isExcluded && outbox.status.pending.last?.id == hidden.id)
    #expect(results.value.outline == "0 1 2")
    #expect(try await !outbox.perform(Create(target: -2, version: 0)).isExcluded)
    #expect(try await !outbox.perform(Revise(target: 1, version: 1)).isExcluded)
    #expect(results.value.outline == "-2 0 2")
    // A feed has no filter.
    let feed = await makeFeed()
    outbox.attach(feed)
    #expect(try await !outbox.perform(Create(target: -3, version: 1)).isExcluded)
  }

  @Test
  func `resume sends what waits for its next attempt, and nothing is sent while paused`()
    async throws
  {
    let clock = ManualClock()
    let outbox = Outbox(server, clock: clock)
    server.fail(with: URLError(.notConnectedToInternet))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await outbox.isRetrying(after: 1))
    outbox.pause()
    try await outbox.perform(Revise(target: 2, version: 1))
    #expect(outbox.status.isPaused && server.attempts.count == 1)
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(Set(server.applied) == ["revise 1 v1", "revise 2 v1"])
  }

  @Test
  func `O2: a temporary id that is used again is another item`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    for version in 1...2 {
      try await outbox.perform(Create(target: -1, version: version))
      #expect(await outbox.isEmptied())
    }
    try await outbox.perform(Revise(target: 1001, version: 7))
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["create v1", "create v2", "revise 1001 v7"])
    #expect(feed.value.outline == "1002v2 1001v7 0 1 2 3 4")
  }

  @Test
  func `O2: mutations of one lane of the app's own keep their items and their order`() async throws
  {
    struct Step: Mutation {
      var target: Int
      var lane: String? { "all" }
      func edit() -> ItemEdit<Post> { target < 0 ? .insert(Post(id: target)) : .update { _ in } }
    }
    let server = server
    let outbox = Outbox(.memory) {
      Sender(Step.self) { step, attempt in
        let id = try await server.receive("step \(step.target)", attempt)
        return Post(id: step.target < 0 ? id : step.target)
      }
    }
    for target in [-1, 5, 6, -1] { try await outbox.perform(Step(target: target)) }
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["step -1", "step 5", "step 6", "step -1"])
  }

  @Test
  func `O3: a wait of any length that a source asks for is bounded`() async throws {
    let clock = ManualClock()
    let outbox = Outbox(server, clock: clock)
    server.fail(with: Busy(retryAfter: .seconds(Int64.max)))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await outbox.isRetrying(after: 1))
    #expect(await clock.sleepers(2))
    clock.advance(by: .seconds(86_400))
    #expect(await outbox.isEmptied())
  }

  @Test
  func `a few mutations are sent at once`() async throws {
    let outbox = Outbox(server)
    server.close()
    for id in 0..<10 { try await outbox.perform(Revise(target: id, version: 1)) }
    #expect(await eventually { server.waiting == 4 })
    #expect(outbox.status.mutations.count { $0.progress == .sending } == 4)
    server.open()
    #expect(await outbox.isEmptied())
    #expect(server.applied.count == 10)
  }

  @Test
  func `O1: a mutation that cannot be stored is undone and not sent`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, .file("outbox", in: URL(fileURLWithPath: "/dev/null/folder")))
    outbox.attach(feed)
    await #expect(throws: OutboxError.self) {
      try await outbox.perform(Revise(target: 1, version: 1))
    }
    #expect(feed.value.outline == "0 1 2 3 4" && outbox.status.mutations.isEmpty)
    #expect(outbox.status.failure != nil && server.attempts.isEmpty)
  }

  @Test
  func `O7: a mutation that is too large is refused, and one that contradicts itself`()
    async throws
  {
    struct Large: Mutation {
      var target: Int
      var text = ""
      func edit() -> ItemEdit<Post> { text.isEmpty ? .insert(Post(id: 8)) : .update { _ in } }
    }
    let outbox = Outbox(.memory, byteLimit: 1_000) { Sender(Large.self) { _, _ in } }
    await #expect(throws: OutboxError.tooLarge(limit: 1_000)) {
      try await outbox.perform(Large(target: 1, text: String(repeating: "a", count: 2_000)))
    }
    do {
      try await outbox.perform(Large(target: 1))
      Issue.record("it was performed")
    } catch OutboxError.invalid {}
  }

  @Test
  func `O9: a mutation that was replaced stays below later ones, and has another key`()
    async throws
  {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.fail(with: ScriptedError())
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { outbox.status.failed.count == 1 })
    try await outbox.perform(Revise(target: 1, version: 2))
    outbox.pause()
    let id = try #require(outbox.status.failed.first?.id)
    try await outbox.replace(id, with: Revise(target: 1, version: 4))
    #expect(await eventually { feed.value.outline == "0 1v2 2 3 4" })
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 1 v4", "revise 1 v2"] && server.attempts.count == 3)
    await #expect(throws: OutboxError.self) {
      try await outbox.replace(id, with: Delete(target: 1))
    }
  }

  @Test
  func `a list that takes the place of another one shows the mutations, too`() async throws {
    let outbox = Outbox(server, isPaused: true)
    try await outbox.perform(Revise(target: 1, version: 3))
    for _ in 0..<20 {
      let feed = await makeFeed()
      outbox.attach(feed)
      #expect(feed.value.outline == "0 1v3 2 3 4")
    }
  }

  @Test(arguments: 0..<10)
  func `O9: mutations of two threads are displayed in the order in which they are sent`(round: Int)
    async throws
  {
    let feed = await makeFeed()
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(feed)
    let tasks = (1...20).map { version in
      Task { @concurrent in
        try await outbox.perform(Revise(target: 1, version: version))
      }
    }
    for task in tasks { _ = try await task.value }
    let last = outbox.status.mutations.last?.mutation(as: Revise.self)?.version
    #expect(await eventually { feed.value.items[1].version == last }, "round \(round)")
  }

  @Test
  func `a status is delivered with each change`() async throws {
    let outbox = Outbox(server)
    let seen = Locked<[Int]>([])
    let watcher = Task {
      for await status in outbox.statuses {
        seen.withLock { $0.append(status.mutations.count) }
      }
    }
    #expect(await eventually { seen.withLock { $0.first } == 0 })
    outbox.pause()
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { seen.withLock { $0.last } == 1 })
    outbox.resume()
    #expect(await eventually { seen.withLock { $0.last } == 0 })
    watcher.cancel()
  }
}
