import Foundation
import Freshet

/// A watcher that keeps a feed up to date and prints its changes step by step.
struct FeedWatcher {
  /// The options for watching a list.
  struct Options {
    var bounds = WatchBounds()
    var scope = RefreshScope.head
    /// How many rows a page is assumed to have until one was loaded.
    var pageSize = 50
  }

  private(set) var feed: Feed<WatchedItem>
  private let makeFeed: () -> Feed<WatchedItem>
  private let options: Options
  private let attempts: Attempts
  private var printer: UpdatePrinter
  private var plan: WatchPlan
  private var view: WatchView
  private var steps: FeedSteps

  /// Creates a watcher.
  ///
  /// - Parameter makeFeed: makes the feed. It is called again if the feed holds many more rows than
  ///   are kept; the new feed starts with the kept rows.
  init(
    _ options: Options, attempts: Attempts, printer: UpdatePrinter,
    makeFeed: @escaping () -> Feed<WatchedItem>
  ) {
    self.options = options
    self.attempts = attempts
    self.printer = printer
    self.makeFeed = makeFeed
    plan = WatchPlan(options.bounds)
    feed = makeFeed()
    steps = FeedSteps(of: feed)
    view = WatchView(feed.value, limit: options.bounds.rows(pageSize: options.pageSize))
  }

  /// Prints the rows on disk before any network request.
  ///
  /// The first rows are printed before the others are read.
  mutating func showCache() async throws {
    feed.loadCacheSynchronously()
    if !feed.value.items.isEmpty {
      view = WatchView(feed.value, limit: limit)
      try printer.begin(view)
    }
    await feed.loadCache()
    if !feed.value.items.isEmpty { try await show(.cache) }
  }

  /// Refreshes, closes gaps and loads pages, and prints what changed after each step.
  ///
  /// - Returns: the reason the round ended.
  mutating func load() async throws -> WatchEnd {
    try await begin()
    var outcome = LoadState.idle
    let before = printer.steps
    while true {
      switch plan.next(standing(outcome)) {
      case .refresh: outcome = await feed.refresh(options.scope)
      case .fill(let gap): outcome = await feed.load(gap)
      case .more: outcome = await feed.loadNext()
      case .stop(let end):
        if printer.steps == before, end.failure == nil { try printer.unchanged() }
        return end
      }
      try await show(.network)
    }
  }

  /// Prints how the list ends.
  mutating func finish(_ end: WatchEnd) async throws {
    await feed.flush()
    try printer.end(end.line)
  }

  /// Begins a round, with a new feed if the current one holds far more rows than are kept.
  private mutating func begin() async throws {
    plan.begin()
    attempts.begin()
    guard feed.value.items.count > 2 * limit + 1000 else { return }
    await feed.flush()
    feed = makeFeed()
    steps = FeedSteps(of: feed)
    await feed.loadCache()
    view = WatchView(feed.value, limit: limit)
  }

  private var pageSize: Int { attempts.pageSize ?? options.pageSize }
  private var limit: Int { options.bounds.rows(pageSize: pageSize) }

  private func standing(_ outcome: LoadState) -> WatchPlan.Standing {
    let value = feed.value
    return WatchPlan.Standing(
      rows: value.items.count, gap: view.gap, gaps: view.state.gaps, next: value.state.next,
      pageSize: pageSize, outcome: outcome)
  }

  private mutating func show(_ origin: ListOrigin) async throws {
    let step = await steps.next(in: feed)
    view = WatchView(feed.value, limit: limit)
    try printer.show(view, from: origin, by: step)
  }
}

/// The steps of a feed, read while it is idle.
private struct FeedSteps {
  private var updates: ListUpdates<WatchedItem>.Iterator
  private var list = ListSnapshot<WatchView.Row>()

  init(of feed: Feed<WatchedItem>) { updates = feed.updates.makeAsyncIterator() }

  /// Returns the step to the feed's list since the last call; `nil` unless it was exactly one.
  mutating func next(in feed: Feed<WatchedItem>) async -> UpdatePrinter.Step? {
    var (step, count) = (nil as UpdatePrinter.Step?, 0)
    while list != feed.value.list, let update = await updates.next() {
      (step, list) = (update.step, update.step.after)
      count += 1
    }
    return count == 1 ? step : nil
  }
}
