#if Postgres
  internal import Freshet

  /// The ids of items that a store wrote, for each of its queries until it has looked at them.
  ///
  /// An item that was written is on screen before the server tells of its row. Where there is no
  /// such row by then, as a trigger took it away or another process deleted it, the server never
  /// names it to a query that did not have it.
  final class WrittenItems<ID: Hashable & Sendable>: Sendable {
    private let waiting = Locked<[Int: Set<ID>]>([:])

    /// Begins to keep ids for a query.
    ///
    /// - Returns: the query's number.
    func join() -> Int {
      waiting.withLock { waiting in
        let query = (waiting.keys.max() ?? 0) + 1
        waiting[query] = []
        return query
      }
    }

    func leave(_ query: Int) { waiting.withLock { $0[query] = nil } }

    /// The server has written these items.
    ///
    /// - Complexity: O(ids × queries).
    func add(_ ids: [ID]) {
      waiting.withLock { waiting in
        for query in waiting.keys { waiting[query]?.formUnion(ids) }
      }
    }

    /// Takes what was written since a query asked last.
    func take(_ query: Int) -> Set<ID> {
      waiting.withLock { waiting in
        defer { waiting[query] = [] }
        return waiting[query] ?? []
      }
    }
  }
#endif
