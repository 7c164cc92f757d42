internal import FreshetLists

/// Which items a filter lets through, and how often that was said anew.
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

  /// Which items are let through now.
  var current: (isIncluded: @Sendable (Item) -> Bool, version: Int) {
    state.withLock { ($0.isIncluded, $0.version) }
  }

  /// How often that was said anew.
  var version: Int { state.withLock { $0.version } }

  /// Sets another condition, and tells all rows that are filtered by this one.
  func replace(with isIncluded: @escaping @Sendable (Item) -> Bool) {
    // What the old closure holds goes outside of the lock.
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
    // What the closure holds goes outside of the lock.
    _ = state.withLock { $0.observers.removeValue(forKey: observer) }
  }
}

/// Tells rows of another condition, for as long as it is held.
final class ConditionSubscription<Item: ListItem>: Sendable {
  private let condition: FilterCondition<Item>
  private let observer: Int

  init(to condition: FilterCondition<Item>, wake: @escaping @Sendable () -> Void) {
    self.condition = condition
    observer = condition.add(wake)
  }

  deinit { condition.remove(observer) }
}
