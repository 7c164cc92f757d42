internal import Freshet
internal import FreshetLists

/// An observer that runs one query and records what the query receives.
final class StoreWatcher<Store: WritableDataStore>: Sendable {
  typealias Item = Store.Item

  private struct State {
    var items: [Item.ID: Item] = [:]
    /// The items that the feed `home` wrote last.
    var echoes: Set<Item.ID> = []
    var status: QueryStatus?
    var failure: (any Error)?
    var hasEnded = false
  }

  private let state: Shared<State>
  private let changed: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  /// The request of the query, as a violation contains it.
  private let request: String
  private let isIncluded: @Sendable (Item) -> Bool
  private let patience: Duration
  private let task: Task<Void, Never>

  init(_ store: Store, _ selection: StoreContract<Store>.Selection, _ patience: Duration) {
    let (changed, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.changed, self.signal, self.patience) = (changed, signal, patience)
    request = "\(selection.request)"
    isIncluded = selection.isIncluded
    let state = Shared(State())
    self.state = state
    let query = DataStoreQuery<Item, Store.Request>(
      selection.request, window: .zero, isEcho: { $0 == "home" }
    ) { changes, status in
      state.value.withLock { state in
        for change in changes.all {
          state.items[change.id] = change.item
          state.echoes.remove(change.id)
          if changes.isEcho(change.id) { state.echoes.insert(change.id) }
        }
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
  var echoes: Set<Item.ID> { state.value.withLock { $0.echoes } }

  /// Waits until the query shows those of the items that it requests.
  func shows(_ items: [Item], _ rule: String) async throws {
    let wanted = Dictionary(uniqueKeysWithValues: items.filter(isIncluded).map { ($0.id, $0) })
    try await wait(rule) { state in
      state.status?.isComplete == true && state.items == wanted
    } orSay: {
      Self.difference($0.items, wanted)
    }
  }

  /// Waits until the query reports a status.
  func says(
    _ wanted: String, _ rule: String, _ condition: (QueryStatus) -> Bool
  ) async throws {
    try await wait(rule) {
      $0.status.map(condition) ?? false
    } orSay: { _ in
      "\(wanted) was not reported"
    }
  }

  /// Cancels the query, and waits until it returns.
  func stop(_ rule: String) async throws {
    task.cancel()
    try await wait(rule) {
      $0.hasEnded
    } orSay: { _ in
      "`execute` does not return"
    }
  }

  private func wait(
    _ rule: String, until condition: (State) -> Bool, orSay found: (State) -> String
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
      let hasEnded = state.hasEnded && !task.isCancelled
      guard !hasEnded, ContinuousClock.now < deadline, await signals.next() != nil else {
        throw ContractViolation(
          rule: rule,
          found: "the query \(request): \(found(state)); \(Self.standing(state))")
      }
    }
  }

  /// Returns a description of a query's state.
  private static func standing(_ state: State) -> String {
    if let failure = state.failure {
      return "`execute` threw \(failure): once all rows were there, report an interruption instead"
    }
    if state.hasEnded { return "`execute` has returned, so that nothing more arrives" }
    guard let status = state.status else { return "it received nothing" }
    var parts = [status.isComplete ? "all that there was is there" : "it is not complete"]
    if let error = status.interruption { parts.append("interrupted by \(error)") }
    if let error = status.invalidItem { parts.append("\(status.invalidItems) invalid: \(error)") }
    return parts.joined(separator: ", ")
  }

  /// Returns a description of the wrong items, in a stable order.
  private static func difference(_ items: [Item.ID: Item], _ wanted: [Item.ID: Item]) -> String {
    func list(_ name: String, _ texts: [String]) -> String? {
      if texts.isEmpty { return nil }
      let some = texts.sorted().prefix(5).joined(separator: ", ")
      return "\(name) \(some)" + (texts.count > 5 ? " and \(texts.count - 5) more" : "")
    }
    let parts = [
      list("missing", wanted.filter { items[$0.key] == nil }.map { "\($0.value)" }),
      list("unexpected", items.filter { wanted[$0.key] == nil }.map { "\($0.value)" }),
      list(
        "different",
        items.compactMap { id, item in
          wanted[id].flatMap { $0 == item ? nil : "\(item) instead of \($0)" }
        }),
    ].compactMap(\.self)
    return parts.isEmpty ? "no end of its initial results" : parts.joined(separator: "; ")
  }
}

/// A value that several owners share.
private final class Shared<Value>: Sendable {
  let value: Locked<Value>
  init(_ value: sending Value) { self.value = Locked(value) }
}
