import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The files by which processes deliver mutations to the one that sends.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxDeliveryTests {
  private let processes = OutboxProcesses()
  private var server: MutationServer { processes.server }

  @Test
  func `O3: what is in the log and still delivered is sent once`() async throws {
    let stored = try OutboxMutation(
      Revise(target: 1, version: 1), id: "key", at: Date(timeIntervalSince1970: 0), list: nil)
    do {
      let opened = try OutboxFile.open(processes.folder, isShared: true)
      var deliveries = OutboxDeliveries(
        in: try #require(try CacheFolder.at(processes.folder, creating: false)),
        of: OutboxFile.identity(of: try processes.folder))
      try deliveries.add(
        OutboxRecord.added(stored).encoded(of: OutboxFile.identity(of: processes.folder)))
      var numbered = stored
      numbered.number = 1
      try opened.file?.append([.added(numbered)], isDurable: true, others: { [] })
    }
    let outbox = await processes.open()
    #expect(await outbox.isEmptied())
    #expect(
      server.applied == ["revise 1 v1"] && server.attempts.map(\.count) == [1])
    #expect(try processes.deliveries == [])
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
    let first = await processes.open()
    let second = await processes.open()
    try await second.perform(Revise(target: 1, version: 1))
    try await second.perform(Revise(target: 2, version: 1))
    let url = try processes.folder.appending(path: #require(processes.deliveries.sorted().first))
    var data = try Data(contentsOf: url)
    data[data.count / 2] ^= 1
    try data.write(to: url)
    try await processes.poll(first)
    #expect(await eventually { first.status.damagedBytes == data.count })
    #expect(await first.isEmptied())
    #expect(server.applied == ["revise 2 v1"])
    #expect(try Data(contentsOf: processes.folder.appending(path: "damaged")) == data)
  }

  @Test
  func `files of others and of crashes are no deliveries`() async throws {
    let first = await processes.open()
    let names = [
      "delivery-ffffffffffffffff-x", "delivery-1", "delivery-0000000000000001-a.new", "delivery-",
    ]
    for name in names { try Data("text".utf8).write(to: processes.folder.appending(path: name)) }
    let second = await processes.open()
    try await second.perform(Revise(target: 1, version: 1))
    try await processes.poll(first)
    #expect(await first.isEmptied())
    #expect(try processes.deliveries.sorted() == names.sorted())
    #expect(first.status.damagedBytes == 0 && first.status.failure == nil)
  }

  @Test
  func `a report lists what is delivered`() async throws {
    let first = await processes.open()
    first.pause()
    try await first.perform(Revise(target: 1, version: 1))
    let second = await processes.open()
    try await second.perform(Revise(target: 2, version: 1))
    let report = try #require(try OutboxReport.reports(at: processes.directory.url).first)
    #expect(report.pending.map(\.itemID) == ["1", "2"] && report.problems == [])
    withExtendedLifetime(first) {}
  }

  @Test
  func `O1: a delivery that cannot be written is undone`() async throws {
    let feed = Feed(ScriptedServer((0..<3).map { Post(id: $0) }).source(.cursor))
    await feed.refresh()
    let first = await processes.open()
    let second = await processes.open { $0.attach(feed) }
    try FileManager.default.removeItem(at: processes.folder)
    await #expect(throws: OutboxError.self) {
      try await second.perform(Revise(target: 1, version: 1))
    }
    #expect(await eventually { feed.value.outline == "0 1 2" })
    #expect(second.status.mutations == [])
    withExtendedLifetime(first) {}
  }
}
