#if SQLite
  internal import FreshetLists
  public import GRDB

  extension SQLiteStore {
    /// A request for the rows of a query.
    public struct Request: Sendable {
      let make: @Sendable (QueryInterfaceRequest<Item>) -> any FetchRequest<Item>

      /// A request for every row of the table.
      public static var all: Request { Request { $0 } }

      /// Creates a request from any request for items that GRDB can fetch.
      ///
      /// ```swift
      /// results.performFetch(.all)
      /// results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
      /// results.performFetch(.init { $0.order(Column("time").desc).limit(10) })
      /// results.performFetch(.init { _ in SQLRequest(sql: "SELECT * FROM quake WHERE magnitude >= 5") })
      /// ```
      ///
      /// SQLite's query plan may show that each row is found by looking at that row alone, as for a
      /// filter on its columns. Updating the query then takes time proportional to the change. For
      /// a table with unique columns beside its primary key, it also takes time proportional to its
      /// rowids.
      ///
      /// Any other request is fetched again when a table that it reads has changed, and compared.
      /// Examples are a limit, an association, an aggregate, a subquery, and SQL of your own. A
      /// request with `including(all:)` is fetched again when any table has changed.
      ///
      /// The arrangement determines the order. If several rows have the same id, the last one
      /// counts.
      ///
      /// - Parameter make: makes the request; it may start from the request for every row or ignore
      ///   that.
      public init<Selected: FetchRequest<Item>>(
        _ make: @escaping @Sendable (_ all: QueryInterfaceRequest<Item>) -> Selected
      ) {
        self.make = { make($0) }
      }
    }
  }
#endif
