internal import FreshetLists

/// The rows of a list with another value for each item, and with its gaps.
struct MappedRows<Input: ListItem, Item: ListItem>: ListNode {
  private var input: any ListNode<Input>
  private let map: RowTransform<ListRow<Input>, ListRow<Item>>
  private var inputRows: RowTree<ListRow<Input>> = []
  private var rows: RowTree<ListRow<Item>> = []
  /// The input item of each value; filled when the first item is reported as on display.
  private var sources: [Item.ID: Input]?

  init(
    _ input: some ListNode<Input>, by map: RowTransform<ListRow<Input>, ListRow<Item>>
  ) {
    self.input = input
    self.map = map
  }

  var waitingRows: Int { input.waitingRows }

  func lists(holdingBack edge: ListEdge) -> [Int] { input.lists(holdingBack: edge) }

  mutating func willDisplay(_ item: Item) {
    if sources == nil {
      sources = [:]
      learn(Array(inputRows.indices))
    }
    if let source = sources?[item.id] { input.willDisplay(source) }
  }

  mutating func begin() -> RowStep<Item> { take(input.begin()) }

  mutating func advance() -> [RowStep<Item>] {
    let steps = input.advance()
    return steps.map { take($0) }
  }

  private mutating func take(_ step: RowStep<Input>) -> RowStep<Item> {
    let (edits, old) = (step.edits, rows)
    let made: RowEdits
    (made, rows) = map.apply(edits, step.rows)
    inputRows = step.rows
    if sources != nil {
      for index in edits.deleted + edits.updated.map(edits.placeBefore) {
        if let id = old[index].item?.id { sources?[id] = nil }
      }
      learn(edits.inserted + edits.updated)
    }
    return step.with(made, rows, pending: [])
  }

  private mutating func learn(_ indices: [Int]) {
    for index in indices {
      if let id = rows[index].item?.id { sources?[id] = inputRows[index].item }
    }
  }
}
