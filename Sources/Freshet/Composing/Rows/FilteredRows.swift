internal import FreshetLists

/// The rows of a list that meet a condition, which can be replaced, and its gaps.
struct FilteredRows<Item: ListItem>: ListNode {
  private var input: any ListNode<Item>
  private let filter: RowFilter<Item>
  private let condition: FilterCondition<Item>
  /// The subscription to replacements of the condition, as long as the rows exist.
  private let subscription: ConditionSubscription<Item>?
  private var version: Int
  private var last = RowStep<Item>()

  /// Creates a node that filters rows.
  ///
  /// - Parameters:
  ///   - condition: the condition for items to keep.
  ///   - filter: creates the filter for a condition.
  ///   - wake: is called when the condition is replaced; `nil` for rows that are read only once.
  init(
    _ input: some ListNode<Item>, by condition: FilterCondition<Item>,
    _ filter: (@escaping @Sendable (Item) -> Bool) -> RowFilter<Item>,
    wake: (@Sendable () -> Void)?
  ) {
    self.input = input
    self.condition = condition
    // Subscribed before the condition is read, so that no replacement is missed.
    subscription = wake.map { ConditionSubscription(to: condition, wake: $0) }
    let (isIncluded, version) = condition.current
    self.filter = filter(isIncluded)
    self.version = version
  }

  var waitingRows: Int {
    input.waitingRows + (condition.version == version ? 0 : last.rows.count)
  }

  func lists(holdingBack edge: ListEdge) -> [Int] { input.lists(holdingBack: edge) }

  mutating func willDisplay(_ item: Item) { input.willDisplay(item) }

  mutating func begin() -> RowStep<Item> { take(input.begin()) }

  mutating func advance() -> [RowStep<Item>] {
    let steps = input.advance()
    var results = steps.map { take($0) }
    if condition.version != version {
      let (isIncluded, version) = condition.current
      self.version = version
      let (edits, rows) = filter.replace(last.rows, isIncluded)
      var result = last.with(edits, rows)
      result.origin = .edit
      results.append(result)
    }
    return results
  }

  private mutating func take(_ step: RowStep<Item>) -> RowStep<Item> {
    last = step
    last.status.forgetSizes()
    let (edits, rows) = filter.apply(step.edits, step.rows)
    return last.with(edits, rows)
  }
}
