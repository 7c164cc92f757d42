/// Runs one body at a time, first come, first served.
final class AsyncLock: Sendable {
  private struct State {
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Does something while nobody else does.
  func withLock<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        if state.isHeld { state.waiting.append(continuation) }
        defer { state.isHeld = true }
        return !state.isHeld
      }
      if isFirst { continuation.resume() }
    }
    defer {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if state.waiting.isEmpty {
          state.isHeld = false
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
    return try await body()
  }
}
