#if os(Linux)
  internal import Foundation
  internal import Freshet

  /// A transport that uses libcurl 7.68 or later.
  ///
  /// It supports HTTP/1.1 and HTTP/2, reuses connections, decompresses bodies within their limit,
  /// and uses proxies from the environment (`https_proxy`, `no_proxy`).
  ///
  /// Whatever a server sends, a request ends with a response or a typed error within the
  /// time-outs. The transport holds no more than the body limit and a quarter of a megabyte of
  /// header (rules N2, N4). All transfers of a transport share a thread, which ends with the
  /// transport.
  public final class CurlTransport: HTTPTransport {
    /// The shared transport, used by every source that does not specify one.
    public static let shared = CurlTransport()

    private let timeouts: HTTPTimeouts
    private let authorities: String?
    private let loop = CurlLoop()

    /// Creates a transport with its own connections.
    ///
    /// - Parameters:
    ///   - timeouts: how long to wait for a server.
    ///   - authorities: the path of a file of certificates (PEM) to trust instead of the system's.
    public init(timeouts: HTTPTimeouts = HTTPTimeouts(), authorities: String? = nil) {
      self.timeouts = timeouts.bounded
      self.authorities = authorities
    }

    deinit { loop.close() }

    /// Returns the response to a request.
    ///
    /// Cancelling returns at once and closes the connection.
    ///
    /// - Throws: `HTTPError.unreachable` with a code for the reason, `HTTPError.tooLarge`,
    ///   `HTTPError.invalidURL`, or `CancellationError`.
    public func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
      let transfer = CurlTransfer(
        request, address: try request.address(), bodyLimit: bodyLimit, timeouts: timeouts,
        authorities: authorities)
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
