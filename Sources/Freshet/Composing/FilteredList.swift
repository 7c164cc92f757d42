public import FreshetLists

/// A live list of the items that meet a condition, which can be replaced.
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

  /// The publisher that delivers the list to its observers.
  public var publisher: ListPublisher<Item> { list.publisher }
  /// The list as it is now, with its state; see `DerivedList.value`.
  public var value: ListValue<Item> { list.value }

  /// Replaces the condition: all rows that are inserted or removed are one update.
  ///
  /// If the list has hundreds of rows, the update is published a moment after this returns.
  ///
  /// - Complexity: O(*n*), with a call of the condition for each row.
  public func replaceCondition(_ isIncluded: @escaping @Sendable (Item) -> Bool) {
    condition.replace(with: isIncluded)
  }

  /// Loads the source lists again from their heads; see `DerivedList.refresh(_:)`.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await list.refresh(scope)
  }
  /// Loads rows after the last one; see `DerivedList.loadNext()`.
  @discardableResult public func loadNext() async -> LoadState { await list.loadNext() }
  /// Loads rows above the first one.
  @discardableResult public func loadPrevious() async -> LoadState { await list.loadPrevious() }
  /// Loads the rows that may be missing at a gap.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await list.load(gap, from: side)
  }
  /// Loads rows after the last one, if the index is beyond it: a filter leaves out unknown rows.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState { await list.load(rowAt: index) }
  /// Repeats every load that failed.
  @discardableResult public func retry() async -> LoadState { await list.retry() }

  /// Notes that an item appears on screen; see `DerivedList.willDisplay(_:)`.
  public func willDisplay(_ item: Item) { list.willDisplay(item) }
  /// Pauses loads, in all lists from which this one is derived.
  public func pause() { list.pause() }
  /// Sends the loads that `pause()` held back.
  ///
  /// Loads that failed because the source was unreachable are retried.
  public func resume() { list.resume() }
}
