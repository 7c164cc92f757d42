import Foundation
import Freshet
import GRDB

/// The pages of the archive, and the changes that are made while a page is open.
@MainActor
final class ArchiveClient {
  private let archive: QuakeArchive
  /// The pages that are open, by the ids that they send.
  private var pages: [String: ArchivePage] = [:]
  private var isPlaying = false

  init(_ archive: QuakeArchive) { self.archive = archive }

  /// Changes the archive several times a second while it is played and a page is open.
  func run() async throws {
    while !Task.isCancelled {
      try await Task.sleep(for: .milliseconds(200))
      guard isPlaying, !pages.isEmpty else { continue }
      // A quake in view of each page, and others anywhere.
      let seen = pages.values.compactMap { $0.visibleIDs.randomElement() }
      // If it fails, as on a full disk, the next attempt may succeed.
      try? await archive.open().changeArchive(seen)
    }
  }

  /// Returns the server-sent events with which a page holds its rows.
  ///
  /// The page is open until they end. Without an archive, the first visit creates it.
  func events(of id: String) -> AsyncStream<String> {
    let (events, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      defer { continuation.finish() }
      guard let database = await open({ continuation.yield($0) }) else { return }
      let page = ArchivePage(database)
      pages[id] = page
      defer { if pages[id] === page { pages[id] = nil } }
      async let life: Void = page.run()
      // A page that reads slowly misses frames, but never the latest one.
      for await _ in page.drawings {
        page.showNewRows()
        let frame = page.frame(isPlaying: isPlaying)
        continuation.yield(ServerSentEvent.text("frame", frame))
      }
      try? await life
    }
    continuation.onTermination = { _ in task.cancel() }
    return events
  }

  /// Opens the archive, and tries again every few seconds until that works.
  ///
  /// - Parameter report: receives an event for each failure.
  /// - Returns: `nil` if the task is cancelled.
  private func open(_ report: (String) -> Void) async -> DatabasePool? {
    while !Task.isCancelled {
      do { return try await archive.open() } catch {
        let trouble = DemoPage.Status.Trouble(error, isRetriedByItself: true)
        report(ServerSentEvent.text("trouble", trouble))
        try? await Task.sleep(for: .seconds(3))
      }
    }
    return nil
  }

  /// Returns the index of a day's newest quake.
  ///
  /// - Returns: `nil` if there is no such page or day.
  func row(_ query: [String: String]) async throws -> Int? {
    guard let page = query["page"].flatMap({ pages[$0] }), let day = query["day"],
      let date = try? Date(day, strategy: .iso8601.year().month().day())
    else { return nil }
    return try await page.rows(after: date.addingTimeInterval(86_400))
  }

  /// Performs an action of a page.
  ///
  /// - Returns: whether there is such a page and action.
  func perform(_ action: [String], _ query: [String: String]) -> Bool {
    guard let page = query["page"].flatMap({ pages[$0] }) else { return false }
    switch action.first {
    case "view":
      let numbers = ["top", "height", "shift"].compactMap { query[$0].flatMap { Double($0) } }
      guard numbers.count == 3, numbers.allSatisfy({ abs($0) < 1e9 }) else { return false }
      page.scroll(to: numbers[0], height: min(max(0, numbers[1]), 500), knowing: numbers[2])
    case "play":
      isPlaying = action.last == "true"
      for page in pages.values { page.redraw() }
    case "retry": page.retry()
    default: return false
    }
    return true
  }
}
