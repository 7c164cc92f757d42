public import FreshetLists

// Only the user's module, which calls an operator, knows the types of the rows. There the compiler
// can specialize the code, which then runs several times as fast as generic code. So the public
// functions are inlined into that module and create these values there. The engine only calls their
// closures.

/// A closure that turns edits of one list into edits of another.
@usableFromInline
struct RowTransform<Input: ListItem, Output: ListItem>: Sendable {
  /// Takes edits and the rows after them, and returns the edits and rows of the output.
  let apply: @Sendable (RowEdits, RowTree<Input>) -> (RowEdits, RowTree<Output>)

  /// Wraps a transform that has not processed any rows yet.
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

/// A filter that leaves out the items that do not meet a condition, which can be replaced.
@usableFromInline
struct RowFilter<Item: ListItem>: Sendable {
  @usableFromInline typealias Rows = RowTree<ListRow<Item>>

  /// Takes edits and the rows after them, and returns those of the output.
  let apply: @Sendable (RowEdits, Rows) -> (RowEdits, Rows)
  /// Replaces the condition, and returns the resulting edits for all current rows.
  let replace: @Sendable (Rows, @escaping @Sendable (Item) -> Bool) -> (RowEdits, Rows)

  /// Creates a filter that has not processed any rows yet.
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

  /// Returns whether a row is kept; gaps always are.
  @inlinable
  static func includes(_ row: ListRow<Item>, _ isIncluded: (Item) -> Bool) -> Bool {
    switch row {
    case .item(let item): isIncluded(item)
    case .gap: true
    }
  }
}

/// A merge of several lists into one.
@usableFromInline
struct RowMerge<Row: ListItem>: Sendable {
  /// Applies the edits of one part to the merged list.
  ///
  /// The arguments are the edits, the rows after them, the number of the part, and whether its end
  /// and its head are known.
  let apply: @Sendable (RowEdits, RowTree<Row>, Int, Bool, Bool) -> (RowEdits, RowTree<Row>)
  /// Returns the part that supplies the row with an id.
  let part: @Sendable (Row.ID) -> Int?
  /// Returns the parts whose heads hold back the others.
  let openHeads: @Sendable () -> [Int]
  /// Returns the parts whose ends hold back the others.
  let openTails: @Sendable () -> [Int]

  /// Wraps a merge that has not processed any rows yet.
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

/// A closure that lays out rows in sections.
@usableFromInline
struct RowSections<Row: ListItem>: Sendable {
  /// Takes edits and the rows after them, and returns the changes and the sections.
  let apply: @Sendable (RowEdits, RowTree<Row>) -> (ListChanges, ListSnapshot<Row>)

  /// Wraps sections that have not processed any rows yet.
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

/// The state that a transform keeps between two steps.
///
/// The engine of an observed list applies one step at a time.
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
