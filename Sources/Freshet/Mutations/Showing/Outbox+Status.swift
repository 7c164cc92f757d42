internal import Observation

// What an outbox holds, for those who observe it.
extension Outbox {
  /// What the outbox holds now.
  ///
  /// Views that read it are updated when it changes.
  ///
  /// - Complexity: O(*n* log *n*) for *n* mutations.
  public var status: OutboxStatus {
    registrar.access(self, keyPath: \.status)
    return state.withLock { Self.status(of: $0) }
  }

  /// The states of the outbox from now on: the first is the current one.
  ///
  /// A slow observer gets the newest. Iterate it once.
  public var statuses: AsyncStream<OutboxStatus> {
    let number = lastObserver.next()
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
      }
      state.withLock { state in
        state.observers[number] = continuation
        continuation.yield(Self.status(of: state))
      }
    }
  }

  private static func status(of state: State) -> OutboxStatus {
    OutboxStatus(
      mutations: state.queue.all.map { PendingMutation($0) }, isPaused: state.queue.isPaused,
      isSender: !state.queue.isSentElsewhere,
      failure: state.failure.map { ErrorNotice($0) }, damagedBytes: state.damagedBytes)
  }

  /// Notifies the observers of a change, and of all others until then.
  func publish() {
    registrar.withMutation(of: self, keyPath: \.status) {}
    let isFirst = state.withLock { state in
      if state.isPublishing || state.observers.isEmpty { return false }
      state.isPublishing = true
      return true
    }
    guard isFirst else { return }
    Task { @concurrent [weak self] in
      self?.state.withLock { state in
        state.isPublishing = false
        let status = Self.status(of: state)
        for observer in state.observers.values { observer.yield(status) }
      }
    }
  }
}
