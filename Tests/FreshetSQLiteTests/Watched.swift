#if SQLite
  @testable import Freshet
  import FreshetSQLite
  import GRDB

  /// What a running query was told; it is there when a commit returns, so that nothing has to wait.
  final class Watched<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    private struct State {
      var items: [Item.ID: Item] = [:]
      var status = QueryStatus()
      var failure: (any Error)?
    }

    private let shared: Shared<State>
    private let task: Task<Void, Never>

    /// Runs a query until this goes, and waits for its first results.
    init(_ store: SQLiteStore<Item>, _ request: SQLiteStore<Item>.Request = .all) async {
      let state = Shared(State())
      let (complete, signal) = AsyncStream<Void>.makeStream()
      let query = DataStoreQuery<Item, SQLiteStore<Item>.Request>(request, window: .zero) {
        changes, status in
        state.value.withLock { state in
          for change in changes.all { state.items[change.id] = change.item }
          state.status = status
        }
        if status.isComplete { signal.finish() }
      }
      query.processesChangesImmediately = true
      shared = state
      task = Task {
        do { try await store.execute(query) } catch {
          state.value.withLock { $0.failure = error }
        }
        signal.finish()
      }
      for await _ in complete {}
    }

    deinit { task.cancel() }

    var items: [Item.ID: Item] { shared.value.withLock { $0.items } }
    var failure: (any Error)? { shared.value.withLock { $0.failure } }
    var invalidItem: (any Error)? { shared.value.withLock { $0.status.invalidItem } }
    var interruption: (any Error)? { shared.value.withLock { $0.status.interruption } }
  }

  /// A value that several share.
  final class Shared<Value>: Sendable {
    let value: Locked<Value>
    init(_ value: sending Value) { self.value = Locked(value) }
  }
#endif
