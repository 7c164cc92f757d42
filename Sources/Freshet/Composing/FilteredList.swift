public import FreshetLists

/// A live list of the items for which a condition is true, which may be replaced.
///
/// ```swift
/// let visible = home.filter { !$0.isSensitive }
/// visible.replaceCondition { _ in true }  // another condition: one exact update
/// ```
public final class FilteredList<Item: ListItem>: LiveList {
  let list: DerivedList<Item>
  private let condition: FilterCondition<Item>

  @usableFromInline
  init(
    _ base: some LiveList<Item>, _ isIncluded: @escaping @Sendable (Item) -> Bool,
    by filter: @escaping @Sendable (@escaping @Sendable (Item) -> Bool) -> RowFilter<Item>
  ) {
    let condition = FilterCondition(isIncluded)
    self.condition = condition
    let source = RowSource(base)
    list = DerivedList(of: source.lists) { wake in
      FilteredRows(source.rows(wake), by: condition, filter, wake: wake)
    }
  }

  /// Publishes what is shown to its observers.
  public var publisher: ListPublisher<Item> { list.publisher }
  /// All that is shown now; see `DerivedList.value`.
  public var value: ListValue<Item> { list.value }

  /// Replaces the condition: the rows that come and go are one update, a moment later where there
  /// are hundreds.
  ///
  /// - Complexity: O(*n*), a call for each row.
  public func replaceCondition(_ isIncluded: @escaping @Sendable (Item) -> Bool) {
    condition.replace(with: isIncluded)
  }

  /// Asks for what is new.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await list.refresh(scope)
  }
  /// Asks for rows behind the last one; see `DerivedList.loadNext()`.
  @discardableResult public func loadNext() async -> LoadState { await list.loadNext() }
  /// Asks for rows above the first one.
  @discardableResult public func loadPrevious() async -> LoadState { await list.loadPrevious() }
  /// Asks for the rows that may be missing at a gap.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await list.load(gap, from: side)
  }
  /// Asks again for everything that failed.
  @discardableResult public func retry() async -> LoadState { await list.retry() }

  /// Says which item came on screen; see `DerivedList.willDisplay(_:)`.
  public func willDisplay(_ item: Item) { list.willDisplay(item) }
  /// Lets loads wait, in the list it is made of.
  public func pause() { list.pause() }
  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() { list.resume() }
}
