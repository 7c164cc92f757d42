internal import Freshet

/// Work that runs once for all callers that request it while it runs.
///
/// A cancelled caller stops waiting at once, but the work continues in its own task. One reason is
/// that a server may have accepted a refresh, and its response must not get lost. The other is
/// that a second refresh must not run at the same time. Callers that arrive meanwhile wait for the
/// same result.
final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var lastNumber = 0
    var isUnderWay = false
    var waiters: [Int: Waiter] = [:]
  }

  private let state = Locked(State())

  /// The number of waiting callers.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// Returns the result of the running work, or starts `work` if none is running.
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
          if !state.isUnderWay {
            state.isUnderWay = true
            start(work)
          }
          return false
        }
        if isCancelled { waiter.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func start(_ work: @escaping @Sendable () async throws -> Value) {
    Task { @concurrent [self] in
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      let waiters = state.withLock { state in
        defer { (state.isUnderWay, state.waiters) = (false, [:]) }
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.resume(with: result) }
    }
  }
}
