#if os(Linux)
  internal import Foundation
  internal import Freshet

  /// Fetches through libcurl, 7.68 or later: HTTP/1.1 and HTTP/2, connections that are kept, bodies
  /// unpacked within their bound, proxies from the environment (`https_proxy`, `no_proxy`).
  ///
  /// Whatever a server sends, an answer or a typed error comes of it within the time-outs, and no
  /// more than the bound of its body and a quarter of a megabyte of its header are held (rules N2,
  /// N4). All transfers of a transport share a thread, which ends with the transport.
  public final class CurlTransport: HTTPTransport {
    /// The transport of every source that names none.
    public static let shared = CurlTransport()

    private let timeouts: HTTPTimeouts
    private let authorities: String?
    private let loop = CurlLoop()

    /// Creates a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - timeouts: how long to wait for a server.
    ///   - authorities: the path of a file of certificates (PEM) to trust in place of the system's.
    public init(timeouts: HTTPTimeouts = HTTPTimeouts(), authorities: String? = nil) {
      self.timeouts = timeouts.bounded
      self.authorities = authorities
    }

    deinit { loop.close() }

    /// The answer to a request.
    ///
    /// Cancelling returns at once and closes the connection.
    ///
    /// - Throws: `HTTPError.unreachable` with a code that says why, `HTTPError.tooLarge`,
    ///   `HTTPError.invalidURL`, or `CancellationError`.
    public func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
      let transfer = CurlTransfer(
        request.url, address: try request.address(), fields: request.headers.fields,
        bodyLimit: bodyLimit, timeouts: timeouts, authorities: authorities)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if transfer.begin(continuation) { loop.join(transfer) }
        }
      } onCancel: {
        transfer.end(with: .failure(CancellationError()))
        loop.leave(transfer)
      }
    }
  }
#endif
