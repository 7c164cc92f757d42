internal import FreshetLists

/// A publisher of the contents of a list, for items of any type.
///
/// Its lock is held only for moments, whatever the list is doing.
final class StepPublisher: Sendable {
  private struct State {
    var contents: Shared<ListContents>
    var observers: [Int: StepBuffer] = [:]
    var lastObserver = 0
    weak var demand: (any DemandObserver)?
  }

  private let state: Locked<State>

  init(_ contents: Shared<ListContents>) { state = Locked(State(contents: contents)) }

  /// Sets the object that works only while the list is observed.
  func setDemandObserver(_ demand: some DemandObserver) { state.withLock { $0.demand = demand } }

  /// The contents of the list now.
  var contents: Shared<ListContents> { state.withLock { $0.contents } }

  /// The number of observers.
  var observers: Int { state.withLock { $0.observers.count } }

  /// Starts to observe.
  ///
  /// - Parameters:
  ///   - interest: the changes that are kept and signalled.
  ///   - isNew: whether the observer starts empty, so that the first step inserts the current rows.
  ///   - wake: is called when there is something new, in addition to the signal.
  /// - Returns: the subscription to all later steps, and the contents before them.
  func subscribe(
    to interest: Interest, isNew: Bool = false, wake: (@Sendable () -> Void)? = nil
  ) -> (StepSubscription, Shared<ListContents>) {
    let buffer = StepBuffer(interest, wake: wake)
    let (observer, contents, demand) = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      // Under the lock, so that no other step can precede it.
      if isNew, state.contents.value.list.count > 0 {
        buffer.append(StepContents(beginningWith: state.contents))
        buffer.wake()
      }
      return (state.lastObserver, state.contents, state.demand)
    }
    demand?.begin()
    return (StepSubscription(buffer: buffer, observer: observer, of: self, demand), contents)
  }

  /// Publishes other contents and the steps that lead to them.
  ///
  /// One caller at a time calls it, in the order of the steps.
  ///
  /// - Parameter isNew: whether observers of load states have something new.
  /// - Returns: a closure that wakes the observers.
  func show(
    _ contents: Shared<ListContents>, _ steps: [StepContents], isNew: Bool
  ) -> @Sendable () -> Void {
    // The old contents are released outside of the lock, because that may take a while. The steps
    // are appended inside it: contents are never visible before the steps that lead to them.
    let (observers, _) = state.withLock { state in
      let old = state.contents
      state.contents = contents
      for observer in state.observers.values {
        for step in steps { observer.append(step) }
      }
      return (Array(state.observers.values), old)
    }
    guard isNew || !steps.isEmpty else { return {} }
    return {
      for observer in observers where observer.interest != .steps || !steps.isEmpty {
        observer.wake()
      }
    }
  }

  /// Returns the contents, if an observer has taken all steps that lead there.
  func contents(after buffer: StepBuffer) -> Shared<ListContents>? {
    state.withLock { buffer.isEmpty ? $0.contents : nil }
  }

  /// Clears the contents unless there is an observer, and returns whether they were cleared.
  func clear() -> Bool {
    let (isCleared, _) = state.withLock { state -> (Bool, Shared<ListContents>) in
      let old = state.contents
      guard state.observers.isEmpty else { return (false, old) }
      state.contents = ListContents.none
      return (true, old)
    }
    return isCleared
  }

  fileprivate func remove(_ observer: Int, _ demand: (any DemandObserver)?) {
    let isLast = state.withLock { state in
      state.observers[observer] = nil
      return state.observers.isEmpty
    }
    if isLast { demand?.end() }
  }

  /// Ends all streams.
  func finish() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
  }
}

/// The events for which an observer is woken.
enum Interest: Sendable {
  /// The steps.
  case steps
  /// The steps, and changes of load states without a step.
  case stepsAndStates
  /// Any change; the steps are not kept.
  case states
}

/// An object that works only while a list is observed.
protocol DemandObserver: AnyObject, Sendable {
  /// Handles a new observer.
  func begin()
  /// Handles the removal of an observer, which may have been the last one.
  func end()
}

/// The subscription of one observer, which ends when its last reference is released.
final class StepSubscription: Sendable {
  let buffer: StepBuffer
  private let observer: Int
  private let publisher: StepPublisher
  /// The object that works for observers, kept alive as long as they exist.
  private let demand: (any DemandObserver)?

  init(
    buffer: StepBuffer, observer: Int, of publisher: StepPublisher, _ demand: (any DemandObserver)?
  ) {
    self.buffer = buffer
    self.observer = observer
    self.publisher = publisher
    self.demand = demand
  }

  /// The contents of the list now.
  var contents: Shared<ListContents> { publisher.contents }

  /// The newest contents, unless there are steps to take first.
  var newest: Shared<ListContents>? { publisher.contents(after: buffer) }

  deinit {
    publisher.remove(observer, demand)
    buffer.finish()
  }
}
