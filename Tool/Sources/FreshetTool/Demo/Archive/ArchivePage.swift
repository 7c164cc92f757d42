import Foundation
import Freshet
import FreshetLists
import FreshetSQLite
import FreshetUI
import GRDB
import Observation

/// A page of the archive in a browser: a feed over a million rows, of which a few are in memory.
@MainActor
final class ArchivePage {
  private let source: SQLiteFeedSource<ArchivedQuake>
  private let list: FeedController<ArchivedQuake>
  private let presenter: ListPresenter<ArchivedQuake>
  private let screen = ArchiveScreen()
  /// A signal whenever there is something else to draw.
  let drawings: AsyncStream<Void>
  private let drawing: AsyncStream<Void>.Continuation
  /// The name of the stream of this page's frames.
  private let stream = UUID()

  init(_ database: DatabasePool) {
    (drawings, drawing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    source = SQLiteFeedSource(database, sortedBy: [.descending("time")])
    list = FeedController(
      source, configuration: FeedConfiguration(pageSize: 50, maximumRows: 500))
    presenter = ListPresenter(
      list, on: screen,
      options: ScreenOptions(edges: .none, isAnimated: false, showsPlaceholders: true))
    screen.count = { [presenter] in presenter.layout.numberOfRows(in: 0) }
    screen.changed = { [drawing] in drawing.yield() }
  }

  /// Keeps the loaded rows equal to those of the table, until the task is cancelled.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let changes = source.changes(checkingEvery: .milliseconds(500))
      group.addTask { [list] in
        while true {
          try? await list.follow(changes)
          try await Task.sleep(for: .seconds(1))
        }
      }
      let states = Observations { [list] in list.state }
      group.addTask { [drawing] in for await _ in states { drawing.yield() } }
      group.addTask { [drawing] in
        // A drawing every few seconds reveals when a page is gone.
        while true {
          try await Task.sleep(for: .seconds(15))
          drawing.yield()
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: - The reader

  /// Shows other rows: see `ArchiveScreen`.
  func scroll(to top: Double, height: Double, knowing shift: Double) {
    screen.scroll(to: top, height: height, knowing: shift)
  }

  /// Returns the number of rows after a time.
  func rows(after time: Date) async throws -> Int {
    let milliseconds = Int64(exactly: (time.timeIntervalSince1970 * 1000).rounded()) ?? .max
    guard let key = try await source.key(at: [milliseconds]) else {
      return try await source.count()
    }
    return try await source.rowsAbove(key)
  }

  /// Loads again what failed.
  func retry() { Task { [list] in await list.retry() } }

  /// The ids of the loaded rows on screen.
  var visibleIDs: [Int] {
    screen.visiblePaths.compactMap { presenter.layout.row(at: $0)?.item?.id }
  }

  // MARK: - Drawing

  /// Requests a drawing.
  func redraw() { drawing.yield() }

  /// Notifies the presenter of rows that appeared on screen, so that it loads what is missing.
  func showNewRows() {
    for path in screen.takeNewRows() {
      presenter.willDisplay(path)
      // The row of a gap is the place of the first missing one.
      if case .gap(_, .idle, _) = presenter.layout.row(at: path) { presenter.load(at: path) }
    }
  }

  /// Returns the rows on screen and near it as they are now.
  func frame(isPlaying: Bool) -> ArchiveFrame {
    let (layout, state) = (presenter.layout, list.state)
    // A screen more in each direction, for a page that is scrolled.
    let margin = max(20, Int(screen.height))
    let (visible, count) = (screen.visible, screen.count())
    let drawn = max(0, visible.lowerBound - margin)..<min(count, visible.upperBound + margin)
    return ArchiveFrame(
      stream: stream, first: drawn.lowerBound, count: count, shift: screen.shift,
      rows: drawn.map { layout.row(at: RowPath(section: 0, row: $0))?.item },
      total: state.total?.text, loaded: list.items.count, memory: MemoryUse.megabytes,
      isPlaying: isPlaying,
      trouble: (state.failure ?? state.retrying).map {
        DemoPage.Status.Trouble($0, isRetriedByItself: state.failure == nil)
      })
  }
}

/// What a page of the archive draws.
struct ArchiveFrame: Encodable, Sendable {
  /// The stream that the frame is in: each begins with its rows at the top.
  let stream: UUID
  /// The index of the first of the rows in the whole list.
  let first: Int
  /// The number of rows in the whole list.
  let count: Int
  /// By how many rows the page has to scroll, in all frames so far, so that the rows on screen stay
  /// in place.
  let shift: Double
  /// The rows on screen and near it; `nil` for one that is not loaded.
  let rows: [ArchivedQuake?]
  let total: String?
  /// The number of rows in memory.
  let loaded: Int
  /// The memory of the process.
  let memory: Int?
  let isPlaying: Bool
  let trouble: DemoPage.Status.Trouble?
}
