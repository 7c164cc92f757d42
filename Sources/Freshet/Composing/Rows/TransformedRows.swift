internal import FreshetLists

/// The rows that a transform makes of the rows of a list.
struct TransformedRows<Input: ListItem, Item: ListItem>: ListNode {
  private var input: any ListNode<Input>
  private let transform: RowTransform<ListRow<Input>, ListRow<Item>>
  private let source: @Sendable (Item) -> Input?
  private let status: @Sendable (inout ListStatus, _ input: RowTree<ListRow<Input>>) -> Void
  private let pending: @Sendable (ItemIDs<Input.ID>) -> ItemIDs<Item.ID>

  /// Creates a node that transforms rows.
  ///
  /// - Parameters:
  ///   - input: the node that supplies the rows.
  ///   - transform: the transform of the rows.
  ///   - source: returns the input item that an output item shows, if it shows one.
  ///   - pending: returns the output ids of the items that have pending edits.
  ///   - status: adjusts the status of the list for the transform.
  init(
    _ input: some ListNode<Input>, by transform: RowTransform<ListRow<Input>, ListRow<Item>>,
    source: @escaping @Sendable (Item) -> Input?,
    pending: @escaping @Sendable (ItemIDs<Input.ID>) -> ItemIDs<Item.ID>,
    status: @escaping @Sendable (inout ListStatus, RowTree<ListRow<Input>>) -> Void = { _, _ in
    }
  ) {
    self.input = input
    self.transform = transform
    self.source = source
    self.pending = pending
    self.status = status
  }

  var waitingRows: Int { input.waitingRows }

  func lists(holdingBack edge: ListEdge) -> [Int] { input.lists(holdingBack: edge) }

  mutating func willDisplay(_ item: Item) {
    if let source = source(item) { input.willDisplay(source) }
  }

  mutating func begin() -> RowStep<Item> { take(input.begin()) }

  mutating func advance() -> [RowStep<Item>] {
    let steps = input.advance()
    return steps.map { take($0) }
  }

  private mutating func take(_ step: RowStep<Input>) -> RowStep<Item> {
    let (edits, rows) = transform.apply(step.edits, step.rows)
    var result = step.with(edits, rows, pending: pending(step.pending))
    status(&result.status, step.rows)
    return result
  }
}
