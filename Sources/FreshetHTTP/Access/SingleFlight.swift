internal import Freshet

/// Work that is done once for all who ask while it is under way.
///
/// Who is cancelled stops waiting at once; the last one takes the work with him.
final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var lastNumber = 0
    var flight: (number: Int, task: Task<Void, Never>)?
    var waiters: [Int: Waiter] = [:]
  }

  private let state = Locked(State())

  /// How many wait.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// What the work under way gives; where there is none, `work` begins.
  func value(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.waiters[number] = waiter
          if state.flight == nil { state.flight = (number, start(number, work)) }
          return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
        let waiter = state.waiters.removeValue(forKey: number)
        guard waiter != nil, state.waiters.isEmpty else { return (waiter, nil) }
        defer { state.flight = nil }
        return (waiter, state.flight?.task)
      }
      task?.cancel()
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func start(
    _ number: Int, _ work: @escaping @Sendable () async throws -> Value
  ) -> Task<Void, Never> {
    Task { @concurrent [self] in
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      let waiters = state.withLock { state -> [Waiter] in
        // What was cancelled is not what the next ones wait for.
        guard state.flight?.number == number else { return [] }
        defer { (state.flight, state.waiters) = (nil, [:]) }
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.resume(with: result) }
    }
  }
}
