internal import FreshetLists

/// The rows of a list for which a condition is true that may be replaced, and its gaps.
struct FilteredRows<Item: ListItem>: LiveRows {
  private var input: any LiveRows<Item>
  private var filter: FilterTransform<FeedRow<Item>>
  private let condition: FilterCondition<Item>
  private var version: Int
  private var last = ListStep<Item>()

  init(_ input: some LiveRows<Item>, by condition: FilterCondition<Item>) {
    self.input = input
    self.condition = condition
    let (isIncluded, version) = condition.current
    filter = FilterTransform(isIncluded)
    self.version = version
  }

  var waitingRows: Int { input.waitingRows }

  mutating func willDisplay(_ item: Item) { input.willDisplay(item) }

  mutating func begin() -> ListStep<Item> { take(input.begin()) }

  mutating func advance() -> [ListStep<Item>] {
    let steps = input.advance()
    var results = steps.map { take($0) }
    let (isIncluded, version) = condition.current
    if version != self.version {
      self.version = version
      let edits = filter.filter(last.rows, by: isIncluded)
      var result = last.with(edits, filter.rows)
      result.origin = .edit
      results.append(result)
    }
    return results
  }

  private mutating func take(_ step: ListStep<Item>) -> ListStep<Item> {
    last = step
    return step.with(filter.apply(step.edits, to: step.rows), filter.rows)
  }
}

/// Which items a filter lets through, and how often that was said anew.
final class FilterCondition<Item: ListItem>: Sendable {
  private let state: Locked<(isIncluded: @Sendable (Item) -> Bool, version: Int)>

  init(_ isIncluded: @escaping @Sendable (Item) -> Bool) { state = Locked((isIncluded, 0)) }

  /// What rows are let through now: gaps are.
  var current: (isIncluded: @Sendable (FeedRow<Item>) -> Bool, version: Int) {
    let (isIncluded, version) = state.withLock { $0 }
    return ({ $0.item.map(isIncluded) ?? true }, version)
  }

  func replace(with isIncluded: @escaping @Sendable (Item) -> Bool) {
    state.withLock { $0 = (isIncluded, $0.version + 1) }
  }
}
