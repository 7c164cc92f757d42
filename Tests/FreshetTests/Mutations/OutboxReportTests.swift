import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Reports of outboxes on disk, and that reading changes nothing.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxReportTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()

  private func storage(_ name: String = "outbox") -> OutboxStorage {
    .file(name, in: directory.url)
  }

  /// Performs and sends mutations at random, of which some fail for good.
  private func fill(_ outbox: Outbox, by random: inout SeededGenerator) async throws {
    for number in 1...Int.random(in: 1...20, using: &random) {
      let target = Int.random(in: 1...5, using: &random)
      try await outbox.perform(Revise(target: target, version: number))
      if random.oneIn(4), let gone = outbox.status.mutations.randomElement(using: &random) {
        try await outbox.discard(gone.id)
      }
    }
    guard random.oneIn(2), !outbox.status.mutations.isEmpty else { return }
    server.fail(with: ScriptedError())
    outbox.resume()
    #expect(await eventually { !outbox.status.failed.isEmpty })
  }

  @Test(arguments: SeededGenerator.seeds(5))
  func `a report lists what the open outbox lists, and changes nothing`(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let outbox = Outbox(server, storage(), isPaused: true)
    try await fill(outbox, by: &random)
    outbox.pause()
    #expect(await eventually { outbox.status.mutations.allSatisfy { $0.progress != .sending } })
    try await outbox.written()
    let files = directory.files
    let report = try #require(try OutboxReport.reports(at: directory.url).first)
    let status = outbox.status
    #expect(report.mutations.map(\.id) == status.mutations.map(\.id))
    #expect(report.mutations.map(\.failure) == status.mutations.map(\.failure))
    #expect(report.failed.map(\.id) == status.failed.map(\.id))
    #expect(report.pending.map(\.id) == status.pending.map(\.id))
    #expect(report.mutations.map(\.itemID) == status.mutations.map(\.itemID))
    #expect(report.mutations.allSatisfy { ("1"..."5").contains($0.itemID) })
    #expect(report.mutations.allSatisfy { $0.name == "Revise" && $0.itemName == "Post" })
    #expect(report.mutations.allSatisfy { $0.performedAt == Date(timeIntervalSince1970: 0) })
    #expect(report.problems.isEmpty && !report.hasFileSetAside)
    #expect(report.bytes == files.first { $0.key.hasSuffix("mutations") }?.value.count)
    #expect(directory.files == files)
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `a location has the reports of all outboxes in it`() async throws {
    #expect(try OutboxReport.reports(at: directory.url).isEmpty)
    let home = directory.url.appendingPathComponent("accounts")
    let places = [storage("a"), storage("b"), .file("a", account: "42", in: home)]
    let outboxes = places.map { Outbox(server, $0, isPaused: true) }
    for (count, outbox) in outboxes.enumerated() {
      for number in 0..<count {
        try await outbox.perform(Revise(target: number, version: 1))
      }
      #expect(await eventually { outbox.state.withLock { $0.isLoaded } })
    }
    for (count, place) in places.enumerated() {
      let folder = try #require(place.folder)
      let alone = try #require(try OutboxReport.reports(at: folder).first)
      #expect(alone.mutations.count == count && alone.url.path == folder.path)
    }
    let all = try OutboxReport.reports(at: directory.url)
    #expect(all.map(\.mutations.count).sorted() == [0, 1, 2])
    #expect(all.map(\.url.path) == all.map(\.url.path).sorted())
    // Folders of caches are none of outboxes, and the other way around.
    #expect(try CacheReport.reports(at: directory.url).isEmpty)
    withExtendedLifetime(outboxes) {}
  }

  @Test
  func `damage is a problem and stays as it is, and a torn end is none`() async throws {
    let outbox = Outbox(server, storage(), isPaused: true)
    for number in 1...3 { try await outbox.perform(Revise(target: number, version: 1)) }
    let folder = try #require(storage().folder)
    let file = folder.appendingPathComponent("mutations")
    let whole = try Data(contentsOf: file)
    for length in [whole.count - 1, whole.count - 60] {
      try whole.prefix(length).write(to: file)
      let report = try #require(try OutboxReport.reports(at: folder).first)
      #expect(report.problems.isEmpty && report.mutations.count == 2)
    }
    var damaged = whole
    damaged[40] ^= 1
    try damaged.write(to: file)
    let report = try #require(try OutboxReport.reports(at: folder).first)
    #expect(report.problems.count == 1 && report.mutations.count == 2)
    #expect(try Data(contentsOf: file) == damaged)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: folder.appendingPathComponent("lock"))
    let link = try #require(try OutboxReport.reports(at: folder).first)
    #expect(link.mutations.isEmpty && link.problems.count == 1)
    withExtendedLifetime(outbox) {}
  }
}
