/// A range of consecutive rows of an order, which a database finds by one search of an index.
///
/// The rows after a position are several such ranges, one after another: first those that have
/// the same values in all columns but the last, then those that have the same values in fewer
/// columns. One condition for all of them, as in `a > 1 OR (a = 1 AND b > 2)`, would make a
/// database look at every row with the same first value.
package struct KeysetRange<Value> {
  /// The conditions that select the range, all of which hold.
  package let conditions: [KeysetCondition<Value>]
  /// The columns that the rows of the range are sorted by.
  package let order: [KeysetColumn]
}

/// A condition for a row, about one column.
package enum KeysetCondition<Value> {
  /// The row has no value in the column.
  case isNull(KeysetColumn)
  /// The row has a value in the column.
  case isValue(KeysetColumn)
  /// The row has this value in the column.
  case isEqual(KeysetColumn, Value)
  /// The row has a value in the column that is after this one, in the direction of the column.
  case isAfter(KeysetColumn, Value)
}

extension KeysetRange: Sendable where Value: Sendable {}
extension KeysetCondition: Sendable where Value: Sendable {}

extension [KeysetColumn] {
  /// Returns the ranges of all rows.
  func ranges<Value>() -> [KeysetRange<Value>] {
    guard let first, first.mayBeNull, !first.isNaturallyOrdered else {
      return [KeysetRange(conditions: [], order: self)]
    }
    let conditions: [KeysetCondition<Value>] =
      first.nulls == .first
      ? [.isNull(first), .isValue(first)] : [.isValue(first), .isNull(first)]
    return conditions.map { range([$0], sortedFrom: 0) }
  }

  /// Returns the ranges of the rows after a position.
  func ranges<Value>(after values: [Value?]) -> [KeysetRange<Value>] {
    zip(indices, values).reversed().flatMap { index, value in
      let above = conditions(at: values.prefix(index))
      return self[index].conditions(after: value).map { range(above + [$0], sortedFrom: index) }
    }
  }

  /// Returns the ranges of the rows at a position, or after it.
  ///
  /// There may be fewer values than columns.
  func ranges<Value>(from values: [Value?]) -> [KeysetRange<Value>] {
    let equal = KeysetRange(
      conditions: conditions(at: values[...]), order: Array(dropFirst(values.count)))
    return [equal] + ranges(after: values)
  }

  private func conditions<Value>(at values: ArraySlice<Value?>) -> [KeysetCondition<Value>] {
    zip(self, values).map { column, value in
      value.map { .isEqual(column, $0) } ?? .isNull(column)
    }
  }

  /// The column at `index` has either only NULLs in the range, or none.
  private func range<Value>(
    _ conditions: [KeysetCondition<Value>], sortedFrom index: Int
  ) -> KeysetRange<Value> {
    var order = Array(self[index...])
    order[0].mayBeNull = false
    return KeysetRange(conditions: conditions, order: order)
  }
}

extension KeysetColumn {
  /// Returns the conditions for the rows after a value, in their order.
  fileprivate func conditions<Value>(after value: Value?) -> [KeysetCondition<Value>] {
    guard let value else { return nulls == .first ? [.isValue(self)] : [] }
    return mayBeNull && nulls == .last
      ? [.isAfter(self, value), .isNull(self)] : [.isAfter(self, value)]
  }
}
