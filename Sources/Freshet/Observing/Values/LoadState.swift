public import FreshetLists

/// How one edge of a feed stands: its head, its end, or a gap.
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
  /// Nothing is going on, and there may be more.
  case idle
  /// A page is on its way.
  case loading
  /// The last load failed; `retry()` asks again. Rows are not affected.
  case failed(FeedError)
  /// There is nothing more on this side.
  case end

  /// What went wrong, if the last load failed.
  public var failure: FeedError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// How all edges of a feed stand.
///
/// ```swift
/// if feed.state.refresh.failure != nil, let date = feed.refreshedAt {
///   print("As of \(date.formatted()). Pull to try again.")
/// }
/// ```
public struct ListState: Equatable, Sendable {
  /// The head of the list.
  public var refresh = LoadState.idle
  /// The rows above the first; `end` where that is the head of the list, as it is after the first
  /// answer unless the feed began in the middle.
  public var previous = LoadState.idle
  /// The end of the list; `end` once the source said so.
  public var next = LoadState.idle
  /// The gaps in the list, each with its own state.
  public var gaps: [Gap.ID: LoadState] = [:]

  /// What went wrong with something that is `loading` and will be asked for again by itself, or is
  /// already; `nil` from when it answers, fails for good, or somebody asks.
  public var retrying: FeedError?
  /// Whether loads wait for `resume()`.
  public var isPaused = false
  /// How many items wait at the head to be shown: see `holdNew()`.
  public var newItems = 0

  /// Whether the rows are still those of the query shown before, as those of the query asked for
  /// are not there yet: see ``QueryFeed``.
  public var isShowingOldRows = false
  /// How often the list switched to another query.
  ///
  /// A step that increments it replaces the rows.
  public internal(set) var turns = 0

  /// Creates a state in which nothing happened yet.
  public init() {}

  /// The failures that `old` did not have on the same edge.
  func failures(since old: ListState) -> [FeedError] {
    let failed = gaps.filter { $0.value.failure != nil }.keys.sorted()
    let edges = [.refresh, .previous, .next] + failed.map(FeedEdge.gap)
    return edges.compactMap { self[$0] == old[$0] ? nil : self[$0].failure }
  }

  /// The first failure, of the head, the rows above the first, the end, or a gap.
  public var failure: FeedError? {
    refresh.failure ?? previous.failure ?? next.failure
      ?? gaps.sorted { $0.key < $1.key }.lazy.compactMap(\.value.failure).first
  }
}
