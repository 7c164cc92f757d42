#if os(Linux)
  internal import Foundation
  internal import Freshet

  /// A request and the caller that waits for it; a caller and the thread share only this.
  final class CurlTransfer: Sendable {
    private enum State {
      case new
      case awaited(CheckedContinuation<HTTPResponse, any Error>)
      case over
    }

    let request: HTTPRequest
    let address: String
    let bodyLimit: Int
    let timeouts: HTTPTimeouts
    let authorities: String?
    private let state = Locked<State>(.new)

    init(
      _ request: HTTPRequest, address: String, bodyLimit: Int, timeouts: HTTPTimeouts,
      authorities: String?
    ) {
      self.request = request
      self.address = address
      self.bodyLimit = bodyLimit
      self.timeouts = timeouts
      self.authorities = authorities
    }

    /// Starts to wait; returns `false` if the transfer was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
      let isWanted = state.withLock { state in
        guard case .new = state else { return false }
        state = .awaited(continuation)
        return true
      }
      if !isWanted { continuation.resume(throwing: CancellationError()) }
      return isWanted
    }

    /// Whether the transfer is over, so that no caller waits for it.
    var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

    /// Delivers the result to the waiting caller; only the first result counts.
    func end(with result: Result<HTTPResponse, any Error>) {
      let continuation = state.withLock { state in
        defer { state = .over }
        return if case .awaited(let continuation) = state { continuation } else {
          nil as CheckedContinuation<HTTPResponse, any Error>?
        }
      }
      continuation?.resume(with: result)
    }
  }
#endif
