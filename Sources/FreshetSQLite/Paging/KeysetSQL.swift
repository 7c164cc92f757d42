#if SQLite
  internal import Freshet
  internal import GRDB

  // The parts of an order, as SQL.

  extension KeysetColumn {
    /// The column as an expression that compares by its collation.
    fileprivate var expression: SQL {
      guard let collation else { return "\(Column(name))" }
      return "\(Column(name)) COLLATE \(sql: collation.quotedDatabaseIdentifier)"
    }
  }

  extension [KeysetColumn] {
    /// Sorts a request.
    func sorting<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      if isEmpty { return request.unordered() }
      let terms = map { SQL("\($0.expression) \(sql: $0.direction)") }
      return request.order(literal: terms.joined(separator: ", "))
    }
  }

  extension KeysetCondition<StoredValue> {
    fileprivate var sql: SQL {
      switch self {
      case .isNull(let column): "\(Column(column.name)) IS NULL"
      case .isValue(let column): "\(Column(column.name)) IS NOT NULL"
      case .isEqual(let column, let value): "\(column.expression) = \(value.sql)"
      case .isAfter(let column, let value):
        "\(column.expression) \(sql: column.isDescending ? "<" : ">") \(value.sql)"
      }
    }
  }

  extension [KeysetRange<StoredValue>] {
    /// Whether a row is in one of the ranges, as an expression that is never `NULL`.
    var condition: SQL {
      if isEmpty { return "FALSE" }
      let ranges = map { range in
        range.conditions.isEmpty ? "TRUE" : range.conditions.map(\.sql).joined(separator: " AND ")
      }
      return "(((\(ranges.joined(separator: ") OR (")))) IS TRUE)"
    }
  }

  extension KeysetRange<StoredValue> {
    /// Restricts a request to the range.
    func filter<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      conditions.reduce(request) { $0.filter($1.sql) }
    }

    /// Restricts a request to the range, in its order.
    func select<Item>(_ request: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> {
      order.sorting(filter(request))
    }
  }
#endif
