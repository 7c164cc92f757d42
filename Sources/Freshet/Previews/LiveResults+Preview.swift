public import FreshetLists

extension LiveResults {
  /// Returns results that show these items in this state without a store, for previews and tests.
  ///
  /// They do not change: a fetch has no effect, even if a view starts it when it appears.
  ///
  /// - Parameters:
  ///   - items: the items of the store.
  ///   - arrangement: the arrangement of the items.
  ///   - state: the state of the fetch.
  public static func preview(
    _ items: [Item], arrangement: Arrangement<Item> = .all, state: FetchState = .loaded
  ) -> LiveResults {
    let results = LiveResults(store: PreviewStore(), arrangement: arrangement)
    results.perform { $0.machine.show(items.map { AnyItem($0) }, in: state) }
    return results
  }
}

extension ListController {
  /// Returns a controller that shows these items without a store, for previews and tests.
  ///
  /// See `LiveResults.preview(_:arrangement:state:)`.
  public static func preview<Item: ListItem, Request: Sendable>(
    _ items: [Item], arrangement: Arrangement<Item> = .all, state: FetchState = .loaded
  ) -> ListController where List == LiveResults<Item, Request> {
    ListController(.preview(items, arrangement: arrangement, state: state))
  }
}

/// A store that reports no changes.
private struct PreviewStore<Item: ListItem, Request: Sendable>: DataStore {
  func execute(_ query: DataStoreQuery<Item, Request>) async throws { await query.untilStopped() }
}
