public import FreshetLists

extension LiveResults {
  /// Results that show these items in this state, without a store: for previews and tests.
  ///
  /// They stay as they are: a fetch changes nothing, be it that of a view that appears.
  ///
  /// - Parameters:
  ///   - items: what the store holds.
  ///   - arrangement: how they are laid out.
  ///   - state: how the fetch stands.
  public static func preview(
    _ items: [Item], arrangement: Arrangement<Item> = .all, state: FetchState = .loaded
  ) -> LiveResults {
    let results = LiveResults(store: PreviewStore(), arrangement: arrangement)
    results.perform { $0.machine.show(items.map { AnyItem($0) }, in: state) }
    return results
  }
}

extension ListController {
  /// A controller that shows these items in this state, without a store: for previews and tests.
  ///
  /// See `LiveResults.preview(_:arrangement:state:)`.
  public static func preview<Item: ListItem, Request: Sendable>(
    _ items: [Item], arrangement: Arrangement<Item> = .all, state: FetchState = .loaded
  ) -> ListController where List == LiveResults<Item, Request> {
    ListController(.preview(items, arrangement: arrangement, state: state))
  }
}

/// A store that says nothing.
private struct PreviewStore<Item: ListItem, Request: Sendable>: DataStore {
  func execute(_ query: DataStoreQuery<Item, Request>) async throws { await query.untilStopped() }
}
