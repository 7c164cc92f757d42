/// A column of a total order.
package struct KeysetColumn: Hashable, Sendable {
  /// The name of the column.
  package let name: String
  /// The collation that compares texts; `nil` for that of the column.
  package let collation: String?
  /// Whether larger values are first.
  package let isDescending: Bool
  /// The position of the rows without a value.
  package let nulls: SortColumn.Nulls
  /// Whether that is the position that they have in an index.
  package let isNaturallyOrdered: Bool
  /// Whether rows may have no value in the column.
  ///
  /// A database would look for such rows in the whole table, even in a column that forbids them.
  package var mayBeNull: Bool

  /// Creates a column, for a database in which `NULL` is the smallest or the largest value.
  init(_ sort: SortColumn, nullsAreSmallest: Bool, mayBeNull: Bool) {
    let natural: SortColumn.Nulls = sort.isDescending == nullsAreSmallest ? .last : .first
    (name, collation, isDescending) = (sort.name, sort.collation, sort.isDescending)
    nulls = sort.nulls ?? natural
    isNaturallyOrdered = nulls == natural
    self.mayBeNull = mayBeNull
  }

  private init(opposite column: KeysetColumn) {
    (name, collation, isDescending) = (column.name, column.collation, !column.isDescending)
    nulls = column.nulls == .first ? .last : .first
    (isNaturallyOrdered, mayBeNull) = (column.isNaturallyOrdered, column.mayBeNull)
  }

  /// The column in the opposite order.
  package var reversed: KeysetColumn { KeysetColumn(opposite: self) }

  /// The direction as SQL writes it, with the position of the rows without a value if it matters.
  package var direction: String {
    let direction = isDescending ? "DESC" : "ASC"
    if !mayBeNull || isNaturallyOrdered { return direction }
    return direction + (nulls == .first ? " NULLS FIRST" : " NULLS LAST")
  }
}
