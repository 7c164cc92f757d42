/// One value computed from all rows of a list, such as a count or a sum.
@usableFromInline
package struct ReducedRows<Item: ListItem, Value: Sendable>: Sendable {
  /// The value for the rows of the last `apply(_:to:)`.
  @usableFromInline package private(set) var value: Value
  private var known = RowTree<Item>()
  private let add: @Sendable (inout Value, Item) -> Void
  private let subtract: @Sendable (inout Value, Item) -> Void

  /// Creates the value for no rows.
  ///
  /// - Parameters:
  ///   - value: the value for no rows.
  ///   - add: adds a row to the value.
  ///   - subtract: undoes `add` for a row, whatever rows were added since.
  @usableFromInline
  package init(
    into value: Value, _ add: @escaping @Sendable (inout Value, Item) -> Void,
    inverse subtract: @escaping @Sendable (inout Value, Item) -> Void
  ) {
    self.value = value
    self.add = add
    self.subtract = subtract
  }

  /// Applies the edits of the rows to the value.
  ///
  /// - Complexity: O(*k* log *n*) and O(*k*) calls of the closures for *k* edits.
  @usableFromInline
  package mutating func apply(_ edits: RowEdits, to rows: RowTree<Item>) {
    for index in edits.deleted { subtract(&value, known[index]) }
    for index in edits.updated { subtract(&value, known[edits.placeBefore(index)]) }
    for index in edits.inserted + edits.updated { add(&value, rows[index]) }
    known = rows
  }
}
