#if SQLite
  internal import GRDB

  /// A range of consecutive rows of an order, which SQLite finds by one search of an index.
  ///
  /// The rows after a position are several such ranges, one after another: first those that have
  /// the same values in all columns but the last, then those that have the same values in fewer
  /// columns. One condition for all of them, as in `a > 1 OR (a = 1 AND b > 2)`, would make SQLite
  /// look at every row with the same first value.
  struct KeysetRange {
    /// The conditions that select the range, all of which hold.
    let conditions: [SQL]
    /// The columns that the rows of the range are sorted by.
    let order: [KeysetColumn]

    /// Restricts a request to the range.
    func filter<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      conditions.reduce(request) { $0.filter($1) }
    }

    /// Restricts a request to the range, in its order.
    func select<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      order.sorting(filter(request))
    }
  }

  extension [KeysetColumn] {
    /// The ranges of all rows.
    var ranges: [KeysetRange] {
      guard let first, first.mayBeNull, !first.isNaturallyOrdered else {
        return [KeysetRange(conditions: [], order: self)]
      }
      return first.conditions.map { range([$0], sortedFrom: 0) }
    }

    /// The ranges of the rows after a position.
    func ranges(after values: [StoredValue]) -> [KeysetRange] {
      zip(indices, values).reversed().flatMap { index, value in
        let above = conditions(at: values.prefix(index))
        return self[index].conditions(after: value).map { range(above + [$0], sortedFrom: index) }
      }
    }

    /// The ranges of the rows at a position, or after it.
    ///
    /// There may be fewer values than columns.
    func ranges(from values: [StoredValue]) -> [KeysetRange] {
      let equal = KeysetRange(
        conditions: conditions(at: values[...]), order: Array(dropFirst(values.count)))
      return [equal] + ranges(after: values)
    }

    /// Sorts a request.
    func sorting<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      isEmpty ? request.unordered() : request.order(literal: map(\.term).joined(separator: ", "))
    }

    private func conditions(at values: ArraySlice<StoredValue>) -> [SQL] {
      zip(self, values).map { $0.condition(at: $1) }
    }

    /// The column at `index` has either only NULLs in the range, or none.
    private func range(_ conditions: [SQL], sortedFrom index: Int) -> KeysetRange {
      var order = Array(self[index...])
      order[0].mayBeNull = false
      return KeysetRange(conditions: conditions, order: order)
    }
  }
#endif
