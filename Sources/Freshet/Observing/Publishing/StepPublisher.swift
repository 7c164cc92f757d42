internal import FreshetLists

/// Publishes what a list shows, whatever the type of its items: behind a lock that is held for
/// moments, whatever the list is doing.
final class StepPublisher: Sendable {
  private struct State {
    var contents: Shared<ListContents>
    var observers: [Int: StepBuffer] = [:]
    var lastObserver = 0
    weak var demand: (any DemandObserver)?
  }

  private let state: Locked<State>

  init(_ contents: Shared<ListContents>) { state = Locked(State(contents: contents)) }

  /// Sets what works only while the list is observed.
  func setDemandObserver(_ demand: some DemandObserver) { state.withLock { $0.demand = demand } }

  /// All that is shown now.
  var contents: Shared<ListContents> { state.withLock { $0.contents } }

  /// How many observers there are.
  var observers: Int { state.withLock { $0.observers.count } }

  /// Starts to observe.
  ///
  /// - Parameters:
  ///   - interest: what is kept and signalled.
  ///   - isNew: whether the observer starts empty, and the first step inserts what there is.
  ///   - wake: is called when there is something new, besides the signal.
  /// - Returns: what comes from now on, and the contents to which it comes.
  func subscribe(
    to interest: Interest, isNew: Bool = false, wake: (@Sendable () -> Void)? = nil
  ) -> (StepSubscription, Shared<ListContents>) {
    let buffer = StepBuffer(interest, wake: wake)
    let (observer, contents, demand) = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      // Under the lock: no step can come before it.
      if isNew, state.contents.value.list.count > 0 {
        buffer.append(StepContents(beginningWith: state.contents))
        buffer.wake()
      }
      return (state.lastObserver, state.contents, state.demand)
    }
    demand?.begin()
    return (StepSubscription(buffer: buffer, observer: observer, of: self, demand), contents)
  }

  /// Shows other contents and hands out the steps that led to them; one at a time calls it, in
  /// their order.
  ///
  /// - Parameter isNew: whether observers of load states have something new.
  /// - Returns: wakes the observers.
  func show(
    _ contents: Shared<ListContents>, _ steps: [StepContents], isNew: Bool
  ) -> @Sendable () -> Void {
    // What was shown goes outside of the lock: that may take a while. The steps come in it: there
    // are never contents to which nothing leads.
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

  /// The contents, for an observer to which no step leads there any more.
  func contents(after buffer: StepBuffer) -> Shared<ListContents>? {
    state.withLock { buffer.isEmpty ? $0.contents : nil }
  }

  /// Shows nothing, unless there is an observer; whether that is so.
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

/// The events that an observer is woken for.
enum Interest: Sendable {
  /// The steps.
  case steps
  /// The steps, and changes of load states alone.
  case stepsAndStates
  /// That there is something new, of whatever kind.
  case states
}

/// What works only while a list is observed.
protocol DemandObserver: AnyObject, Sendable {
  /// There is an observer.
  func begin()
  /// There may be no observer any more.
  func end()
}

/// The interest of one observer: it ends with the last reference to it.
final class StepSubscription: Sendable {
  let buffer: StepBuffer
  private let observer: Int
  private let publisher: StepPublisher
  /// What works for observers is there as long as they are.
  private let demand: (any DemandObserver)?

  init(
    buffer: StepBuffer, observer: Int, of publisher: StepPublisher, _ demand: (any DemandObserver)?
  ) {
    self.buffer = buffer
    self.observer = observer
    self.publisher = publisher
    self.demand = demand
  }

  /// What is shown now.
  var contents: Shared<ListContents> { publisher.contents }

  /// The newest contents, unless steps lead there.
  var newest: Shared<ListContents>? { publisher.contents(after: buffer) }

  deinit {
    publisher.remove(observer, demand)
    buffer.finish()
  }
}
