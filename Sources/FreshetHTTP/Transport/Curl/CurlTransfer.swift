#if os(Linux)
  internal import Foundation
  internal import Freshet

  /// What is to be fetched, and who waits for it: the one thing a caller and the thread share.
  final class CurlTransfer: Sendable {
    private enum State {
      case new
      case awaited(CheckedContinuation<HTTPResponse, any Error>)
      case over
    }

    let url: URL
    let address: String
    let fields: [HTTPHeaders.Field]
    let bodyLimit: Int
    let timeouts: HTTPTimeouts
    let authorities: String?
    private let state = Locked<State>(.new)

    init(
      _ url: URL, address: String, fields: [HTTPHeaders.Field], bodyLimit: Int,
      timeouts: HTTPTimeouts, authorities: String?
    ) {
      self.url = url
      self.address = address
      self.fields = fields
      self.bodyLimit = bodyLimit
      self.timeouts = timeouts
      self.authorities = authorities
    }

    /// Begins to wait; false where it was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
      let isWanted = state.withLock { state in
        guard case .new = state else { return false }
        state = .awaited(continuation)
        return true
      }
      if !isWanted { continuation.resume(throwing: CancellationError()) }
      return isWanted
    }

    /// Whether nobody waits any more.
    var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

    /// Hands the result to who waits; the first one counts.
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
