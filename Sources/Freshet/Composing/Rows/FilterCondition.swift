internal import FreshetLists

/// The condition of a filter, and the number of times it was replaced.
final class FilterCondition<Item: ListItem>: Sendable {
  private struct State {
    var isIncluded: @Sendable (Item) -> Bool
    var version = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var lastObserver = 0
  }

  private let state: Locked<State>

  init(_ isIncluded: @escaping @Sendable (Item) -> Bool) {
    state = Locked(State(isIncluded: isIncluded))
  }

  /// The current condition.
  var current: (isIncluded: @Sendable (Item) -> Bool, version: Int) {
    state.withLock { ($0.isIncluded, $0.version) }
  }

  /// The number of times the condition was replaced.
  var version: Int { state.withLock { $0.version } }

  /// Replaces the condition, and notifies all rows that are filtered by it.
  func replace(with isIncluded: @escaping @Sendable (Item) -> Bool) {
    // The old closure is released outside of the lock, with everything it holds.
    let (observers, _) = state.withLock { state in
      let old = state.isIncluded
      state.isIncluded = isIncluded
      state.version += 1
      return (Array(state.observers.values), old)
    }
    for wake in observers { wake() }
  }

  fileprivate func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = wake
      return state.lastObserver
    }
  }

  fileprivate func remove(_ observer: Int) {
    // The closure is released outside of the lock, with everything it holds.
    _ = state.withLock { $0.observers.removeValue(forKey: observer) }
  }
}

/// A subscription that notifies rows of a replaced condition, as long as it is held.
final class ConditionSubscription<Item: ListItem>: Sendable {
  private let condition: FilterCondition<Item>
  private let observer: Int

  init(to condition: FilterCondition<Item>, wake: @escaping @Sendable () -> Void) {
    self.condition = condition
    observer = condition.add(wake)
  }

  deinit { condition.remove(observer) }
}
