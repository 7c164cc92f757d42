/// What fetches an answer: libcurl on Linux and `URLSession` on Apple's systems, unless a test or
/// an app puts another in its place.
///
/// A transport asks once and hands on what came: it follows no redirection, keeps no cookies and
/// caches nothing. Who may be asked, and with what, is decided before it is called.
///
/// ```swift
/// struct SigningTransport: HTTPTransport {
///   var base: any HTTPTransport = .standard
///
///   func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
///     var request = request
///     request.headers["X-Signature"] = signature(of: request.url)
///     let start = ContinuousClock.now
///     defer { print(request.url.path, ContinuousClock.now - start) }
///     return try await base.response(to: request, bodyLimit: bodyLimit)
///   }
/// }
/// ```
public protocol HTTPTransport: Sendable {
  /// The answer to a request, its body no longer than `bodyLimit` bytes once it is unpacked.
  ///
  /// Cancelling the task closes the connection.
  ///
  /// - Throws: `HTTPError.unreachable` with a code that says why, or `HTTPError.tooLarge`.
  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse
}
