/// A lock that runs one asynchronous body at a time, in the order of the requests.
final class AsyncLock: Sendable {
  private struct State {
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Runs a body while no other body runs.
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
