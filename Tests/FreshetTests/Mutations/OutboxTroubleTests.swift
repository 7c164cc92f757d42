import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A shared outbox whose process, disk or folder is in trouble.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxTroubleTests {
  private let processes = OutboxProcesses()
  private var server: MutationServer { processes.server }

  @Test
  func `O1, P11: what was stored when the app enters the background is there afterwards`()
    async throws
  {
    for round in 0..<(SeededGenerator.seeds(300).count) {
      let processes = OutboxProcesses()
      let outbox = await processes.open()
      outbox.pause()
      try await outbox.perform(Switch(target: round, isOn: true))
      let id = try #require(outbox.status.mutations.first?.id)
      let isDiscarded = round % 2 == 0
      async let change: Void = {
        if isDiscarded {
          try await outbox.discard(id)
        } else {
          // It cancels the earlier one out.
          try await outbox.perform(Switch(target: round, isOn: false))
        }
      }()
      if round % 3 == 0 { await Task.yield() }
      outbox.enterForeground()
      await outbox.enterBackground()
      var isDone = true
      do { try await change } catch { isDone = false }
      let other = await processes.open()
      let left = other.status.mutations.map(\.id)
      #expect(!isDone || left != [id], "round \(round)")
      #expect(isDone || isDiscarded)
    }
  }

  @Test
  func `a sender may call the outbox when its attempt is cancelled`() async throws {
    let calls = Locked(0)
    let weakOutbox = Locked<[Outbox]>([])
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    let outbox = Outbox(processes.storage) {
      Sender(Revise.self) { revise, _ in
        await withTaskCancellationHandler {
          isStarted.yield()
          while !Task.isCancelled { await Task.yield() }
        } onCancel: {
          if let outbox = weakOutbox.withLock(\.first) {
            _ = outbox.status
            calls.withLock { $0 += 1 }
          }
        }
        throw CancellationError()
      }
    }
    weakOutbox.withLock { $0 = [outbox] }
    try await outbox.perform(Revise(target: 1, version: 1))
    var attempts = started.makeAsyncIterator()
    _ = await attempts.next()
    await outbox.enterBackground()
    #expect(calls.withLock(\.self) == 1)
    outbox.enterForeground()
    _ = await attempts.next()
    try await outbox.signOut(.keep)
    #expect(calls.withLock(\.self) == 2)
    weakOutbox.withLock { $0 = [] }
  }

  @Test
  func `O9: a creation that is discarded takes along what another process performs later`()
    async throws
  {
    let (first, second) = (await processes.open(), await processes.open())
    first.pause()
    try await first.perform(Create(target: -1))
    try await processes.poll(second)
    #expect(await eventually { second.status.mutations.count == 1 })
    try await second.perform(Revise(target: -1, version: 2))
    try await second.perform(AddNote(target: "note", post: -1))
    try await second.perform(Revise(target: 5, version: 1))
    try await first.discard(try #require(first.status.mutations.first?.id))
    // It does not know of that yet.
    try await second.perform(EditNote(target: "note"))
    try await processes.poll(first)
    first.resume()
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 5 v1"])
    try await first.written()
    try await processes.poll(second)
    #expect(await second.isEmptied())
    // The id may be used again.
    try await first.perform(Create(target: -1))
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 5 v1", "create v1"])
  }

  @Test
  func `O9: a creation that was discarded is remembered by the next process that sends`()
    async throws
  {
    let second: Outbox
    do {
      let first = await processes.open()
      first.pause()
      try await first.perform(Create(target: -1))
      second = await processes.open()
      try await second.perform(AddNote(target: "note", post: -1))
      try await first.discard(try #require(first.status.mutations.first?.id))
      await first.enterBackground()
    }
    try await processes.poll(second)
    #expect(await second.isEmptied())
    #expect(second.status.isSender && server.applied == [])
  }

  @Test
  func `O7: signing out removes what was stored, whatever another process performs meanwhile`()
    async throws
  {
    for round in 0..<20 {
      let processes = OutboxProcesses()
      let (first, second) = (await processes.open(), await processes.open())
      first.pause()
      let names = ["mutations.1.new", "damaged.2.new", "damaged-3", "delivery-4.new"]
      for name in names { try Data("text".utf8).write(to: processes.folder.appending(path: name)) }
      let performing = Task {
        for version in 0..<30 {
          // A delivery that is removed while it is written is not accepted.
          _ = try? await second.perform(Revise(target: 1, version: version))
        }
      }
      try await first.perform(Revise(target: 2, version: round))
      try await first.signOut(.discard)
      await performing.value
      let left = try FileManager.default.contentsOfDirectory(atPath: processes.folder.path)
      #expect(Set(left).isDisjoint(with: names), "\(left)")
      withExtendedLifetime(second) {}
    }
  }

  @Test
  func `two processes do not both send after the file of the lock was removed`() async throws {
    let (first, second) = (await processes.open(), await processes.open())
    try FileManager.default.removeItem(at: processes.folder.appending(path: "lock"))
    try await processes.poll(second)
    #expect(second.status.isSender)
    await #expect(throws: OutboxError.self) {
      try await first.perform(Revise(target: 1, version: 1))
    }
    try await processes.poll(first)
    #expect(!first.status.isSender)
    try await first.perform(Revise(target: 1, version: 2))
    try await processes.poll(second)
    #expect(await second.isEmptied())
    #expect(server.applied == ["revise 1 v2"])
  }

  @Test
  func `an outbox of one process signs out after the file of its lock was removed`() async throws {
    let storage = OutboxStorage.file("own", in: processes.directory.url)
    let outbox = Outbox(server, storage)
    outbox.pause()
    try await outbox.perform(Revise(target: 1, version: 1))
    try FileManager.default.removeItem(
      at: try #require(storage.folder).appending(path: "lock"))
    try await outbox.signOut(.discard)
    let reports = try OutboxReport.reports(at: processes.directory.url)
    #expect(reports.allSatisfy { $0.pending.isEmpty })
  }

  @Test
  func `an outbox of one process goes on after the file of its lock was removed`() async throws {
    let storage = OutboxStorage.file("own", in: processes.directory.url)
    let outbox = Outbox(server, storage)
    outbox.pause()
    try await outbox.perform(Revise(target: 1, version: 1))
    let lock = try #require(storage.folder).appending(path: "lock")
    try FileManager.default.removeItem(at: lock)
    try await outbox.perform(Revise(target: 1, version: 2))
    #expect(FileManager.default.fileExists(atPath: lock.path))
    let report = try #require(try OutboxReport.reports(at: processes.directory.url).first)
    #expect(report.pending.count == 2)
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `an outbox of one process refuses mutations while another process has a new lock`()
    async throws
  {
    let storage = OutboxStorage.file("own", in: processes.directory.url)
    let folder = try #require(storage.folder)
    let outbox = Outbox(server, storage)
    outbox.pause()
    try await outbox.perform(Revise(target: 1, version: 1))
    try FileManager.default.removeItem(at: folder.appending(path: "lock"))
    let lock = try CacheFolder.at(folder, creating: false)?.lock("lock")
    try #require(lock != nil)
    for version in 2...3 {
      await #expect(throws: OutboxError.inUse(path: folder.path)) {
        try await outbox.perform(Revise(target: 1, version: version))
      }
    }
    await #expect(throws: OutboxError.sentElsewhere) { try await outbox.signOut(.discard) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix("delivery") }, "\(names)")
    withExtendedLifetime(lock) {}
  }

  /// Adds a file that is longer than any that is read.
  private func addUnreadableDelivery() throws {
    let url = try processes.folder.appending(path: "delivery-0000000000000001-x")
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(OutboxFile.limit) + 1)
    try file.close()
  }

  @Test
  func `a delivery that cannot be read does not keep an outbox from opening`() async throws {
    let early = await processes.open()
    try addUnreadableDelivery()
    try await early.signOut(.keep)
    let (first, second) = (await processes.open(), await processes.open())
    try await second.perform(Revise(target: 1, version: 1))
    try await first.perform(Revise(target: 2, version: 1))
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(Set(server.applied) == ["revise 1 v1", "revise 2 v1"])
    try await processes.poll(first)
    #expect(first.status.failure != nil)
    let report = try #require(try OutboxReport.reports(at: processes.directory.url).first)
    #expect(report.problems.contains { $0.contains("a delivery of another process") })
  }

  @Test
  func `a delivery that cannot be read does not hold up the others`() async throws {
    let (first, second) = (await processes.open(), await processes.open())
    try addUnreadableDelivery()
    try await second.perform(Revise(target: 1, version: 1))
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 1 v1"])
  }
}
