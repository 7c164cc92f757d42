internal import FreshetLists

/// Each item of a list as another value, and its gaps.
struct MappedRows<Input: ListItem, Item: ListItem>: LiveRows {
  private var input: any LiveRows<Input>
  private var map: MapTransform<FeedRow<Input>, FeedRow<Item>>
  private var inputRows: RowTree<FeedRow<Input>> = []
  /// The item that each value was made of: known once somebody says what is on display.
  private var sources: [Item.ID: Input]?

  init(_ input: some LiveRows<Input>, by transform: @escaping @Sendable (Input) -> Item) {
    self.input = input
    map = MapTransform { row in
      switch row {
      case .item(let item): .item(transform(item))
      case .gap(let gap): .gap(gap)
      }
    }
  }

  var waitingRows: Int { input.waitingRows }

  mutating func willDisplay(_ item: Item) {
    if sources == nil {
      sources = [:]
      learn(Array(inputRows.indices))
    }
    if let source = sources?[item.id] { input.willDisplay(source) }
  }

  mutating func begin() -> ListStep<Item> { take(input.begin()) }

  mutating func advance() -> [ListStep<Item>] {
    let steps = input.advance()
    return steps.map { take($0) }
  }

  private mutating func take(_ step: ListStep<Input>) -> ListStep<Item> {
    let (edits, old) = (step.edits, map.rows)
    let made = map.apply(edits, to: step.rows)
    inputRows = step.rows
    if sources != nil {
      for index in edits.deleted + edits.updated.map(edits.placeBefore) {
        if let id = old[index].item?.id { sources?[id] = nil }
      }
      learn(edits.inserted + edits.updated)
    }
    return step.with(made, map.rows, pending: [])
  }

  private mutating func learn(_ indices: [Int]) {
    for index in indices {
      if let id = map.rows[index].item?.id { sources?[id] = inputRows[index].item }
    }
  }
}
