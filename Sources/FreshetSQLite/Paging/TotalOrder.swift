#if SQLite
  internal import Foundation
  internal import Freshet
  internal import GRDB

  /// The order of a table's rows, as the table is now, in which no two rows have the same position.
  ///
  /// The columns to sort by are followed by the primary key, in the direction of the first of them.
  /// An index on the columns, which ends with the primary key, then has the rows in this order.
  struct TotalOrder {
    let columns: [KeysetColumn]
    /// The columns of the declared primary key.
    let primaryKey: [String]
    /// A hash of the order, which is the same in every process.
    let hash: UInt64
    /// The index of the column that is the rowid, if one is.
    let rowIDIndex: Int?

    /// Completes an order for a table.
    ///
    /// - Throws: `SQLiteStoreError` if the table or a column is missing, or if rows have no key.
    init(_ sortColumns: [SortColumn], of table: String, _ db: Database) throws {
      let key = try TableKey(of: table, db)
      for column in sortColumns where !key.has(column.name) {
        throw SQLiteStoreError.noColumn(column.name, table: table)
      }
      let isSortedByRowID = sortColumns.contains { key.isRowID($0.name) }
      let ties = key.columns.filter { !isSortedByRowID || !key.isRowID($0.name) }
      let isDescending = sortColumns.first?.isDescending ?? false
      let all =
        sortColumns
        + ties.map { name, collation in
          SortColumn(
            name: name, isDescending: isDescending, nulls: isDescending ? .last : .first,
            collation: collation.map { Database.CollationName(rawValue: $0) })
        }
      columns = all.map { KeysetColumn(sort: $0, mayBeNull: key.mayBeNull($0.name)) }
      primaryKey = key.primaryKey
      rowIDIndex = all.firstIndex { key.isRowID($0.name) }
      let text = all.map {
        "\($0.name)\0\($0.collation?.rawValue ?? "")\0\($0.isDescending)\0\($0.nulls)"
      }
      hash = XXHash64.hash(Data(text.joined(separator: "\0").utf8))
    }

    /// The ranges of a page's rows, beginning at the position of its key.
    ///
    /// - Throws: `FeedError.staleKey` if the key belongs to another order.
    func ranges(for key: SQLitePageKey?) throws -> [KeysetRange] {
      guard let key else { return columns.ranges }
      guard key.order == hash, key.values.count == columns.count else {
        throw FeedError.staleKey("\(key.values.count) values of another order")
      }
      let columns = key.isUpward ? columns.map(\.reversed) : columns
      return key.isInclusive
        ? columns.ranges(from: key.values) : columns.ranges(after: key.values)
    }
  }
#endif
