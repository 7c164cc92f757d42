public import struct Foundation.Date

/// The extent of a refresh.
@nonexhaustive
public enum RefreshScope: Int, Comparable, CaseIterable, Sendable {
  /// From the head until an answer overlaps known rows: one request if little changed.
  case head
  /// From the head through the rows on display, as reported by `willDisplay(_:)`.
  ///
  /// If these are below a gap of known size and the source is a `JumpableFeedSource`, the first
  /// page is read, and then the rows at their position. Every row that the reader sees is up to
  /// date afterwards, except rows below a gap that are not found there: they may have moved.
  case visible
  /// From the head through all loaded rows: as many requests as pages, and every row is up to date.
  ///
  /// It reads as many rows as are loaded, and continues as long as answers contain known rows. A
  /// row that is not among them was deleted or is further down, and scrolling loads it again.
  case all

  /// Whether the second scope reads further.
  public static func < (first: RefreshScope, second: RefreshScope) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// How a feed loads, retries and keeps rows.
///
/// ```swift
/// let patient = FeedController(
///   source, configuration: FeedConfiguration(refreshPages: 10, staleAfter: .seconds(300)))
/// ```
public struct FeedConfiguration: Sendable {
  /// The behaviour of a refresh if the head of the list no longer overlaps the loaded rows.
  @nonexhaustive
  public enum RefreshPolicy: Sendable {
    /// New rows are inserted on top, with a gap below them if they do not overlap the known rows.
    case keepGap
    /// Whenever the first page differs from the head of the list, the list becomes that page.
    case replace
  }

  /// The number of items that each request asks for: at least one.
  public var pageSize = 50 { didSet { pageSize = pageSize.clamped(from: 1) } }
  /// The behaviour of a refresh if no answer overlaps known rows.
  public var refreshPolicy = RefreshPolicy.keepGap
  /// The number of pages that a refresh loads to find a known row; after that it leaves a gap.
  ///
  /// More pages close longer absences and take longer to show. With one page, a gap is left as soon
  /// as the first page has new rows only.
  public var refreshPages = 3
  /// The number of rows before the end at which `willDisplay(_:)` loads more.
  ///
  /// With about a screenful, the list feels endless. With 0, only `loadNext()` loads more.
  public var prefetchDistance = 10 {
    didSet { prefetchDistance = prefetchDistance.clamped(from: 0) }
  }

  /// The maximum age of rows that appear on screen; `nil` leaves reloading to `refresh(_:)`.
  ///
  /// Pages of older rows are loaded again as `willDisplay(_:)` reports them. If pages are counted
  /// by number or offset, the list is read from the head through the rows on display; of rows that
  /// a jump loaded, only their page is requested. A `WindowedFeedSource` reads all loaded rows
  /// again together. A failure is reported like that of a refresh.
  public var staleAfter: Duration?

  /// The approximate number of rows to keep in memory; `nil` keeps all.
  ///
  /// Beyond that number, pages far from the rows on display are evicted, except the first one and
  /// that of the anchor; a gap takes their place. With a cache they are restored from disk, in
  /// their order, as `willDisplay(_:)` approaches (`Gap.isStored`). Without one, or if the disk
  /// fails, they are loaded again like any gap. Set it to several times the rows on screen,
  /// `pageSize` and `prefetchDistance`.
  ///
  /// Rows on disk are as they were when they were evicted. Changes made meanwhile are applied when
  /// they are restored; after a relaunch, only once they are loaded again.
  public var maximumRows: Int? { didSet { maximumRows = maximumRows?.clamped(from: 1) } }

  /// The policy by which failed loads are repeated automatically; `nil` for that of the source.
  ///
  /// The policy of a source is `never` for a source of your own, and `polite` for a web API.
  public var retryPolicy: RetryPolicy?
  /// The clock that measures the waits between attempts.
  public var clock: any Clock<Duration>
  /// Returns the current time, for `staleAfter`, `deletionHorizon`, `refreshedAt` and `trace(of:)`.
  ///
  /// It is called once for each event. A test replaces it along with `clock`.
  public var now: @Sendable () -> Date
  /// The time after a deletion during which the feed ignores answers that still contain the item.
  ///
  /// If the item was deleted here, `FeedEvent.upsert` events are ignored, too.
  ///
  /// Otherwise delayed replicas and streams would bring the item back for a moment.
  /// `FeedEvent.insert` restores it at once.
  public var deletionHorizon: Duration

  /// Creates the default configuration, changed by the arguments.
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
  /// Returns the number within bounds; sums of a few such numbers are far from overflow.
  fileprivate func clamped(from least: Int) -> Int { Swift.min(Swift.max(self, least), 1 << 28) }
}
