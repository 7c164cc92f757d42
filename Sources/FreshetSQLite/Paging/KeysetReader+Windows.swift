#if SQLite
  internal import Foundation
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  // The rows between two positions.

  extension KeysetReader {
    /// A page of a window, and the rowids of its rows.
    typealias WindowPart = (page: Page<Item, KeysetKey>, rowIDs: Set<Int64>)

    /// Reads the rows of a window, in pages that follow each other.
    ///
    /// - Parameters:
    ///   - size: the number of rows of a page, if the window is divided.
    ///   - limit: the number of rows after which the answer ends: a multiple of `size`.
    func pages(
      in window: PageWindow<KeysetKey>, ofSize size: Int, limit: Int
    ) throws -> [Page<Item, KeysetKey>] {
      let columns = keyColumns + [try isPastEnd(of: window).sqlExpression.forKey(Self.pastEndName)]
      let request = request.annotated(with: columns)
      var pages = WindowPages<Item>(window, size: size)
      reading: for range in try ranges(for: window.downwardStart) {
        let rows = try Row.fetchCursor(db, range.select(request).limit(limit + 1))
        while let row = try rows.next() {
          let isPastEnd = row[Self.pastEndName] as Bool
          guard add(row, isPastEnd, limit, to: &pages, { try item(of: row) }) else { break reading }
        }
      }
      return pages.finished().map(\.page)
    }

    /// Reads the rows of a window of a request that is about single rows.
    ///
    /// - Parameters:
    ///   - query: the query of the window.
    ///   - size: the number of rows of a page, if the window is divided.
    ///   - limit: the number of rows after which the answer ends: a multiple of `size`.
    ///   - decoded: the rows that are decoded already.
    func pages(
      in window: PageWindow<KeysetKey>, _ query: WindowQuery, ofSize size: Int, limit: Int,
      _ decoded: inout DecodedRowCache<Item>
    ) throws -> [WindowPart] {
      var (pages, rowIDs) = (WindowPages<Item>(window, size: size), [Int64]())
      reading: for part in query.parts {
        let statement = try query.statement(of: part, db)
        // Both columns were added after all others.
        let (pastEnd, rowIDIndex) = (statement.columnCount - 2, statement.columnCount - 1)
        let rows = try Row.fetchCursor(statement, arguments: part.arguments)
        while let row = try rows.next() {
          let rowID = row[rowIDIndex] as Int64
          let isAdded = add(row, row[pastEnd], limit, to: &pages) {
            try decoded.item(rowID) { try item(of: row) }
          }
          guard isAdded else { break reading }
          rowIDs.append(rowID)
        }
      }
      return pages.finished().map { ($0.page, Set(rowIDs[$0.rows])) }
    }

    /// Adds the next row of a window.
    ///
    /// - Returns: whether the row is in the window and in its answer.
    private func add(
      _ row: Row, _ isPastEnd: Bool, _ limit: Int, to pages: inout WindowPages<Item>,
      _ item: () throws -> Item
    ) -> Bool {
      if isPastEnd { return false }
      if pages.count == limit {
        pages.cutOff()
        return false
      }
      pages.add(item) { order.keyset.key(values(of: row), isUpward: false) }
      return true
    }

    private func item(of row: Row) throws -> Item {
      do { return try Item(row: row) } catch { throw failure(of: row, error) }
    }

    /// Returns the query of a window of a request that is about single rows.
    ///
    /// - Parameter rowID: the name of the rowid.
    func query(
      of window: PageWindow<KeysetKey>, limit: Int, rowID: String
    ) throws -> WindowQuery {
      let columns =
        keyColumns + [
          try isPastEnd(of: window).sqlExpression.forKey(Self.pastEndName),
          Column(rowID).forKey(Self.rowIDName),
        ]
      let request = request.annotated(with: columns)
      let parts = try ranges(for: window.downwardStart).map { range in
        let statement = try range.select(request).limit(limit + 1)
          .makePreparedRequest(db, forSingleResult: false).statement
        return WindowQuery.Part(sql: statement.sql, arguments: statement.arguments)
      }
      // A text is a literal in the SQL.
      let values = [window.start, window.end].compactMap { $0 }.flatMap(\.values)
      let isShared = !values.contains { value in
        if case .text? = value.flatMap({ StoredValue($0) }) { true } else { false }
      }
      return WindowQuery(parts: parts, isShared: isShared)
    }

    /// Returns the positions between which a window is.
    func bounds(of window: PageWindow<KeysetKey>) throws -> WindowBounds {
      WindowBounds(
        rows: try ranges(for: window.downwardStart),
        rowsPastEnd: try window.end.map { try ranges(for: $0) })
    }

    /// Returns the values of a row in the columns of the order, as far as they are known.
    ///
    /// - Parameters:
    ///   - rowID: the rowid of the row.
    ///   - value: returns the value in one of the columns to sort by.
    func values(ofRow rowID: Int64, _ value: (Int) -> DatabaseValue) -> ColumnValues {
      var values: ColumnValues = [:]
      for (index, column) in order.keyset.columns.enumerated() {
        if index == order.rowIDIndex {
          values[column.name] = .some(.integer(rowID))
        } else if index < order.sortColumns {
          switch StoredValue(value(index), isText: false) {
          // Only its type matters.
          case .text?: values[column.name] = .text(Data())
          case .blob(let bytes)? where bytes.count > 100: break
          case let value: values[column.name] = .some(value)
          }
        }
      }
      return values
    }

    /// Returns whether a window has rows that meet a condition.
    func hasRows(where condition: SQL, in window: PageWindow<KeysetKey>) throws -> Bool {
      let isIn = try ranges(for: window.downwardStart).condition
      return try !request.filter(literal: condition).filter(literal: isIn)
        .filter(literal: "NOT \(isPastEnd(of: window))").unordered().isEmpty(db)
    }

    /// Whether a row is after a window, as an expression.
    private func isPastEnd(of window: PageWindow<KeysetKey>) throws -> SQL {
      try window.end.map { try ranges(for: $0).condition } ?? "FALSE"
    }

    private static var pastEndName: String { "freshet_isPastEnd" }
    private static var rowIDName: String { "freshet_rowid" }
  }
#endif
