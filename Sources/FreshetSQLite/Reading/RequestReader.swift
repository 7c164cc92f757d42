#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// A reader of a request's rows, for the tables as they were when the reader was created.
  struct RequestReader<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    /// The tables and columns that the request reads.
    let region: DatabaseRegion
    /// The lookup of single rows; `nil` if a row may depend on others.
    let rows: RowLookup<Item>?
    private let request: SQLiteStore<Item>.Request

    /// Prepares a request.
    ///
    /// - Throws: `SQLiteStoreError.noTable`, or SQLite's error for a request that it does not
    ///   accept.
    init(_ request: SQLiteStore<Item>.Request, _ db: Database) throws {
      self.request = request
      let table = Item.databaseTableName
      let selected = request.make(Item.all())
      do {
        let prepared = try selected.makePreparedRequest(db, forSingleResult: false)
        let fetchesMore = Self.fetchesMore(prepared)
        // A request that is not proven, for whatever reason, is fetched as a whole.
        if !fetchesMore, prepared.adapter == nil,
          let selected = selected as? QueryInterfaceRequest<Item>
        {
          rows = try? RowLookup(selected, db)
        } else {
          rows = nil
        }
        region =
          rows?.region ?? (fetchesMore ? .fullDatabase : prepared.statement.databaseRegion)
      } catch {
        guard try db.tableExists(table) || db.viewExists(table) else {
          throw SQLiteStoreError.noTable(table)
        }
        throw error
      }
    }

    /// Returns whether the request reads a table.
    func reads(_ table: String) -> Bool {
      region.isModified(byEventsOfKind: .delete(tableName: table))
    }

    /// Reads all rows with their rowids, or with their positions if rows cannot be looked up.
    func fetchAll(_ db: Database, _ take: (Int64, Row) -> Void) throws {
      guard let rows else {
        let all = try Row.fetchAll(db, request.make(Item.all()))
        for (place, row) in all.enumerated() { take(Int64(place), row) }
        return
      }
      try rows.fetchAll(db) { key, row, _ in take(key, row) }
    }

    /// Returns whether a request fetches from other tables after its own rows.
    ///
    /// `including(all:)` does. GRDB does not report the tables, and shows only here that it does
    /// so. If it shows nothing, the request may do so.
    private static func fetchesMore(_ prepared: PreparedRequest) -> Bool {
      let parts = Mirror(reflecting: prepared).children
      guard let part = parts.first(where: { $0.label == "supplementaryFetch" }) else { return true }
      return !Mirror(reflecting: part.value).children.isEmpty
    }
  }
#endif
