import Freshet

/// The limits on how much of a list is kept.
struct WatchBounds: Equatable, Sendable {
  var pages = PageCount.some(1)
  var maxRows = standardRows
  /// Whether the user chose `maxRows`; if so, a list that is cut there is no failure.
  var isMaxRowsAsked = false
  /// How many pages one round may read to close gaps.
  ///
  /// The rows of a server may move on faster than they can be read.
  var gapPages = 100

  static let standardRows = 100_000

  /// Returns how many rows are kept if a page has `pageSize` rows.
  func rows(pageSize: Int) -> Int {
    switch pages {
    case .some(let count):
      count > maxRows ? maxRows : min(maxRows, count * max(1, pageSize))
    case .all: maxRows
    }
  }
}

/// A plan of what to load next and when to stop, made without a clock, a task or a server.
struct WatchPlan {
  enum Step: Equatable {
    case refresh
    case fill(Gap)
    case more
    case stop(WatchEnd)
  }

  /// The status of the list after a step.
  struct Standing {
    /// How many items there are.
    var rows = 0
    /// The first gap among the kept rows; `gaps` is the number of gaps.
    var gap: Gap?
    var gaps = 0
    var next = LoadState.idle
    /// How many rows a page has, as far as that is known.
    var pageSize = 50
    /// The outcome of the last step.
    var outcome = LoadState.idle
  }

  let bounds: WatchBounds
  private var isRefreshed = false
  private var hasRefreshed = false
  private var filled = 0
  private var loaded = 0

  init(_ bounds: WatchBounds) { self.bounds = bounds }

  /// Begins a round.
  mutating func begin() {
    isRefreshed = false
    hasRefreshed = false
    filled = 0
  }

  /// Returns the step after the previous one, or after `begin()`.
  mutating func next(_ standing: Standing) -> Step {
    guard isRefreshed else {
      isRefreshed = true
      return .refresh
    }
    if case .failed(let error) = standing.outcome {
      return .stop(.failed(error, isPartial: hasRefreshed))
    }
    if !hasRefreshed {
      hasRefreshed = true
      loaded = max(loaded, 1)
    }
    let isCut = standing.rows > bounds.rows(pageSize: standing.pageSize)
    if let gap = standing.gap {
      guard filled < bounds.gapPages else { return .stop(.gaps(standing.gaps)) }
      filled += 1
      return .fill(gap)
    }
    if standing.next == .end, !isCut { return .stop(.end) }
    if standing.rows >= bounds.maxRows {
      return .stop(.rows(bounds.maxRows, isAsked: bounds.isMaxRowsAsked))
    }
    let wantsMore = wantsMore(standing)
    if case .failed(let error) = standing.next {
      // The load failed before, and is not repeated while there are enough rows. If the response
      // names no next page, the same response would follow again.
      if case .unreadPages = error { return .stop(.failed(error, isPartial: true)) }
      if !wantsMore { return .stop(.failed(error, isPartial: true)) }
    }
    guard wantsMore else { return .stop(.pages(bounds.pages)) }
    loaded += 1
    return .more
  }

  /// Returns whether more pages are needed.
  ///
  /// Cached pages count by their rows. A loaded page counts as one, however short it is.
  private func wantsMore(_ standing: Standing) -> Bool {
    switch bounds.pages {
    case .all: true
    case .some(let count):
      loaded < count
        && standing.rows <= bounds.rows(pageSize: standing.pageSize) - standing.pageSize
    }
  }
}

/// The reason a round of loading ended.
enum WatchEnd: Equatable {
  /// All rows are loaded.
  case end
  /// As many pages as requested are loaded.
  case pages(PageCount)
  /// As many rows as are kept are loaded.
  case rows(Int, isAsked: Bool)
  /// Rows are missing: the round read its limit of pages before all gaps were closed.
  case gaps(Int)
  /// A load failed: the first one, or a later one if `isPartial`.
  case failed(FeedError, isPartial: Bool)

  /// The last line that `--once` prints.
  var line: String {
    switch self {
    case .end: "next: end"
    case .pages(let pages): "next: idle, there may be more than --pages \(pages)"
    case .rows(let rows, _): "next: idle, there are more than --max-rows \(rows)"
    case .gaps(let gaps): "next: idle, \(gaps) \(gaps == 1 ? "gap" : "gaps") left"
    case .failed(_, isPartial: false): "refresh: failed"
    case .failed(_, isPartial: true): "next: failed"
    }
  }
}
