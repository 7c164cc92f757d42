internal import FreshetLists
public import struct Foundation.Date

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
    return value.loads.refresh
  }

  /// Fetches again where the last fetch failed.
  ///
  /// - Returns: how the results stand afterwards, or now, where nothing failed.
  @discardableResult
  public func retry() async -> LoadState {
    value.state.failure == nil ? value.loads.refresh : await refresh()
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

extension ResultsValue: LiveValue {
  /// How the fetch stands, as the head; the other edges end: results have no pages.
  public var loads: FeedState {
    var loads = FeedState()
    switch state {
    case .initial, .loaded: loads.refresh = .idle
    case .loading: loads.refresh = .loading
    case .failed(let error): loads.refresh = .failed(error as? FeedError ?? .source(error))
    }
    loads.next = .end
    loads.previous = .end
    return loads
  }

  /// Whether the initial results of the fetch are not there: none was begun, it is on its way, or
  /// it failed.
  public var isPartial: Bool { if case .loaded = state { false } else { true } }

  /// Always `nil`: results are live, and are not refreshed.
  public var refreshedAt: Date? { nil }

  /// Whether a section holds all items it should: the results are there, and no limit cuts it (rule
  /// A4).
  ///
  /// - Parameter section: an index of `list.sections`.
  public func isComplete(_ section: Int) -> Bool {
    !isPartial && !(isCut && section == list.sections.count - 1)
  }

  /// An item is a row.
  public static func row(_ row: Item) -> FeedRow<Item> { .item(row) }
}
