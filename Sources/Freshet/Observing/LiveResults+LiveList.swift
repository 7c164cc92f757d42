internal import FreshetLists

// Results have no pages: there is nothing to load at either end.
extension LiveResults: LiveList {
  /// Fetches the last request again, and waits for its initial results.
  ///
  /// - Parameter scope: has no effect, because a fetch always returns all results.
  /// - Returns: `idle`, or `failed` with the reason; `loading` if another request is being fetched
  ///   by then.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    guard let request = await request else { return .idle }
    await fetch(request)
    return value.state.refresh
  }

  /// Fetches again if the last fetch failed.
  ///
  /// - Returns: the state of the results afterwards, or the current state if nothing failed.
  @discardableResult
  public func retry() async -> LoadState {
    value.state.refresh.failure == nil ? value.state.refresh : await refresh()
  }

  /// Does nothing: all rows are loaded.
  @discardableResult public func loadNext() async -> LoadState { .end }
  /// Does nothing: all rows are loaded.
  @discardableResult public func loadPrevious() async -> LoadState { .end }
  /// Does nothing: results have no gaps.
  @discardableResult public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    .end
  }

  /// Does nothing: all rows are loaded.
  public func willDisplay(_ item: Item) {}
  /// Does nothing: `stop()` ends a fetch.
  public func pause() {}
  /// Does nothing: results have nothing to pause.
  public func resume() {}
}
