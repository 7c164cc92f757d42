/// How one edge of a feed stands: its head, its end, or a gap.
public enum LoadState: Equatable, Sendable {
  /// Nothing is going on, and there may be more.
  case idle
  /// A page is on its way.
  case loading
  /// The last load failed; `retry()` asks again. Rows are not affected.
  case failed(FeedError)
  /// There is nothing more on this side.
  case end
}

/// How all edges of a feed stand.
public struct FeedState: Equatable, Sendable {
  /// The head of the list.
  public var refresh = LoadState.idle
  /// The end of the list; `end` once the source said so.
  public var append = LoadState.idle
  /// The gaps in the list, each with its own state.
  public var gaps: [Gap.ID: LoadState] = [:]

  /// Creates a state in which nothing happened yet.
  public init() {}

  /// The first failure, of the head, the end, or a gap.
  public var failure: FeedError? {
    for state in [refresh, append] + gaps.sorted(by: { $0.key < $1.key }).map(\.value) {
      if case .failed(let error) = state { return error }
    }
    return nil
  }
}
