public import struct Foundation.Date

/// How far a refresh reads.
@nonexhaustive
public enum RefreshScope: Int, Comparable, CaseIterable, Sendable {
  /// From the head until an answer meets what is known: one request where little happened.
  case head
  /// From the head through what is on display, as `willDisplay(_:)` tells: every row that the
  /// reader sees is what the server says now.
  case visible
  /// From the head through everything that is loaded: as many requests as pages, and every row is
  /// what the server says now.
  ///
  /// As many rows as are loaded are read, and more while known ones keep coming. A row that is not
  /// among them is gone or further down, where scrolling finds it again.
  case all

  /// Whether the second reads further.
  public static func < (first: RefreshScope, second: RefreshScope) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// How a feed asks, retries and keeps rows.
///
/// ```swift
/// let patient = FeedController(
///   source, configuration: FeedConfiguration(refreshPages: 10, staleAfter: .seconds(300)))
/// ```
public struct FeedConfiguration: Sendable {
  /// What a refresh does where the server's head has moved away from the rows that are loaded.
  @nonexhaustive
  public enum RefreshPolicy: Sendable {
    /// New rows come on top; where they do not meet the known ones, a gap is left between.
    case keepGap
    /// Whenever the first page differs from the head of the list, the list becomes that page.
    case replace
  }

  /// How many items to ask for with each request: at least one.
  public var pageSize = 50 { didSet { pageSize = pageSize.clamped(from: 1) } }
  /// What a refresh does where it meets nothing known.
  public var refreshPolicy = RefreshPolicy.keepGap
  /// How many pages a refresh may ask for until it meets a known row; then it leaves a gap.
  ///
  /// More pages find more after a long absence and take longer to show. One page leaves a gap as
  /// soon as a page of new rows came.
  public var refreshPages = 3
  /// How many rows before the end `willDisplay(_:)` asks for more.
  ///
  /// About a screenful feels endless; 0 leaves it to `loadNext()`.
  public var prefetchDistance = 10 {
    didSet { prefetchDistance = prefetchDistance.clamped(from: 0) }
  }

  /// How old rows may be that come on screen; `nil` leaves that to `refresh(_:)`.
  ///
  /// Older ones are asked for again, page by page, as `willDisplay(_:)` tells of them; where pages
  /// are counted by number or offset, all that is on display. A failure is that of a refresh.
  public var staleAfter: Duration?

  /// About how many rows to keep in memory; `nil` keeps all.
  ///
  /// Beyond it, pages far from what is on display are let go, but for the first one and the
  /// anchor's: a gap stands for them. With a cache they are read back from disk, in their order, as
  /// `willDisplay(_:)` comes near (`Gap.isStored`); without one, or where the disk fails, they are
  /// asked for again as at any gap. Give it several times what fits on screen, `pageSize` and
  /// `prefetchDistance`.
  ///
  /// Rows on disk are as they were when they were let go: what happens to them meanwhile is seen
  /// when they are read back, and after a relaunch only once they are asked for again.
  public var maximumRows: Int? { didSet { maximumRows = maximumRows?.clamped(from: 1) } }

  /// When a load that failed is asked for again by itself; `nil` for what the source says, which is
  /// never for a source of your own and `polite` for a web API.
  public var retryPolicy: RetryPolicy?
  /// What measures the waits between attempts.
  public var clock: any Clock<Duration>
  /// What time it is: asked for once with each event, for `staleAfter`, `deletionHorizon`,
  /// `refreshedAt` and `trace(of:)`.
  ///
  /// A test replaces it along with `clock`.
  public var now: @Sendable () -> Date
  /// How long after a deletion the feed ignores answers that still contain the item and, if it was
  /// deleted here, `FeedEvent.upsert` events.
  ///
  /// Replicas and streams that lag behind would otherwise bring it back for a moment.
  /// `FeedEvent.insert` restores it at once.
  public var deletionHorizon: Duration

  /// Creates the default behaviour, changed where an argument says so.
  public init(
    pageSize: Int = 50, refreshPolicy: RefreshPolicy = .keepGap, refreshPages: Int = 3,
    prefetchDistance: Int = 10, staleAfter: Duration? = nil, maximumRows: Int? = nil,
    retryPolicy: RetryPolicy? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, deletionHorizon: Duration = .seconds(30)
  ) {
    self.pageSize = pageSize.clamped(from: 1)
    self.refreshPolicy = refreshPolicy
    self.refreshPages = refreshPages
    self.prefetchDistance = prefetchDistance.clamped(from: 0)
    self.staleAfter = staleAfter
    self.maximumRows = maximumRows?.clamped(from: 1)
    self.retryPolicy = retryPolicy
    self.clock = clock
    self.now = now
    self.deletionHorizon = deletionHorizon
  }
}

extension Int {
  /// The number within bounds that sums of a few such numbers keep far from overflow.
  fileprivate func clamped(from least: Int) -> Int { Swift.min(Swift.max(self, least), 1 << 28) }
}
