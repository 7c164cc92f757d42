#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// Reads the rows of a request, from the tables as they were when it was made.
  struct RequestReader<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    /// The tables and columns that the request reads.
    let region: DatabaseRegion
    /// Looks rows up; `nil` where each may depend on others.
    let rows: SingleRows<Item>?
    private let request: SQLiteStore<Item>.Request

    /// - Throws: `SQLiteStoreError.noTable`, or what SQLite says of a request that it does not
    ///   take.
    init(_ request: SQLiteStore<Item>.Request, _ db: Database) throws {
      self.request = request
      let table = Item.databaseTableName
      let selected = request.make(Item.all())
      do {
        let prepared = try selected.makePreparedRequest(db, forSingleResult: false)
        let fetchesMore = Self.fetchesMore(prepared)
        // What is not proven, for whatever reason, is fetched as a whole.
        if !fetchesMore, prepared.adapter == nil,
          let selected = selected as? QueryInterfaceRequest<Item>
        {
          rows = try? SingleRows(selected, db)
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

    /// Whether the request reads a table.
    func reads(_ table: String) -> Bool {
      region.isModified(byEventsOfKind: .delete(tableName: table))
    }

    /// Reads all rows, by rowid; where rows are not looked up, by their position.
    func fetchAll(_ db: Database, _ take: (Int64, Row) -> Void) throws {
      guard let rows else {
        let all = try Row.fetchAll(db, request.make(Item.all()))
        for (place, row) in all.enumerated() { take(Int64(place), row) }
        return
      }
      try rows.fetchAll(db) { key, row, _ in take(key, row) }
    }

    /// Whether a request fetches from other tables once it has its rows, as `including(all:)` does.
    ///
    /// GRDB does not say which, and that it does only here; where it says nothing, it may.
    private static func fetchesMore(_ prepared: PreparedRequest) -> Bool {
      let parts = Mirror(reflecting: prepared).children
      guard let part = parts.first(where: { $0.label == "supplementaryFetch" }) else { return true }
      return !Mirror(reflecting: part.value).children.isEmpty
    }
  }
#endif
