import Foundation
import Freshet
import GRDB
import Testing

@testable import FreshetTool

/// The demo's archive, and a page of it without a browser.
@Suite(.timeLimit(.minutes(5)))
@MainActor
struct ArchiveTests {
  /// A row of the archive as the database has it.
  typealias Quake = ArchivedQuake

  private let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  private let recorded: [ServedQuake]
  private let newestFirst = "SELECT * FROM quake ORDER BY time DESC, id DESC"

  init() throws { recorded = try DemoCommand.history().recorded }

  private func archive(_ count: Int) -> QuakeArchive {
    QuakeArchive(
      at: folder.appending(path: "archive/quakes.sqlite"), count: count, repeating: recorded)
  }

  @Test
  func `the table is created once, and is there at the next start`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = archive(1_000)
    async let one = first.open()
    async let two = first.open()
    #expect(try await one === two)
    try await one.write { try $0.execute(sql: "DELETE FROM quake WHERE id > 10") }
    let quakes = try await archive(1_000).open().read { try Quake.fetchAll($0) }
    #expect(quakes.map(\.id) == Array(1...10))
    #expect(quakes.map(\.place) == recorded.suffix(10).reversed().map(\.place))
    #expect(quakes == quakes.sorted { $0.time > $1.time })
  }

  @Test
  func `a page shows the rows at its place, which stay there`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try await archive(20_000).open()
    let page = ArchivePage(database)
    let life = Task { try await page.run() }
    defer { life.cancel() }
    page.scroll(to: 0, height: 8, knowing: 0)
    var frame = await frame(of: page) { $0.count == 20_000 && $0.rows.first != nil }
    #expect(frame.loaded <= 100)

    page.scroll(to: 12_000.5, height: 8, knowing: 0)
    frame = await self.frame(of: page) { seen(12_000, $0).allSatisfy { $0 != nil } }
    let there = try await database.read { [newestFirst] db in
      try Quake.fetchAll(db, sql: newestFirst + " LIMIT 9 OFFSET 12000")
    }
    #expect(seen(12_000, frame) == there)
    #expect(frame.loaded <= 600)

    // A new quake above, and another magnitude on screen.
    try await database.write { db in
      try db.execute(
        sql: """
          INSERT INTO quake (time, magnitude, place, depth) SELECT max(time) + 1, 5, 'A', 1 FROM quake
          """)
      try db.execute(sql: "UPDATE quake SET magnitude = 9 WHERE id = ?", arguments: [there[4].id])
    }
    frame = await self.frame(of: page) { seen(12_001, $0)[4]?.magnitude == 9 }
    #expect(frame.shift == 1)
    #expect(seen(12_001, frame).map { $0?.id } == there.map(\.id))

    // The page did not know of the shift when it was scrolled.
    page.scroll(to: 12_010.5, height: 8, knowing: 0)
    frame = await self.frame(of: page) { seen(12_011, $0).allSatisfy { $0 != nil } }
    let further = try await database.read { [newestFirst] db in
      try Quake.fetchAll(db, sql: newestFirst + " LIMIT 9 OFFSET 12011")
    }
    #expect(seen(12_011, frame) == further)
  }

  @Test
  func `a day is found from any place, also before the first quake and after the last`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try await archive(2_000).open()
    let page = ArchivePage(database)
    #expect(try await page.rows(after: .distantFuture) == 0)
    #expect(try await page.rows(after: .distantPast) == 2_000)
    let times = try await database.read { db in
      try Int.fetchAll(db, sql: "SELECT time FROM quake ORDER BY time DESC")
    }
    let date = Date(timeIntervalSince1970: Double(times[700]) / 1000)
    #expect(try await page.rows(after: date) == 700)
  }

  /// The rows that a frame has from an index on: nine of them.
  private func seen(_ index: Int, _ frame: ArchiveFrame) -> [Quake?] {
    (index..<index + 9).map { index in
      let row = index - frame.first
      return frame.rows.indices.contains(row) ? frame.rows[row] : nil
    }
  }

  /// Waits for a frame of a page.
  private func frame(
    of page: ArchivePage, _ isWanted: (ArchiveFrame) -> Bool
  ) async -> ArchiveFrame {
    for await _ in page.drawings {
      page.showNewRows()
      let frame = page.frame(isPlaying: false)
      if isWanted(frame) { return frame }
    }
    return page.frame(isPlaying: false)
  }
}
