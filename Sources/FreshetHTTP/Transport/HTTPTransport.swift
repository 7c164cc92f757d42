/// A type that sends requests and returns responses.
///
/// The default is libcurl on Linux and `URLSession` on Apple's systems. A test or an app can
/// replace it.
///
/// A transport sends each request once and returns what it received. It does not follow
/// redirections, keep cookies or cache anything. The source decides which URL is requested, and
/// with which fields, before it calls the transport.
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
  /// Returns the response to a request, with a decompressed body of at most `bodyLimit` bytes.
  ///
  /// Cancelling the task closes the connection.
  ///
  /// - Throws: `HTTPError.unreachable` with a code for the reason, or `HTTPError.tooLarge`.
  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse
}
