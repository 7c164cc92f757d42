internal import Freshet

/// Work that is done once for all who ask while it is under way.
///
/// Who is cancelled stops waiting at once. The work goes on to its end all the same, in a task of
/// its own: a server may have taken a refresh for good whose answer nobody would hear, and a second
/// one must not run beside it. Who asks meanwhile joins.
final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var lastNumber = 0
    var isUnderWay = false
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
