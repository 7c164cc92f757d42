internal import FreshetLists

// Results have no pages: there is nothing to load at either end.
extension ResultsController {
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
}
