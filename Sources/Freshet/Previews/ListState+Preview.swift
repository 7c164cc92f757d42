// States for previews and tests.
extension ListState {
  /// Creates the state of a feed without gaps, for previews and tests.
  ///
  /// - Parameters:
  ///   - refresh: the head of the list.
  ///   - previous: the rows above the first.
  ///   - next: the end of the list.
  public init(
    refresh: LoadState = .idle, previous: LoadState = .end, next: LoadState = .idle
  ) {
    self.init()
    (self.refresh, self.previous, self.next) = (refresh, previous, next)
  }

  /// The state of a list whose rows are all loaded.
  public static var complete: ListState { ListState(next: .end) }
  /// The state of a list whose head is being loaded.
  public static var loading: ListState { ListState(refresh: .loading) }

  /// Returns the state of a list whose head could not be loaded.
  public static func failed(_ error: any Error) -> ListState {
    ListState(refresh: .failed(error as? FeedError ?? .source(error)))
  }
}
