#if SQLite
  internal import GRDB

  /// A column of a total order.
  struct KeysetColumn {
    let sort: SortColumn
    /// Whether rows may have no value in the column.
    ///
    /// SQLite would look for such rows in the whole table, even in a column that forbids them.
    var mayBeNull: Bool

    /// The column in the opposite order.
    var reversed: KeysetColumn { KeysetColumn(sort: sort.reversed, mayBeNull: mayBeNull) }

    // MARK: - NULL

    /// Whether the NULLs are at the position that they have in an index, as the smallest values.
    var isNaturallyOrdered: Bool { sort.nulls == (sort.isDescending ? .last : .first) }

    private var isNull: SQL { "\(Column(sort.name)) IS NULL" }
    private var isValue: SQL { "\(Column(sort.name)) IS NOT NULL" }

    // MARK: - SQL

    /// The column as an expression that compares by its collation.
    private var expression: SQL {
      guard let collation = sort.collation else { return "\(Column(sort.name))" }
      return "\(Column(sort.name)) COLLATE \(sql: collation.rawValue.quotedDatabaseIdentifier)"
    }

    /// The column as a term of an ORDER BY clause.
    var term: SQL {
      let term = SQL("\(expression) \(sql: sort.isDescending ? "DESC" : "ASC")")
      if !mayBeNull || isNaturallyOrdered { return term }
      return term + (sort.nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }

    /// The conditions for the NULLs and for all values, in their order.
    var conditions: [SQL] { sort.nulls == .first ? [isNull, isValue] : [isValue, isNull] }

    /// The condition for the rows that have a value.
    func condition(at value: StoredValue) -> SQL {
      value == .null ? isNull : "\(expression) = \(value.sql)"
    }

    /// The conditions for the rows after a value, in their order.
    func conditions(after value: StoredValue) -> [SQL] {
      if value == .null { return sort.nulls == .first ? [isValue] : [] }
      let after = SQL("\(expression) \(sql: sort.isDescending ? "<" : ">") \(value.sql)")
      return mayBeNull && sort.nulls == .last ? [after, isNull] : [after]
    }
  }
#endif
