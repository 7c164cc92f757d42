import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

@testable import FreshetTool

/// What `freshet inspect` says.
@Suite
struct ReportTextTests {
  private func report(_ name: String, in folder: URL) async throws -> CacheReport {
    let feed = Feed(
      cache: FeedCacheChoice(
        FileFeedCache(
          name, version: 3, in: CacheDirectory(folder), coder: WatchedCoder(places: .init())))
    ) { (request: PageRequest<Int>) in
      let start = request.key ?? 0
      return Page(try (start..<(start + 50)).map(FeedWatcherTests.Server.item), next: start + 50)
    }
    await feed.refresh()
    await feed.loadNext()
    await feed.flush()
    return try #require(try CacheReport.reports(at: folder).first)
  }

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")

  @Test
  func `a report says rows, files, keys and ages, and no escape of a name`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await report("home\u{1B}[2J", in: folder)
    let lines = ReportText.lines(report, at: Date(), isWhole: true)
    #expect(lines[0] == "home\\u{1B}[2J")
    #expect(lines[1].hasPrefix("  100 rows in 2 files, 0 gaps, "))
    #expect(lines[1].hasSuffix("version 3"))
    #expect(
      lines.contains { $0.contains("next 100") } && !lines.contains { $0.contains("problem") })
    #expect(ReportText.lines(report, at: Date(), isWhole: false).count == 2)
    let json = try JSONReader.value(of: ReportText.json(report).utf8)
    #expect(json[["rows"]] == .number("100") && json[["parts", "1", "next"]] == .number("100"))
    #expect(json[["problems"]] == .array([]) && json[["end"]] == .string("open"))
  }

  private enum Key: Hashable, Codable { case url(String), numbered(Int, of: Int) }

  @Test(arguments: [
    (Key.url("https://x.org/?page=2"), "next https://x.org/?page=2"),
    (.numbered(2, of: 3), #"next {"numbered":{"_0":2,"of":3}}"#),
  ])
  private func `a page key that is one text is shown as that`(key: Key, text: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let feed = Feed(
      cache: FeedCacheChoice(
        FileFeedCache("keys", in: CacheDirectory(folder), coder: WatchedCoder(places: .init())))
    ) { (_: PageRequest<Key>) in Page([try FeedWatcherTests.Server.item(1)], next: key) }
    await feed.refresh()
    await feed.flush()
    let report = try #require(try CacheReport.reports(at: folder).first)
    let lines = ReportText.lines(report, at: Date(), isWhole: true)
    #expect(lines.contains { $0.hasSuffix(text) }, "\(lines)")
  }

  @Test
  func `what was set aside is a note and no failure, and one of something is one`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let feed = Feed(
      cache: FeedCacheChoice(
        FileFeedCache("one", in: CacheDirectory(folder), coder: WatchedCoder(places: .init())))
    ) { (_: PageRequest<Int>) in Page([try FeedWatcherTests.Server.item(1)], next: nil) }
    await feed.refresh()
    await feed.flush()
    let place = try #require(try CacheReport.reports(at: folder).first).url
    try Data("rubbish".utf8).write(to: place.appendingPathComponent("damaged"))
    let report = try #require(try CacheReport.reports(at: folder).first)
    #expect(report.hasFileSetAside && report.problems.isEmpty)
    let lines = ReportText.lines(report, at: Date(), isWhole: false)
    #expect(lines[1].hasPrefix("  1 row in 1 file, 0 gaps, ") && lines[2].hasPrefix("  note: "))
    #expect(try await WatchTests.freshet(["inspect", folder.path]).status == 0)
  }

  /// An edit with a name that no terminal should perform, and contents that are private.
  private struct Rename: Mutation {
    static let name = "Rename\u{1B}[2J"
    var target: String
    var title: String
    func edit() -> ItemEdit<Quake> { .delete }
  }

  @Test
  func `an outbox lists what is pending and failed, of which type and since when, and no contents`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let outbox = Outbox(.file("stars", in: folder), retryPolicy: .polite) {
      Sender(Rename.self) { _, _ in
        throw HTTPError.status(
          422, url: URL(filePath: "/"), retryAfter: nil, message: "token=hunter2")
      }
      Sender(Star.self) { _, _ in throw URLError(.notConnectedToInternet) }
    }
    try await outbox.perform(Rename(target: "secret-id", title: "hunter2"))
    try await outbox.perform(Star(target: "secret-id 2", isStarred: true))
    // What is on the disk follows what the outbox knows.
    #expect(
      try await eventually {
        let report = try OutboxReport.reports(at: folder).first
        return report?.failed.count == 1 && report?.pending.first?.attempts == 1
      })
    let report = try #require(try OutboxReport.reports(at: folder).first)
    let lines = ReportText.lines(report, at: Date() + 300, isWhole: true)
    #expect(lines[0] == "outbox" && lines[1].hasPrefix("  1 pending, 1 failed, "))
    #expect(lines[2] == "  folder: \(report.url.path)")
    #expect(lines[3].hasPrefix(#"         1  failed   Rename\u{1B}[2J of Quake  5 min ago  "#))
    #expect(lines[4] == "         2  pending  Star of Quake  5 min ago  tried before")
    let json = try JSONReader.value(of: ReportText.json(report).utf8)
    #expect(json[["kind"]] == .string("outbox") && json[["problems"]] == .array([]))
    #expect(json[["mutations", "1", "name"]] == .string("Star"))
    #expect(json[["mutations", "1", "failure"]] == .null)
    #expect(json[["mutations", "0", "failure"]] != .null)
    for text in [lines.joined(), ReportText.json(report)] {
      #expect(!text.contains("hunter2") && !text.contains("secret") && !text.contains("\u{1B}"))
    }
    for arguments in [[folder.path], [report.url.path], ["--cache-folder", folder.path]] {
      let run = try await WatchTests.freshet(["inspect"] + arguments)
      #expect(run.status == 0 && run.output.hasPrefix("outbox\n  1 pending, 1 failed"), "\(run)")
    }
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `many mutations beside other reports are counted, and damage is told`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let outbox = Outbox(.file("stars", in: folder), isPaused: true) {
      Sender(Star.self) { _, _ in }
    }
    for number in 0..<25 { try await outbox.perform(Star(target: "\(number)", isStarred: true)) }
    let report = try #require(try OutboxReport.reports(at: folder).first)
    #expect(ReportText.lines(report, at: Date(), isWhole: true).count == 3 + 25)
    let lines = ReportText.lines(report, at: Date(), isWhole: false)
    #expect(lines.count == 3 + 20 + 1 && lines.last == "       ···  5 more")
    #expect(lines[3] == "         1  pending  Star of Quake  now  not tried yet")
    let file = report.url.appendingPathComponent("mutations")
    var data = try Data(contentsOf: file)
    data[40] ^= 1
    try data.write(to: file)
    let run = try await WatchTests.freshet(["inspect", folder.path])
    #expect(run.status == 65 && run.output.contains("  problem: "), "\(run)")
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `a size is said in few digits`() {
    #expect([0, 999, 1000, 1_250_000].map(ReportText.size) == ["0 B", "999 B", "1 kB", "1.2 MB"])
  }

  @Test
  func `inspect finds a cache by its name or folder, and fails where something is wrong`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await report("home", in: folder)
    for arguments in [["home", "--cache-folder", folder.path], [folder.path], [report.url.path]] {
      let run = try await WatchTests.freshet(["inspect"] + arguments)
      #expect(run.status == 0 && run.output.hasPrefix("home\n  100 rows"), "\(run)")
    }
    let none = try await WatchTests.freshet(["inspect", "x", "--cache-folder", folder.path])
    #expect(none.status == 66 && none.error == "Error: There is no cache at x.\n")
    try FileManager.default.removeItem(at: report.url.appendingPathComponent(report.runs[1].file))
    let broken = try await WatchTests.freshet(["inspect", "--json", folder.path])
    #expect(broken.status == 65 && broken.output.contains("is missing: 50 rows are lost"))
  }
}
