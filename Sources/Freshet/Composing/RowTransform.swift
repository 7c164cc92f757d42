public import FreshetLists

// What is made of a list knows the types of its rows where it is written: in the user's module.
// There the compiler writes code for them, several times as fast as code for rows of any type. So
// the public functions make these values, inlined there, and the engine behind them only calls
// closures.

/// What turns edits of one list into edits of another.
@usableFromInline
struct RowTransform<Input: ListItem, Output: ListItem>: Sendable {
  /// Takes in edits and the rows after them, and gives those of the output.
  let apply: @Sendable (RowEdits, RowTree<Input>) -> (RowEdits, RowTree<Output>)

  /// Wraps a transform that has seen nothing yet.
  @inlinable
  init(_ transform: some ListTransform<Input, Output>) {
    let state = RowState(transform)
    self.init { edits, input in state.step { ($0.apply(edits, to: input), $0.rows) } }
  }

  @usableFromInline
  init(_ apply: @escaping @Sendable (RowEdits, RowTree<Input>) -> (RowEdits, RowTree<Output>)) {
    self.apply = apply
  }
}

/// What leaves out the items for which a condition is false that may be replaced.
@usableFromInline
struct RowFilter<Item: ListItem>: Sendable {
  @usableFromInline typealias Rows = RowTree<ListRow<Item>>

  /// Takes in edits and the rows after them.
  let apply: @Sendable (RowEdits, Rows) -> (RowEdits, Rows)
  /// Takes in another condition, for all rows as they are.
  let replace: @Sendable (Rows, @escaping @Sendable (Item) -> Bool) -> (RowEdits, Rows)

  /// Creates a filter that has seen nothing yet.
  @inlinable
  init(_ isIncluded: @escaping @Sendable (Item) -> Bool) {
    let state = RowState(FilterTransform { Self.includes($0, isIncluded) })
    self.init { edits, rows in
      state.step { ($0.apply(edits, to: rows), $0.rows) }
    } replace: { rows, isIncluded in
      state.step { state in
        (state.filter(rows) { Self.includes($0, isIncluded) }, state.rows)
      }
    }
  }

  @usableFromInline
  init(
    _ apply: @escaping @Sendable (RowEdits, Rows) -> (RowEdits, Rows),
    replace: @escaping @Sendable (Rows, @escaping @Sendable (Item) -> Bool) -> (RowEdits, Rows)
  ) {
    self.apply = apply
    self.replace = replace
  }

  /// Gaps stay.
  @inlinable
  static func includes(_ row: ListRow<Item>, _ isIncluded: (Item) -> Bool) -> Bool {
    switch row {
    case .item(let item): isIncluded(item)
    case .gap: true
    }
  }
}

/// What makes one list of several.
@usableFromInline
struct RowMerge<Row: ListItem>: Sendable {
  /// Takes in what became of one part: edits, the rows after them, which part it is, whether its
  /// end and its head are known.
  let apply: @Sendable (RowEdits, RowTree<Row>, Int, Bool, Bool) -> (RowEdits, RowTree<Row>)
  /// The part whose row with an id shows.
  let part: @Sendable (Row.ID) -> Int?
  /// The parts whose heads hold back the others.
  let openHeads: @Sendable () -> [Int]
  /// The parts whose ends hold back the others.
  let openTails: @Sendable () -> [Int]

  /// Wraps a merge that has seen nothing yet.
  @inlinable
  init<Key>(_ merged: MergedRows<Row, Key>) {
    let state = RowState(merged)
    self.init { edits, rows, part, isComplete, isHeadKnown in
      state.step { state in
        let edits = state.apply(
          edits, to: rows, part: part, isComplete: isComplete, isHeadKnown: isHeadKnown)
        return (edits, state.rows)
      }
    } part: { id in
      state.step { $0.part(of: id) }
    } openHeads: {
      state.step { $0.openHeads }
    } openTails: {
      state.step { $0.openTails }
    }
  }

  @usableFromInline
  init(
    _ apply:
      @escaping @Sendable (RowEdits, RowTree<Row>, Int, Bool, Bool) -> (
        RowEdits, RowTree<Row>
      ),
    part: @escaping @Sendable (Row.ID) -> Int?, openHeads: @escaping @Sendable () -> [Int],
    openTails: @escaping @Sendable () -> [Int]
  ) {
    self.apply = apply
    self.part = part
    self.openHeads = openHeads
    self.openTails = openTails
  }
}

/// What lays rows out in sections.
@usableFromInline
struct RowSections<Row: ListItem>: Sendable {
  /// Takes in edits and the rows after them.
  let apply: @Sendable (RowEdits, RowTree<Row>) -> (ListChanges, ListSnapshot<Row>)

  /// Wraps sections that have seen nothing yet.
  @inlinable
  init(_ sections: SectionedRows<Row>) {
    let state = RowState(sections)
    self.init { edits, rows in state.step { ($0.apply(edits, to: rows), $0.snapshot) } }
  }

  @usableFromInline
  init(_ apply: @escaping @Sendable (RowEdits, RowTree<Row>) -> (ListChanges, ListSnapshot<Row>)) {
    self.apply = apply
  }
}

/// What a transform holds between two steps: one list while somebody looks takes in one step at a
/// time.
@usableFromInline
final class RowState<Value: Sendable>: Sendable {
  private let value: Locked<Value>

  @usableFromInline
  init(_ value: Value) { self.value = Locked(value) }

  @usableFromInline
  func step<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
