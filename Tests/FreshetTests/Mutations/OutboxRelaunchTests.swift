import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What is in an outbox after the app was ended and started again.
@Suite(.timeLimit(.minutes(5)))
struct OutboxRelaunchTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()
  private var storage: OutboxStorage { .file("outbox", in: directory.url) }

  @Test
  func `O6: stored mutations are on screen before the source answers, and are sent in order`()
    async throws
  {
    var first: Outbox? = Outbox(server, storage)
    first?.pause()
    try await first?.perform(Create(target: -1))
    try await first?.perform(Revise(target: -1, version: 2))
    try await first?.perform(Delete(target: 3))
    first = nil

    let source = ScriptedServer((0..<5).map { Post(id: $0) })
    let feed = Feed(source.source(.cursor))
    let second = try await reopened { $0.attach(feed) }
    #expect(await eventually { feed.value.outline == "-1v2" })
    await feed.refresh()
    #expect(feed.value.outline == "-1v2 0 1 2 4")
    second.resume()
    #expect(await second.isEmptied())
    // The lanes of both items are independent of each other.
    let id = 1_001 + (server.applied.firstIndex(of: "create v1") ?? 0)
    #expect(Set(server.applied) == ["create v1", "revise \(id) v2", "delete 3"])
    #expect(feed.value.outline == "\(id)v2 0 1 2 4")
    // All of it was answered: nothing is sent once more.
    withExtendedLifetime(second) {}
  }

  @Test
  func `O6: a list that is busy shows stored mutations once the outbox is loaded`() async throws {
    let source = ScriptedServer((0..<300).map { Post(id: $0) })
    for version in 1...20 {
      let first = Outbox(server, storage, isPaused: true)
      let feed = Feed(source.source(.offset), configuration: FeedConfiguration(pageSize: 300))
      first.attach(feed)
      await feed.refresh()
      async let refreshed = feed.refresh()
      try await first.perform(Revise(target: 3, version: version))
      #expect(feed.value.items[3].version == version)
      try await first.signOut(.keep)
      _ = await refreshed
      let second = Outbox(server, storage, isPaused: true)
      let other = Feed(source.source(.offset), configuration: FeedConfiguration(pageSize: 300))
      second.attach(other)
      await other.refresh()
      await second.loaded()
      #expect(other.value.items[3].version == version && second.status.mutations.count == version)
      try await second.signOut(.keep)
    }
  }

  @Test
  func `O3: what was sent and not answered is sent again with the same key`() async throws {
    server.close()
    var first: Outbox? = Outbox(server, storage)
    try await first?.perform(Revise(target: 1, version: 1))
    #expect(await eventually { server.waiting == 1 })
    weak let ended = first
    first = nil
    #expect(await eventually { ended == nil })
    server.open()
    let second = try await reopened()
    second.resume()
    #expect(await second.isEmptied())
    #expect(server.attempts.count == 1 && server.attempts[0].count == 2)
    #expect(server.applied == ["revise 1 v1"])
  }

  @Test
  func `O4: what failed for good is still listed, and not sent`() async throws {
    server.fail(with: ScriptedError())
    var first: Outbox? = Outbox(server, storage)
    try await first?.perform(Revise(target: 1, version: 1))
    #expect(await eventually { first?.status.failed.count == 1 })
    try await first?.perform(Revise(target: 1, version: 2))
    let failed = Data("failed".utf8)
    #expect(await eventually { directory.files.values.contains { $0.range(of: failed) != nil } })
    first = nil
    let second = try await reopened()
    second.resume()
    #expect(second.status.mutations.map { $0.failure != nil } == [true, false])
    #expect(server.applied == [])
    try await second.retry(try #require(second.status.failed.first?.id))
    #expect(await second.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2"])
  }

  @Test
  func `O7: mutations of an unknown type are kept, and sent by a version that knows them`()
    async throws
  {
    var first: Outbox? = Outbox(server, storage)
    first?.pause()
    try await first?.perform(Revise(target: 1, version: 1))
    first = nil
    var old: Outbox? = try await reopened(by: [])
    old?.resume()
    #expect(await eventually { old?.status.failed.count == 1 })
    #expect(
      old?.status.failed.first?.failure?.message
        == OutboxError.unreadable(name: "").errorDescription)
    old = nil
    let new = try await reopened()
    new.resume()
    #expect(await new.isEmptied())
    #expect(server.applied == ["revise 1 v1"])
  }

  @Test
  func `a call before the file is read waits for it, and loses nothing`() async throws {
    var first: Outbox? = Outbox(server, storage, isPaused: true)
    for version in 0..<500 {
      try await first?.perform(Revise(target: version, version: version))
    }
    let id = try #require(first?.status.mutations.first?.id)
    first = nil
    var early: Outbox?
    repeat {
      early = Outbox(server, storage, isPaused: true)
      do { try await early?.discard(id) } catch OutboxError.noSuchMutation { early = nil }
    } while early == nil
    #expect(early?.status.mutations.count == 499)
    early = nil
    let last = try await reopened()
    #expect(last.status.mutations.count == 499)
  }

  @Test
  func `an outbox is open once, and says so`() async throws {
    let first = Outbox(server, storage)
    try await first.perform(Revise(target: 1, version: 1))
    let second = Outbox(server, storage)
    #expect(await eventually { second.status.failure != nil })
    do {
      try await second.perform(Revise(target: 1, version: 2))
      Issue.record("it was performed")
    } catch OutboxError.inUse {}
    withExtendedLifetime(first) {}
  }

  @Test
  func `an outbox that could not be opened tries again with the next mutation, or by resume`()
    async throws
  {
    let first = Outbox(server, storage, isPaused: true)
    try await first.perform(Revise(target: 1, version: 1))
    let (second, third) = (Outbox(server, storage), Outbox(server, storage))
    #expect(await eventually { second.status.failure != nil && third.status.failure != nil })
    await #expect(throws: OutboxError.self) {
      try await second.perform(Revise(target: 2, version: 2))
    }
    try await first.signOut(.keep)
    try await second.perform(Revise(target: 3, version: 3))
    #expect(await second.isEmptied())
    #expect(second.status.failure == nil)
    #expect(Set(server.applied) == ["revise 1 v1", "revise 3 v3"])
    try await second.signOut(.keep)
    third.resume()
    #expect(await eventually { third.status.failure == nil })
    withExtendedLifetime((first, second)) {}
  }

  @Test
  func `O8: accounts have outboxes of their own`() async throws {
    let one = Outbox(server, .file("outbox", account: "1", in: directory.url))
    let two = Outbox(server, .file("outbox", account: "2", in: directory.url))
    one.pause()
    two.pause()
    try await one.perform(Revise(target: 1, version: 1))
    #expect(one.status.mutations.count == 1 && two.status.mutations.isEmpty)
  }

  /// Opens the outbox once the one before it is gone, paused.
  private func reopened(
    by senders: [Sender]? = nil, _ prepare: (Outbox) -> Void = { _ in }
  ) async throws -> Outbox {
    for _ in 0..<1_000 {
      let outbox = Outbox(
        storage, retryPolicy: .never, limit: 1_000, byteLimit: 1 << 20, isPaused: true,
        clock: ManualClock(), now: { Date(timeIntervalSince1970: 0) },
        senders: senders ?? server.senders)
      prepare(outbox)
      _ = await eventually { outbox.state.withLock { $0.isLoaded } }
      if outbox.status.failure == nil { return outbox }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw ScriptedError()
  }
}
