internal import Freshet
internal import FreshetLists

/// Runs one query, and keeps what it is told.
final class StoreWatcher<Store: WritableDataStore>: Sendable {
  typealias Item = Store.Item

  private struct State {
    var items: [Item.ID: Item] = [:]
    var status: QueryStatus?
    var failure: (any Error)?
    var hasEnded = false
  }

  private let state: Shared<State>
  private let changed: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let isIncluded: @Sendable (Item) -> Bool
  private let patience: Duration
  private let task: Task<Void, Never>

  init(_ store: Store, _ selection: StoreContract<Store>.Selection, _ patience: Duration) {
    let (changed, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.changed, self.signal, self.patience) = (changed, signal, patience)
    isIncluded = selection.isIncluded
    let state = Shared(State())
    self.state = state
    let query = DataStoreQuery<Item, Store.Request>(selection.request, window: .zero) {
      changes, status in
      state.value.withLock { state in
        for change in changes.all { state.items[change.id] = change.item }
        state.status = status
      }
      signal.yield()
    }
    task = Task { @concurrent in
      var failure: (any Error)?
      do { try await store.execute(query) } catch { failure = error }
      query.finishInitialResults()
      state.value.withLock { [failure] state in
        state.failure = failure
        state.hasEnded = true
      }
      signal.yield()
    }
  }

  deinit { task.cancel() }

  var items: [Item.ID: Item] { state.value.withLock { $0.items } }

  /// Waits until the query shows what it asks for of these items.
  func shows(_ items: [Item], _ rule: String) async throws {
    let wanted = Dictionary(uniqueKeysWithValues: items.filter(isIncluded).map { ($0.id, $0) })
    try await wait(rule, "\(wanted)") { $0.status?.isComplete == true && $0.items == wanted }
  }

  /// Waits until the query says how it stands.
  func says(
    _ wanted: String, _ rule: String, _ condition: (QueryStatus) -> Bool
  ) async throws {
    try await wait(rule, wanted) { $0.status.map(condition) ?? false }
  }

  /// Cancels the query, and waits until it returns.
  func stop(_ rule: String) async throws {
    task.cancel()
    try await wait(rule, "an end") { $0.hasEnded }
  }

  private func wait(
    _ rule: String, _ wanted: String, until condition: (State) -> Bool
  ) async throws {
    let signal = signal
    let deadline = ContinuousClock.now + patience
    let alarm = Task { @concurrent [patience] in
      try? await Task.sleep(for: patience)
      signal.yield()
    }
    defer { alarm.cancel() }
    var signals = changed.makeAsyncIterator()
    while true {
      let state = state.value.withLock { $0 }
      if condition(state) { return }
      if let failure = state.failure, !task.isCancelled { throw failure }
      guard ContinuousClock.now < deadline, await signals.next() != nil else {
        throw ContractViolation(
          rule: rule,
          found: "waited for \(wanted), and there is \(state.items), "
            + String(describing: state.status))
      }
    }
  }
}

/// A value that several share.
private final class Shared<Value>: Sendable {
  let value: Locked<Value>
  init(_ value: sending Value) { self.value = Locked(value) }
}
