import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// An outbox that several processes have open; an instance stands for each.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxProcessTests {
  private let processes = OutboxProcesses()
  private var server: MutationServer { processes.server }

  @Test
  func `one process sends, and the others deliver to it`() async throws {
    let (first, second) = (await processes.open(), await processes.open())
    #expect(first.status.isSender && !second.status.isSender)
    for version in 1...3 { try await second.perform(Revise(target: 1, version: version)) }
    #expect(try processes.deliveries.count == 3)
    #expect(second.status.pending.count == 3 && server.applied == [])
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2", "revise 1 v3"])
    #expect(try processes.deliveries == [])
    try await first.written()
    // It shows them until it looks for changes.
    #expect(second.status.pending.count == 3)
    try await processes.poll(second)
    #expect(await second.isEmptied())
    #expect(server.attempts.allSatisfy { $0.count == 1 })
  }

  @Test
  func `an outbox that is not shared stays that of one process`() async throws {
    let first = await processes.open()
    let second = Outbox(server, .file("outbox", in: processes.directory.url))
    await second.loaded()
    await #expect(throws: OutboxError.inUse(path: try processes.folder.path)) {
      try await second.perform(Revise(target: 1, version: 1))
    }
    withExtendedLifetime(first) {}
  }

  @Test
  func `another process takes over once the one that sent has ended`() async throws {
    var first: Outbox? = await processes.open()
    first?.pause()
    try await first?.perform(Revise(target: 1, version: 1))
    let second = await processes.open()
    try await second.perform(Revise(target: 1, version: 2))
    try await second.perform(Revise(target: 2, version: 1))
    weak let ended = first
    first = nil
    #expect(await eventually { ended == nil })
    #expect(
      await eventually {
        second.poll()
        return second.status.isSender
      })
    #expect(await second.isEmptied())
    #expect(
      server.applied.filter { $0.hasPrefix("revise 1") } == [
        "revise 1 v1", "revise 1 v2",
      ])
    #expect(server.applied.count == 3)
    #expect(try processes.deliveries == [])
  }

  @Test
  func `it takes over by itself, within a second`() async throws {
    let first = await processes.open()
    let second = Outbox(
      processes.storage, retryPolicy: .never, limit: 10, byteLimit: 1 << 20,
      clock: ContinuousClock(),
      now: { Date(timeIntervalSince1970: 0) }, senders: server.senders)
    try await second.perform(Revise(target: 1, version: 1))
    await first.enterBackground()
    #expect(await second.isEmptied())
    #expect(server.applied == ["revise 1 v1"])
    withExtendedLifetime(first) {}
  }

  @Test
  func `P11: a process in the background holds no lock, and what it sent is sent again`()
    async throws
  {
    let first = await processes.open()
    server.close()
    try await first.perform(Revise(target: 1, version: 1))
    #expect(await eventually { server.waiting == 1 })
    await first.enterBackground()
    #expect(!first.status.isSender && first.status.mutations[0].progress == .waiting)
    try await first.perform(Revise(target: 1, version: 2))
    let second = await processes.open()
    #expect(second.status.isSender)
    #expect(await eventually { server.waiting == 2 })
    server.open()
    #expect(await second.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2"])
    #expect(server.attempts.map(\.count).sorted() == [1, 2])
    first.enterForeground()
    try await second.written()
    try await processes.poll(first)
    #expect(first.status.mutations == [] && !first.status.isSender)
  }

  @Test
  func `a process that is in the foreground again sends, if no other one does`() async throws {
    let first = await processes.open()
    await first.enterBackground()
    try await first.perform(Revise(target: 1, version: 1))
    #expect(try processes.deliveries.count == 1)
    // The network is there, and the app is not on screen.
    first.resume()
    try await processes.poll(first)
    #expect(server.applied == [])
    first.enterForeground()
    #expect(await first.isEmptied())
    #expect(first.status.isSender && server.applied == ["revise 1 v1"])
  }

  @Test
  func `a time for which the source asked passes, also after the background`() async throws {
    let clock = ManualClock()
    let outbox = Outbox(server, processes.storage, clock: clock)
    server.fail(with: Busy(retryAfter: .seconds(10)))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { outbox.state.withLock { $0.queue.isRateLimited } })
    await outbox.enterBackground()
    outbox.enterForeground()
    #expect(await eventually { outbox.status.isSender })
    #expect(server.applied == [])
    #expect(
      await eventually {
        clock.advance(by: .seconds(11))
        return server.applied == ["revise 1 v1"]
      })
  }

  @Test
  func `O6: each process shows what the others performed, until the source has answered`()
    async throws
  {
    let posts = (0..<3).map { Post(id: $0) }
    let (one, two) = (
      Feed(ScriptedServer(posts).source(.cursor)), Feed(ScriptedServer(posts).source(.cursor))
    )
    await one.refresh()
    await two.refresh()
    let first = await processes.open { $0.attach(one) }
    first.pause()
    let second = await processes.open { $0.attach(two) }
    try await first.perform(Revise(target: 1, version: 1))
    try await second.perform(Revise(target: 1, version: 2))
    try await processes.poll(second)
    #expect(await eventually { second.status.pending.count == 2 })
    // What was stored first is below.
    #expect(await eventually { two.value.outline == "0 1v2 2" })
    try await first.perform(Create(target: -1))
    try await processes.poll(first)
    #expect(
      await eventually { one.value.outline == "-1v1 0 1v2 2" },
      "\(one.value.outline) \(first.status)"
    )
    try await processes.poll(second)
    #expect(await eventually { two.value.outline == "-1v1 0 1v2 2" })
    first.resume()
    #expect(await first.isEmptied())
    try await first.written()
    try await processes.poll(second)
    #expect(second.status.mutations == [])
    // The edit stays until an answer of its own source has it; the new row has another id now.
    #expect(await eventually { two.value.outline == "0 1v2 2" })
  }

  @Test
  func `what failed can be retried and discarded by every process`() async throws {
    let feed = Feed(ScriptedServer((0..<3).map { Post(id: $0) }).source(.cursor))
    await feed.refresh()
    let first = await processes.open { $0.attach(feed) }
    server.fail(with: ScriptedError(), ScriptedError())
    try await first.perform(Revise(target: 1, version: 1))
    try await first.perform(Revise(target: 2, version: 1))
    #expect(await eventually { first.status.failed.count == 2 })
    try await first.written()
    let second = await processes.open()
    let failed = second.status.failed
    #expect(failed.map(\.itemID) == ["1", "2"])
    await #expect(throws: OutboxError.sentElsewhere) {
      try await second.replace(failed[0].id, with: Revise(target: 1, version: 2))
    }
    try await second.retry(failed[0].id)
    try await second.discard(failed[1].id)
    #expect(second.status.mutations.map(\.itemID) == ["1"])
    #expect(feed.value.outline == "0 1v1 2v1")
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 1 v1"])
    #expect(await eventually { feed.value.outline == "0 1v1 2" })
  }

  @Test
  func `a creation is discarded with what names it, also before that was imported`() async throws {
    let first = await processes.open()
    server.fail(with: ScriptedError())
    try await first.perform(Create(target: -1))
    #expect(await eventually { first.status.failed.count == 1 })
    try await first.written()
    let second = await processes.open()
    try await second.perform(AddNote(target: "new", post: -1))
    try await second.discard(try #require(second.status.failed.first?.id))
    #expect(second.status.mutations == [])
    try await processes.poll(first)
    #expect(first.status.mutations == [])
    try await processes.poll(second)
    #expect(second.status.mutations == [] && server.applied == [])
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `O1: a merge that is accepted while the app leaves the screen is not lost`(
    seed: Int
  ) async throws {
    let first = await processes.open()
    first.pause()
    try await first.perform(Switch(target: 1, isOn: true))
    async let merged = first.perform(Switch(target: 1, isOn: false))
    for _ in 0..<seed { await Task.yield() }
    await first.enterBackground()
    _ = try await merged
    first.resume()
    first.enterForeground()
    #expect(
      await eventually {
        first.poll()
        return first.status.isSender && first.status.mutations.isEmpty
      })
    #expect(
      server.applied == [] || server.applied == ["switch 1 on", "switch 1 off"])
  }

  @Test
  func `what waits is changed only by the process that sends`() async throws {
    let first = await processes.open()
    first.pause()
    try await first.perform(Switch(target: 1, isOn: true))
    let second = await processes.open()
    let id = second.status.mutations[0].id
    await #expect(throws: OutboxError.sentElsewhere) { try await second.discard(id) }
    await #expect(throws: OutboxError.sentElsewhere) { try await second.signOut(.discard) }
    // Nor are mutations merged.
    try await second.perform(Switch(target: 1, isOn: false))
    #expect(second.status.mutations.count == 2)
    try await processes.poll(first)
    #expect(await eventually { first.status.mutations.count == 2 })
    first.resume()
    #expect(await first.isEmptied())
    #expect(server.applied == ["switch 1 on", "switch 1 off"])
  }

  @Test
  func `O2: ids of the source reach what another process performed`() async throws {
    let first = await processes.open()
    let second = await processes.open()
    server.close()
    try await first.perform(Create(target: -1))
    #expect(await eventually { server.waiting == 1 })
    try await processes.poll(second)
    #expect(await eventually { second.status.mutations.count == 1 })
    try await second.perform(AddNote(target: "early", post: -1))
    try await processes.poll(first)
    #expect(await eventually { first.status.mutations.count == 2 })
    server.open()
    #expect(await first.isEmptied())
    // It does not know of the answer yet.
    try await second.perform(AddNote(target: "late", post: -1))
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["create v1", "note on 1001", "note on 1001"])
  }

  @Test
  func `the account's mutations are removed wherever they are stored`() async throws {
    let (first, second) = (await processes.open(), await processes.open())
    first.pause()
    try await second.perform(Revise(target: 1, version: 1))
    try await second.signOut(.keep)
    try await first.perform(Revise(target: 2, version: 1))
    try await first.signOut(.discard)
    let third = await processes.open()
    #expect(third.status.mutations == [] && third.status.isSender)
    #expect(server.applied == [])
  }
}
