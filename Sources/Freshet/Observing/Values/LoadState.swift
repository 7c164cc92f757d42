public import FreshetLists

/// The load state of one edge of a feed: its head, its top, its end, or a gap.
///
/// ```swift
/// let footer: String? =
///   switch feed.state.next {
///   case .idle: nil  // more comes as the reader gets near
///   case .loading: "Loading…"
///   case .failed(let error): "\(error.localizedDescription) Tap to try again."  // retry()
///   case .end: "That is all."
///   }
/// ```
public enum LoadState: Equatable, Sendable {
  /// Nothing is being loaded, and there may be more rows.
  case idle
  /// A page is being loaded.
  case loading
  /// The last load failed; `retry()` repeats it, and the rows are not affected.
  case failed(FeedError)
  /// There are no more rows on this side.
  case end

  /// The error of the last load, if it failed.
  public var failure: FeedError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// The load states of all edges of a feed.
///
/// ```swift
/// if feed.state.refresh.failure != nil, let date = feed.refreshedAt {
///   print("As of \(date.formatted()). Pull to try again.")
/// }
/// ```
public struct ListState: Equatable, Sendable {
  /// The state of the head of the list.
  public var refresh = LoadState.idle
  /// The state of the rows above the first one; `end` if the first one is the head of the list.
  ///
  /// It is `end` after the first answer, unless the feed started in the middle.
  public var previous = LoadState.idle
  /// The state of the end of the list; `end` once the source reported the end.
  public var next = LoadState.idle
  /// The states of the gaps in the list.
  public var gaps: [Gap.ID: LoadState] = [:]

  /// The number of rows in the whole list, loaded or not; `nil` if it is unknown.
  ///
  /// It is the number that the source reported last, with the insertions and deletions since. If
  /// the list is loaded from its head to its end, it is the number of its rows. `map`, `separated`
  /// and `sectioned` keep the number, without separators. Other lists made of lists have none: it
  /// is unknown how many of the rows that are not loaded they would show (rule W7).
  public var total: RowTotal?
  /// The number of rows above the first one; `nil` if it is unknown.
  ///
  /// It is not 0 if the feed started in the middle of the list, if rows at the head were evicted
  /// from memory, or if new rows are held back. The source says it: see ``Page/rowsAbove``. `map`,
  /// `separated` and `sectioned` keep this number and the next ones; other lists made of lists have
  /// none.
  public var rowsAbove: RowTotal?
  /// The number of rows below the last one; `nil` if it is unknown.
  ///
  /// It is known if the total is, and the sizes of all gaps are.
  public var rowsBelow: RowTotal?
  /// The numbers of rows in the gaps, as far as they are known (rule W1).
  ///
  /// The size of a gap with rows that are only on disk is an estimate.
  public var gapSizes: [Gap.ID: RowTotal] = [:]

  /// The failure of a load that is `loading` and is retried automatically.
  ///
  /// Its next attempt is scheduled or already running. The failure is `nil` again once the source
  /// answers, the load fails for good, or a caller requests the load.
  public var retrying: FeedError?
  /// Whether loads are held back until `resume()`.
  public var isPaused = false
  /// The number of new items that are held back at the head: see `holdNew()`.
  public var newItems = 0

  /// Whether the rows are still those of the previous query: see ``QueryFeed``.
  ///
  /// They stay until the rows of the requested query arrive.
  public var isShowingOldRows = false
  /// The number of times the list switched to another query.
  ///
  /// A step that increments it replaces the rows.
  public internal(set) var turns = 0

  /// Creates a state in which nothing has happened yet.
  public init() {}

  /// Returns the failures that `old` did not have on the same edge.
  func failures(since old: ListState) -> [FeedError] {
    let failed = gaps.filter { $0.value.failure != nil }.keys.sorted()
    let edges = [.refresh, .previous, .next] + failed.map(FeedEdge.gap)
    return edges.compactMap { self[$0] == old[$0] ? nil : self[$0].failure }
  }

  /// The first failure: of the head, the rows above the first one, the end, or a gap.
  public var failure: FeedError? {
    refresh.failure ?? previous.failure ?? next.failure
      ?? gaps.sorted { $0.key < $1.key }.lazy.compactMap(\.value.failure).first
  }
}
