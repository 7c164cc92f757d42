import Freshet

/// How much of a list is kept.
struct WatchBounds: Equatable, Sendable {
  var pages = PageCount.some(1)
  var maxRows = standardRows
  /// Whether the user chose `maxRows`: then a list that is cut there is what was asked for.
  var isMaxRowsAsked = false
  /// How many pages may be read in one round to close gaps: the rows of a server may move on faster
  /// than they can be read.
  var gapPages = 100

  static let standardRows = 100_000

  /// How many rows are kept where a page has `pageSize`.
  func rows(pageSize: Int) -> Int {
    switch pages {
    case .some(let count):
      count > maxRows ? maxRows : min(maxRows, count * max(1, pageSize))
    case .all: maxRows
    }
  }
}

/// What to load next, and when that is enough: decided without a clock, a task or a server.
struct WatchPlan {
  enum Step: Equatable {
    case refresh
    case fill(Gap)
    case more
    case stop(WatchEnd)
  }

  /// How the list stands after a step.
  struct Standing {
    /// How many items there are.
    var rows = 0
    /// The first gap among the rows that are kept, and how many there are.
    var gap: Gap?
    var gaps = 0
    var next = LoadState.idle
    /// How many rows a page has, as far as is known.
    var pageSize = 50
    /// What the last step led to.
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

  /// The step after the one before, or after `begin()`.
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
      // It failed before, and is not asked again as long as enough rows are there; where the answer
      // names no way on, the same answer would come again.
      if case .unreadPages = error { return .stop(.failed(error, isPartial: true)) }
      if !wantsMore { return .stop(.failed(error, isPartial: true)) }
    }
    guard wantsMore else { return .stop(.pages(bounds.pages)) }
    loaded += 1
    return .more
  }

  /// Cached pages count, and pages that were loaded count however short they are.
  private func wantsMore(_ standing: Standing) -> Bool {
    switch bounds.pages {
    case .all: true
    case .some(let count):
      loaded < count
        && standing.rows <= bounds.rows(pageSize: standing.pageSize) - standing.pageSize
    }
  }
}

/// Why a round of loading ended.
enum WatchEnd: Equatable {
  /// All rows are there.
  case end
  /// As many pages as asked for are there.
  case pages(PageCount)
  /// As many rows as are kept are there.
  case rows(Int, isAsked: Bool)
  /// Rows are missing, and were not all found in time.
  case gaps(Int)
  /// A load failed: the first one, or one behind it.
  case failed(FeedError, isPartial: Bool)

  /// The last line with `--once`.
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
