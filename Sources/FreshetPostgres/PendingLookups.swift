#if Postgres
  internal import Freshet
  internal import FreshetLists

  /// The rows that a store wrote and its queries have not looked up yet.
  ///
  /// A written item is on screen at once, but the server need not report its row to a query
  /// afterwards. A trigger may have refused the change or removed the row, another process may have
  /// deleted it, or the connection may be lost before. Each query therefore looks such rows up.
  final class PendingLookups<ID: Hashable & Sendable>: Sendable {
    /// The text of each item's key, by its id.
    typealias Keys = [ID: BinaryText]

    private struct Query {
      var keys: Keys = [:]
      /// The changed keys whose signal wakes the query.
      var changes: ChangedKeys?
    }

    private let queries = Locked<[Int: Query]>([:])

    /// Whether no query collects writes.
    var isEmpty: Bool { queries.withLock(\.isEmpty) }

    /// Starts to collect keys for a query.
    ///
    /// - Returns: the query's number.
    func join() -> Int {
      queries.withLock { queries in
        let number = (queries.keys.max() ?? 0) + 1
        queries[number] = Query()
        return number
      }
    }

    func leave(_ query: Int) { queries.withLock { $0[query] = nil } }

    /// Sets the object that wakes a query from now on.
    func wake(_ query: Int, by changes: ChangedKeys) {
      queries.withLock { $0[query]?.changes = changes }
    }

    /// Adds keys that the server has written, and wakes all queries.
    ///
    /// - Complexity: O(keys × queries).
    func add(_ keys: Keys) {
      queries.withLock { queries in
        for number in queries.keys {
          queries[number]?.keys.merge(keys) { $1 }
          queries[number]?.changes?.wake()
        }
      }
    }

    /// Returns the keys that were written since the query's last call.
    func take(_ query: Int) -> Keys {
      queries.withLock { queries in
        defer { queries[query]?.keys = [:] }
        return queries[query]?.keys ?? [:]
      }
    }
  }
#endif
