internal import FreshetLists

/// What a live list shows, and who looks on: behind a lock that is held for moments, whatever the
/// list is doing.
///
/// It is how `LiveList` is observed: ask the list.
public final class Shown<Update: LiveUpdate>: Sendable {
  private struct State {
    var value: Update.Value
    var observers: [Int: UpdateBuffer<Update>] = [:]
    var lastObserver = 0
    weak var owner: (any ShownOwner)?
  }

  private let state: Locked<State>

  init(_ value: Update.Value) { state = Locked(State(value: value)) }

  /// Names who works only while somebody looks.
  func setOwner(_ owner: some ShownOwner) { state.withLock { $0.owner = owner } }

  /// All that is shown now.
  var value: Update.Value { state.withLock { $0.value } }

  /// How many look.
  var observers: Int { state.withLock { $0.observers.count } }

  /// Starts to observe.
  ///
  /// - Parameters:
  ///   - interest: what is kept and signalled.
  ///   - isNew: whether the observer starts empty, and the first update inserts what there is.
  ///   - wake: is called when there is something new, besides the signal.
  /// - Returns: what comes from now on, and the value to which it comes.
  func subscribe(
    to interest: Interest = .updates, isNew: Bool = false, wake: (@Sendable () -> Void)? = nil
  ) -> (UpdateSubscription<Update>, Update.Value) {
    let buffer = UpdateBuffer<Update>(interest, wake: wake)
    let (observer, value, owner) = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      // Under the lock: no update can come before it.
      if isNew, state.value.list.count > 0 {
        buffer.append(Update(beginningWith: state.value))
        buffer.wake()
      }
      return (state.lastObserver, state.value, state.owner)
    }
    owner?.begin()
    return (UpdateSubscription(buffer: buffer, observer: observer, of: self, owner: owner), value)
  }

  /// All that is shown from now on, the newest for who falls behind.
  var values: AsyncStream<Update.Value> {
    let (subscription, _) = subscribe(to: .states)
    let isFirst = Locked(true)
    return AsyncStream {
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return !isFirst
      }
      if waits {
        var signals = subscription.buffer.signals.makeAsyncIterator()
        guard await signals.next() != nil else { return nil }
      }
      return subscription.shown.value
    }
  }

  /// Shows a value and hands out the updates that led to it; one at a time calls it, in their
  /// order.
  ///
  /// - Parameter isNew: whether there is something to tell those who observe load states.
  /// - Returns: wakes those who wait for it.
  func show(
    _ value: Update.Value, _ updates: [Update], isNew: Bool
  ) -> @Sendable () -> Void {
    // What was shown goes outside of the lock: that may take a while. The updates come in it:
    // nobody sees a value to which nothing leads.
    let (observers, _) = state.withLock { state in
      let old = state.value
      state.value = value
      for observer in state.observers.values {
        for update in updates { observer.append(update) }
      }
      return (Array(state.observers.values), old)
    }
    guard isNew || !updates.isEmpty else { return {} }
    return {
      for observer in observers where observer.interest != .updates || !updates.isEmpty {
        observer.wake()
      }
    }
  }

  /// The value, for an observer to which no update leads there any more.
  func value(after buffer: UpdateBuffer<Update>) -> Update.Value? {
    state.withLock { buffer.isEmpty ? $0.value : nil }
  }

  /// Shows nothing, if nobody looks; whether that is so.
  func clear(_ value: Update.Value) -> Bool {
    let (isCleared, _) = state.withLock { state -> (Bool, Update.Value) in
      let old = state.value
      guard state.observers.isEmpty else { return (false, old) }
      state.value = value
      return (true, old)
    }
    return isCleared
  }

  fileprivate func remove(_ observer: Int, _ owner: (any ShownOwner)?) {
    let isLast = state.withLock { state in
      state.observers[observer] = nil
      return state.observers.isEmpty
    }
    if isLast { owner?.end() }
  }

  /// Nothing comes any more.
  func finish() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
  }
}

/// What an observer wants to hear of.
enum Interest: Sendable {
  /// The updates.
  case updates
  /// The updates, and changes of load states alone.
  case updatesAndStates
  /// That there is something new, of whatever kind.
  case states
}

/// Who works only while somebody looks.
protocol ShownOwner: AnyObject, Sendable {
  /// Somebody looks.
  func begin()
  /// Nobody may look any more.
  func end()
}

/// The interest of one observer: it ends when nobody holds it any more.
final class UpdateSubscription<Update: LiveUpdate>: Sendable {
  let buffer: UpdateBuffer<Update>
  private let observer: Int
  let shown: Shown<Update>
  /// Whoever works for those who look is there as long as they do.
  private let owner: (any ShownOwner)?

  init(
    buffer: UpdateBuffer<Update>, observer: Int, of shown: Shown<Update>,
    owner: (any ShownOwner)?
  ) {
    self.buffer = buffer
    self.observer = observer
    self.shown = shown
    self.owner = owner
  }

  /// The newest value, unless updates lead there.
  var newest: Update.Value? { shown.value(after: buffer) }

  deinit {
    shown.remove(observer, owner)
    buffer.finish()
  }
}
