#if Postgres
  internal import Freshet
  internal import FreshetLists

  /// The transactions in which feeds wrote rows through a store.
  ///
  /// With each version of a row, PostgreSQL keeps the number of the transaction that wrote it. So a
  /// query that reads a row finds out whether a feed wrote what it reads, whatever was notified.
  ///
  /// The number of transactions is bounded. Rows of earlier ones count as written by other code.
  final class FeedTransactions<Item: ListItem>: Sendable {
    private struct Transaction {
      let feed: String
      /// The items that the feed wrote, while a trigger may have written other rows.
      let ids: Set<Item.ID>
    }

    /// A write whose result was lost with the connection, so its number is not known.
    private struct LostWrite {
      let feed: String
      var items: [Item.ID: Item]
    }

    private struct State {
      /// The server that numbered the transactions: another one uses the same numbers.
      var server: String?
      /// The transactions by number, and those before them.
      var (recent, earlier): ([String: Transaction], [String: Transaction]) = ([:], [:])
      /// The number of items in `recent`.
      var count = 0
      var lost: [LostWrite] = []
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: the number of items that are kept at least.
    init(limit: Int = 10_000) { self.limit = limit }

    /// Adds a transaction that a feed committed.
    ///
    /// - Parameters:
    ///   - number: its number, as `xmin` shows it.
    ///   - items: the items that the feed wrote.
    ///   - server: the server with this number, see `TableVersion`.
    func add(_ number: String, of feed: String, writing items: [Item], on server: String?) {
      guard !items.isEmpty else { return }
      let ids = Set(items.lazy.map(\.id))
      state.withLock { state in
        for index in state.lost.indices { for id in ids { state.lost[index].items[id] = nil } }
        state.lost.removeAll(where: \.items.isEmpty)
        add(Transaction(feed: feed, ids: ids), number, server, &state)
      }
    }

    /// Adds a write that the server may have committed.
    func addLost(of feed: String, writing items: [Item]) {
      guard !items.isEmpty else { return }
      let write = LostWrite(feed: feed, items: Dictionary(items.map { ($0.id, $0) }) { $1 })
      state.withLock { state in
        state.lost.append(write)
        // The last one stays, however many items it has.
        while state.lost.count > 1, state.lost.reduce(0, { $0 + $1.items.count }) > limit {
          state.lost.removeFirst()
        }
      }
    }

    /// Returns the feed that wrote a row; `nil` if other code did, or if it is not known.
    ///
    /// - Parameters:
    ///   - item: the item of the row.
    ///   - number: the transaction that wrote the row.
    ///   - server: the server that has it.
    func writer(of item: Item, in number: String, on server: String?) -> String? {
      guard let server else { return nil }
      return state.withLock { state in
        if state.server == server, let known = state.recent[number] ?? state.earlier[number] {
          return known.ids.contains(item.id) ? known.feed : nil
        }
        guard let index = state.lost.firstIndex(where: { $0.items[item.id] == item }) else {
          return nil
        }
        // The server did commit it. Its other rows have the same number.
        let write = state.lost.remove(at: index)
        add(Transaction(feed: write.feed, ids: Set(write.items.keys)), number, server, &state)
        return write.feed
      }
    }

    private func add(
      _ transaction: Transaction, _ number: String, _ server: String?, _ state: inout State
    ) {
      if state.server != server {
        (state.server, state.recent, state.earlier, state.count) = (server, [:], [:], 0)
      } else if state.count > limit {
        (state.earlier, state.recent, state.count) = (state.recent, [:], 0)
      }
      state.recent[number] = transaction
      state.count += transaction.ids.count
    }
  }
#endif
