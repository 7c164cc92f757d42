#if SQLite
  internal import FreshetLists
  public import GRDB

  extension SQLiteStore {
    /// What a query asks for.
    public struct Request: Sendable {
      let make: @Sendable (QueryInterfaceRequest<Item>) -> any FetchRequest<Item>

      /// Asks for every row of the table.
      public static var all: Request { Request { $0 } }

      /// Any request for items that GRDB can fetch.
      ///
      /// ```swift
      /// results.performFetch(.all)
      /// results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
      /// results.performFetch(.init { $0.order(Column("time").desc).limit(10) })
      /// results.performFetch(.init { _ in SQLRequest(sql: "SELECT * FROM quake WHERE magnitude >= 5") })
      /// ```
      ///
      /// Where SQLite's query plan shows that each row is found by looking at that row alone, as
      /// for a filter on its columns, a query is told of changes in time proportional to the change
      /// (and to the rowids of a table with unique columns beside its primary key). Any other
      /// request (a limit, an association, an aggregate, a subquery, SQL of one's own) is fetched
      /// again when a table that it reads has changed, and compared; one with `including(all:)`,
      /// when any table has. Order is the arrangement's to say. Of rows with the same id the last
      /// one counts.
      ///
      /// - Parameter make: makes the request, of the request for every row or of none.
      public init<Selected: FetchRequest<Item>>(
        _ make: @escaping @Sendable (_ all: QueryInterfaceRequest<Item>) -> Selected
      ) {
        self.make = { make($0) }
      }
    }
  }
#endif
