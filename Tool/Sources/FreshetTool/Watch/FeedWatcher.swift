import ArgumentParser
import Foundation
import Freshet

/// Keeps a feed true and prints what changed, step by step.
struct FeedWatcher {
  let feed: Feed<WatchedItem>
  let pages: PageCount
  var output: Output
  private var shown = ListSnapshot<WatchedItem>()
  private var loadedPages = 0

  init(feed: Feed<WatchedItem>, pages: PageCount, output: Output) {
    self.feed = feed
    self.pages = pages
    self.output = output
  }

  /// Prints the rows on disk, before the network is asked.
  mutating func showCache() async throws {
    await feed.loadCache()
    try show(.cache)
  }

  /// Refreshes everything loaded, closes gaps, loads pages, and prints after each step.
  ///
  /// - Returns: what went wrong, if anything did.
  mutating func load() async throws -> WatchFailure? {
    let refreshed = await feed.refresh(.all)
    try show(.network)
    if case .failed(let error) = refreshed { return WatchFailure(error, isPartial: false) }
    loadedPages = max(loadedPages, 1)
    if let failure = try await closeGaps() { return failure }
    while wantsMore, feed.value.state.append != .end {
      let state = await feed.loadMore()
      try show(.network)
      if case .failed(let error) = state { return WatchFailure(error, isPartial: true) }
      loadedPages += 1
      if let failure = try await closeGaps() { return failure }
    }
    return nil
  }

  private mutating func closeGaps() async throws -> WatchFailure? {
    while let gap = feed.value.rows.lazy.compactMap(\.gap).first {
      let state = await feed.load(gap)
      try show(.network)
      if case .failed(let error) = state { return WatchFailure(error, isPartial: true) }
    }
    return nil
  }

  private var wantsMore: Bool {
    switch pages {
    case .some(let count): loadedPages < count
    case .all: true
    }
  }

  private mutating func show(_ origin: ListUpdate<WatchedItem>.Origin) throws {
    let value = feed.value
    let update = ListUpdate(from: shown, to: value.list.items(), origin: origin)
    guard !update.changes.isEmpty else { return }
    shown = update.after
    try output.print(update, value)
  }
}

/// Where updates go.
struct Output {
  let format: OutputFormat
  private var table = TablePrinter()

  init(format: OutputFormat) { self.format = format }

  mutating func print(
    _ update: ListUpdate<WatchedItem>, _ value: FeedValue<WatchedItem>
  ) throws {
    let lines =
      switch format {
      case .jsonl: [try UpdateLine(update, value).text]
      case .table: table.lines(for: update)
      }
    let text = lines.map { $0 + "\n" }.joined()
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // Whoever read us has gone.
      throw ExitCode.success
    }
  }
}

/// Why a list is not what it should be, as an exit code and one line that says what to try.
struct WatchFailure: Error, Equatable, CustomStringConvertible {
  let description: String
  let code: ExitCode

  init(_ error: FeedError, isPartial: Bool) {
    description =
      if case .decoding = error { "\(error) Say where things are with --items and --id." } else {
        "\(error)"
      }
    code =
      if isPartial { ExitCode(75) } else {
        switch error {
        case .decoding, .pagingLoop, .staleKey, .unreadPages, .source: ExitCode(65)
        case .invalidURL: ExitCode(64)
        case .http, .foreignLink, .tooLarge, .unreachable: ExitCode(69)
        }
      }
  }

  static func == (first: WatchFailure, second: WatchFailure) -> Bool {
    first.description == second.description && first.code.rawValue == second.code.rawValue
  }
}
