internal import FreshetLists

// Results have no pages: there is nothing to load at either end.
extension LiveResults: LiveList {
  /// Fetches again what was asked for last, and waits for its initial results.
  ///
  /// - Parameter scope: without a meaning for results, which are always all.
  /// - Returns: `idle`, or `failed` with the reason; `loading` where another request is fetched
  ///   meanwhile.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    guard let request = await request else { return .idle }
    await fetch(request)
    return value.state.refresh
  }

  /// Fetches again where the last fetch failed.
  ///
  /// - Returns: how the results stand afterwards, or now, where nothing failed.
  @discardableResult
  public func retry() async -> LoadState {
    value.state.refresh.failure == nil ? value.state.refresh : await refresh()
  }

  /// Does nothing: all rows are there.
  @discardableResult public func loadNext() async -> LoadState { .end }
  /// Does nothing: all rows are there.
  @discardableResult public func loadPrevious() async -> LoadState { .end }
  /// Does nothing: results have no gaps.
  @discardableResult public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    .end
  }

  /// Does nothing: all rows are there.
  public func willDisplay(_ item: Item) {}
  /// Does nothing: `stop()` ends a fetch.
  public func pause() {}
  /// Does nothing: results have nothing to pause.
  public func resume() {}
}
