internal import FreshetLists

/// What an engine shows, and who looks on: behind a lock that is held for moments, whatever the engine
/// is doing.
final class Shown<Value: Sendable, Update: JoinableUpdate>: Sendable {
  private struct State {
    var value: Value
    var observers: [Int: UpdateBuffer<Update>] = [:]
    var lastObserver = 0
  }

  private let state: Locked<State>

  init(_ value: Value) { state = Locked(State(value: value)) }

  /// All that is shown now.
  var value: Value { state.withLock { $0.value } }

  /// Starts to observe.
  ///
  /// - Parameters:
  ///   - states: whether changes of load states alone are signalled too.
  ///   - first: the update that leads an observer to what is shown now; `nil` for one that is there.
  /// - Returns: what comes from now on, and the value to which it comes.
  func subscribe(
    states: Bool = false, first: (Value) -> Update? = { _ in nil }
  ) -> (UpdateSubscription<Update>, Value) {
    let buffer = UpdateBuffer<Update>(wantsStates: states)
    let (observer, value) = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      // Under the lock: no update can come before it.
      if let update = first(state.value) {
        buffer.append(update)
        buffer.wake()
      }
      return (state.lastObserver, state.value)
    }
    let subscription = UpdateSubscription(buffer: buffer) { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: observer) }
    }
    return (subscription, value)
  }

  /// Shows a value and hands out the updates that led to it; one at a time calls it, in their order.
  ///
  /// - Parameter isNew: whether there is something to tell those who observe load states.
  /// - Returns: wakes those who wait for it.
  func show(_ value: Value, _ updates: [Update], isNew: Bool) -> @Sendable () -> Void {
    // What was shown goes outside of the lock: that may take a while.
    let (observers, _) = state.withLock { state in
      let old = state.value
      state.value = value
      return (Array(state.observers.values), old)
    }
    guard isNew || !updates.isEmpty else { return {} }
    for update in updates { for observer in observers { observer.append(update) } }
    return {
      for observer in observers where observer.wantsStates || !updates.isEmpty { observer.wake() }
    }
  }

  /// Nothing comes any more.
  func finish() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
  }
}
