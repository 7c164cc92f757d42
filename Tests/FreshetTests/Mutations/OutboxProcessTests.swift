import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// An outbox that several processes have open; an instance stands for each.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxProcessTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()
  private var storage: OutboxStorage { .file("outbox", isShared: true, in: directory.url) }
  private var folder: URL { get throws { try #require(storage.folder) } }

  /// Opens the outbox as one more process, which looks for changes only when it is told to.
  private func process(_ prepare: (Outbox) -> Void = { _ in }) async -> Outbox {
    let outbox = Outbox(server, storage)
    prepare(outbox)
    await outbox.loaded()
    return outbox
  }

  /// Applies the changes of others, and stores them.
  private func poll(_ outbox: Outbox) async throws {
    outbox.poll()
    // A poll may follow what is stored.
    try await outbox.written()
    try await outbox.written()
  }

  private var deliveries: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("delivery-")
      }
    }
  }

  @Test
  func `one process sends, and the others deliver to it`() async throws {
    let (first, second) = (await process(), await process())
    #expect(first.status.isSender && !second.status.isSender)
    for version in 1...3 { try await second.perform(Revise(target: 1, version: version)) }
    #expect(try deliveries.count == 3)
    #expect(second.status.pending.count == 3 && server.applied == [])
    try await poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2", "revise 1 v3"])
    #expect(try deliveries == [])
    try await first.written()
    // It shows them until it looks for changes.
    #expect(second.status.pending.count == 3)
    try await poll(second)
    #expect(await second.isEmptied())
    #expect(server.attempts.allSatisfy { $0.count == 1 })
  }

  @Test
  func `an outbox that is not shared stays that of one process`() async throws {
    let first = await process()
    let second = Outbox(server, .file("outbox", in: directory.url))
    await second.loaded()
    await #expect(throws: OutboxError.inUse(path: try folder.path)) {
      try await second.perform(Revise(target: 1, version: 1))
    }
    withExtendedLifetime(first) {}
  }

  @Test
  func `another process takes over once the one that sent has ended`() async throws {
    var first: Outbox? = await process()
    first?.pause()
    try await first?.perform(Revise(target: 1, version: 1))
    let second = await process()
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
    #expect(server.applied.filter { $0.hasPrefix("revise 1") } == ["revise 1 v1", "revise 1 v2"])
    #expect(server.applied.count == 3)
    #expect(try deliveries == [])
  }

  @Test
  func `it takes over by itself, within a second`() async throws {
    let first = await process()
    let second = Outbox(
      storage, retryPolicy: .never, limit: 10, byteLimit: 1 << 20, clock: ContinuousClock(),
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
    let first = await process()
    server.close()
    try await first.perform(Revise(target: 1, version: 1))
    #expect(await eventually { server.waiting == 1 })
    await first.enterBackground()
    #expect(!first.status.isSender && first.status.mutations[0].progress == .waiting)
    try await first.perform(Revise(target: 1, version: 2))
    let second = await process()
    #expect(second.status.isSender)
    #expect(await eventually { server.waiting == 2 })
    server.open()
    #expect(await second.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2"])
    #expect(server.attempts.map(\.count).sorted() == [1, 2])
    first.enterForeground()
    try await second.written()
    try await poll(first)
    #expect(first.status.mutations == [] && !first.status.isSender)
  }

  @Test
  func `a process that is in the foreground again sends, if no other one does`() async throws {
    let first = await process()
    await first.enterBackground()
    try await first.perform(Revise(target: 1, version: 1))
    #expect(try deliveries.count == 1)
    // The network is there, and the app is not on screen.
    first.resume()
    try await poll(first)
    #expect(server.applied == [])
    first.enterForeground()
    #expect(await first.isEmptied())
    #expect(first.status.isSender && server.applied == ["revise 1 v1"])
  }

  @Test
  func `a time for which the source asked passes, also after the background`() async throws {
    let clock = ManualClock()
    let outbox = Outbox(server, storage, clock: clock)
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
    let first = await process { $0.attach(one) }
    first.pause()
    let second = await process { $0.attach(two) }
    try await first.perform(Revise(target: 1, version: 1))
    try await second.perform(Revise(target: 1, version: 2))
    try await poll(second)
    #expect(await eventually { second.status.pending.count == 2 })
    // What was stored first is below.
    #expect(await eventually { two.value.outline == "0 1v2 2" })
    try await first.perform(Create(target: -1))
    try await poll(first)
    #expect(
      await eventually { one.value.outline == "-1v1 0 1v2 2" },
      "\(one.value.outline) \(first.status)"
    )
    try await poll(second)
    #expect(await eventually { two.value.outline == "-1v1 0 1v2 2" })
    first.resume()
    #expect(await first.isEmptied())
    try await first.written()
    try await poll(second)
    #expect(second.status.mutations == [])
    // The edit stays until an answer of its own source has it; the new row has another id now.
    #expect(await eventually { two.value.outline == "0 1v2 2" })
  }

  @Test
  func `what failed can be retried and discarded by every process`() async throws {
    let feed = Feed(ScriptedServer((0..<3).map { Post(id: $0) }).source(.cursor))
    await feed.refresh()
    let first = await process { $0.attach(feed) }
    server.fail(with: ScriptedError(), ScriptedError())
    try await first.perform(Revise(target: 1, version: 1))
    try await first.perform(Revise(target: 2, version: 1))
    #expect(await eventually { first.status.failed.count == 2 })
    try await first.written()
    let second = await process()
    let failed = second.status.failed
    #expect(failed.map(\.itemID) == ["1", "2"])
    await #expect(throws: OutboxError.sentElsewhere) {
      try await second.replace(failed[0].id, with: Revise(target: 1, version: 2))
    }
    try await second.retry(failed[0].id)
    try await second.discard(failed[1].id)
    #expect(second.status.mutations.map(\.itemID) == ["1"])
    #expect(feed.value.outline == "0 1v1 2v1")
    try await poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 1 v1"])
    #expect(await eventually { feed.value.outline == "0 1v1 2" })
  }

  @Test
  func `a creation is discarded with what names it, also before that was imported`() async throws {
    let first = await process()
    server.fail(with: ScriptedError())
    try await first.perform(Create(target: -1))
    #expect(await eventually { first.status.failed.count == 1 })
    try await first.written()
    let second = await process()
    try await second.perform(AddNote(target: "new", post: -1))
    try await second.discard(try #require(second.status.failed.first?.id))
    #expect(second.status.mutations == [])
    try await poll(first)
    #expect(first.status.mutations == [])
    try await poll(second)
    #expect(second.status.mutations == [] && server.applied == [])
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `O1: a merge that is accepted while the app leaves the screen is not lost`(
    seed: Int
  ) async throws {
    let first = await process()
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
    #expect(server.applied == [] || server.applied == ["switch 1 on", "switch 1 off"])
  }

  @Test
  func `what waits is changed only by the process that sends`() async throws {
    let first = await process()
    first.pause()
    try await first.perform(Switch(target: 1, isOn: true))
    let second = await process()
    let id = second.status.mutations[0].id
    await #expect(throws: OutboxError.sentElsewhere) { try await second.discard(id) }
    await #expect(throws: OutboxError.sentElsewhere) { try await second.signOut(.discard) }
    // Nor are mutations merged.
    try await second.perform(Switch(target: 1, isOn: false))
    #expect(second.status.mutations.count == 2)
    try await poll(first)
    #expect(await eventually { first.status.mutations.count == 2 })
    first.resume()
    #expect(await first.isEmptied())
    #expect(server.applied == ["switch 1 on", "switch 1 off"])
  }

  @Test
  func `O2: ids of the source reach what another process performed`() async throws {
    let first = await process()
    let second = await process()
    server.close()
    try await first.perform(Create(target: -1))
    #expect(await eventually { server.waiting == 1 })
    try await poll(second)
    #expect(await eventually { second.status.mutations.count == 1 })
    try await second.perform(AddNote(target: "early", post: -1))
    try await poll(first)
    #expect(await eventually { first.status.mutations.count == 2 })
    server.open()
    #expect(await first.isEmptied())
    // It does not know of the answer yet.
    try await second.perform(AddNote(target: "late", post: -1))
    try await poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["create v1", "note on 1001", "note on 1001"])
  }

  @Test
  func `O3: what is in the log and still delivered is sent once`() async throws {
    let stored = try OutboxMutation(
      Revise(target: 1, version: 1), id: "key", at: Date(timeIntervalSince1970: 0), list: nil)
    do {
      let opened = try OutboxFile.open(folder, isShared: true)
      var deliveries = OutboxDeliveries(
        in: try #require(try CacheFolder.at(folder, creating: false)),
        of: OutboxFile.identity(of: try folder))
      try deliveries.add(OutboxRecord.added(stored).encoded(of: OutboxFile.identity(of: folder)))
      var numbered = stored
      numbered.number = 1
      try opened.file?.append([.added(numbered)], isDurable: true, others: { [] })
    }
    let outbox = await process()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 1 v1"] && server.attempts.map(\.count) == [1])
    #expect(try deliveries == [])
  }

  @Test
  func `O3: nothing is sent before its delivery is removed`() throws {
    var stored = try OutboxMutation(
      Revise(target: 1, version: 1), id: "key", at: Date(timeIntervalSince1970: 0), list: nil)
    stored.number = 1
    let delivery = OutboxDelivery(name: "a", records: [.added(stored)], damaged: 0)
    for isStored in [false, true] {
      var queue = OutboxQueue(isStored ? [.added(stored)] : []) { _ in true }
      let imported = queue.importDeliveries([delivery], known: isStored ? ["key"] : [])
      #expect(imported.held == ["key"] && imported.records.count == (isStored ? 0 : 1))
      #expect(queue.takeReady(atMost: 1).isEmpty)
      queue.noteStored("key")
      #expect(queue.takeReady(atMost: 1).count == 1)
    }
    // It was answered: it is received no more.
    var queue = OutboxQueue([.added(stored), .removed("key", isAnswered: true)]) { _ in true }
    #expect(queue.importDeliveries([delivery], known: ["key"]).held == [] && queue.count == 0)
  }

  @Test
  func `P3: a damaged delivery costs its record, and a copy is kept`() async throws {
    let first = await process()
    let second = await process()
    try await second.perform(Revise(target: 1, version: 1))
    try await second.perform(Revise(target: 2, version: 1))
    let url = try folder.appending(path: #require(deliveries.sorted().first))
    var data = try Data(contentsOf: url)
    data[data.count / 2] ^= 1
    try data.write(to: url)
    try await poll(first)
    #expect(await eventually { first.status.damagedBytes == data.count })
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 2 v1"])
    #expect(try Data(contentsOf: folder.appending(path: "damaged")) == data)
  }

  @Test
  func `files of others and of crashes are no deliveries`() async throws {
    let first = await process()
    let names = [
      "delivery-ffffffffffffffff-x", "delivery-1", "delivery-0000000000000001-a.new", "delivery-",
    ]
    for name in names { try Data("text".utf8).write(to: folder.appending(path: name)) }
    let second = await process()
    try await second.perform(Revise(target: 1, version: 1))
    try await poll(first)
    #expect(await first.isEmptied())
    #expect(try deliveries.sorted() == names.sorted())
    #expect(first.status.damagedBytes == 0 && first.status.failure == nil)
  }

  @Test
  func `a report lists what is delivered`() async throws {
    let first = await process()
    first.pause()
    try await first.perform(Revise(target: 1, version: 1))
    let second = await process()
    try await second.perform(Revise(target: 2, version: 1))
    let report = try #require(try OutboxReport.reports(at: directory.url).first)
    #expect(report.pending.map(\.itemID) == ["1", "2"] && report.problems == [])
    withExtendedLifetime(first) {}
  }

  @Test
  func `the account's mutations are removed wherever they are stored`() async throws {
    let (first, second) = (await process(), await process())
    first.pause()
    try await second.perform(Revise(target: 1, version: 1))
    try await second.signOut(.keep)
    try await first.perform(Revise(target: 2, version: 1))
    try await first.signOut(.discard)
    let third = await process()
    #expect(third.status.mutations == [] && third.status.isSender)
    #expect(server.applied == [])
  }

  @Test
  func `O1: a delivery that cannot be written is undone`() async throws {
    let feed = Feed(ScriptedServer((0..<3).map { Post(id: $0) }).source(.cursor))
    await feed.refresh()
    let first = await process()
    let second = await process { $0.attach(feed) }
    try FileManager.default.removeItem(at: folder)
    await #expect(throws: OutboxError.self) {
      try await second.perform(Revise(target: 1, version: 1))
    }
    #expect(await eventually { feed.value.outline == "0 1 2" })
    #expect(second.status.mutations == [])
    withExtendedLifetime(first) {}
  }
}
