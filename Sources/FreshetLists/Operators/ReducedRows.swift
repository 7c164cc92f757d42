/// One value made of all rows of a list: a count, a sum.
@usableFromInline
package struct ReducedRows<Item: ListItem, Value: Sendable>: Sendable {
  /// The value for the rows it was last told of.
  @usableFromInline package private(set) var value: Value
  private var known = RowTree<Item>()
  private let add: @Sendable (inout Value, Item) -> Void
  private let subtract: @Sendable (inout Value, Item) -> Void

  /// Creates the value of no rows.
  ///
  /// - Parameters:
  ///   - value: what it is without a row.
  ///   - add: takes a row in.
  ///   - subtract: undoes `add`, whatever was taken in since.
  @usableFromInline
  package init(
    into value: Value, _ add: @escaping @Sendable (inout Value, Item) -> Void,
    inverse subtract: @escaping @Sendable (inout Value, Item) -> Void
  ) {
    self.value = value
    self.add = add
    self.subtract = subtract
  }

  /// Takes in what became of the rows.
  ///
  /// - Complexity: O(*k* log *n*) for *k* edits, and as many calls.
  @usableFromInline
  package mutating func apply(_ edits: RowEdits, to rows: RowTree<Item>) {
    for index in edits.deleted { subtract(&value, known[index]) }
    for index in edits.updated { subtract(&value, known[edits.placeBefore(index)]) }
    for index in edits.inserted + edits.updated { add(&value, rows[index]) }
    known = rows
  }
}
