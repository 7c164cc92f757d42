#if Postgres
  internal import Freshet
  internal import FreshetLists

  /// What a store wrote and its queries have not looked up yet.
  ///
  /// An item that was written is on screen at once, and the server need not name its row to a query
  /// afterwards: a trigger may have refused the change or taken the row away, another process may
  /// have deleted it, and the connection may be lost before. So each query looks such rows up.
  final class UnverifiedWrites<ID: Hashable & Sendable>: Sendable {
    /// The text of each item's key, by its id.
    typealias Keys = [ID: BinaryText]

    private struct Query {
      var keys: Keys = [:]
      /// What wakes it.
      var changes: ChangedKeys?
    }

    private let queries = Locked<[Int: Query]>([:])

    /// Whether no query waits for writes.
    var isEmpty: Bool { queries.withLock(\.isEmpty) }

    /// Begins to keep keys for a query.
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

    /// Sets what wakes a query from now on.
    func wake(_ query: Int, by changes: ChangedKeys) {
      queries.withLock { $0[query]?.changes = changes }
    }

    /// Adds what the server has written, and wakes all queries.
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

    /// Takes what was written since a query asked last.
    func take(_ query: Int) -> Keys {
      queries.withLock { queries in
        defer { queries[query]?.keys = [:] }
        return queries[query]?.keys ?? [:]
      }
    }
  }
#endif
