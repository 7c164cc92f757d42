// On Linux, this is only for the tests of Freshet: a truncated response ends the process there.
#if canImport(Darwin) || FRESHET_TESTING
  internal import Freshet

  #if canImport(Darwin)
    public import Foundation
  #else
    internal import Foundation
    public import FoundationNetworking
  #endif

  /// A transport that uses its own `URLSession`, on Apple's systems.
  ///
  /// Its cache is off because it would hide that a page is unchanged. Its credential storage is
  /// off too, so a 401 is returned as a response. It does not follow redirections. The body limit
  /// is enforced while the body is received.
  #if !canImport(Darwin)
    @_spi(Testing)
  #endif
  public final class URLSessionTransport: HTTPTransport {
    /// The shared transport, used by every source that does not specify one.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let gatherer: Gatherer

    /// Creates a transport without cookies and with its own connections.
    ///
    /// The connect time-out is part of the idle time-out, because `URLSession` has no separate
    /// one.
    public convenience init(timeouts: HTTPTimeouts = HTTPTimeouts()) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.timeoutIntervalForRequest = Double(timeouts.bounded.idle.milliseconds) / 1_000
      configuration.timeoutIntervalForResource = Double(timeouts.bounded.total.milliseconds) / 1_000
      self.init(configuration: configuration)
    }

    /// Creates a transport with the given session configuration.
    ///
    /// Time-outs, cookies, proxies and cellular access are used as configured. The cache and the
    /// credential storage are always off.
    public init(configuration: URLSessionConfiguration) {
      let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
      copy.urlCache = nil
      copy.urlCredentialStorage = nil
      copy.requestCachePolicy = .reloadIgnoringLocalCacheData
      gatherer = Gatherer()
      session = URLSession(configuration: copy, delegate: gatherer, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Returns the response to a request.
    ///
    /// Cancelling returns at once and closes the connection.
    ///
    /// - Throws: `HTTPError.unreachable` with the code of the `URLError`, `HTTPError.tooLarge`,
    ///   `HTTPError.invalidURL`, or `CancellationError`.
    public func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
      guard let address = URL(string: try request.address()) else {
        throw HTTPError.invalidURL(request.url)
      }
      var asked = URLRequest(url: address)
      asked.httpMethod = request.method.rawValue
      asked.httpBody = request.body
      for field in request.headers.fields {
        asked.addValue(field.value, forHTTPHeaderField: field.name)
      }
      let task = session.dataTask(with: asked)
      let waiting = Gatherer.Waiting(request.url, limit: bodyLimit)
      gatherer.add(waiting, to: task)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          waiting.begin(continuation)
          task.resume()
        }
      } onCancel: {
        // End it first: the session would report the cancellation as an unreachable server.
        waiting.end(with: .failure(CancellationError()))
        gatherer.remove(task)
        task.cancel()
      }
    }
  }

  /// A session delegate that collects bodies up to their limits.
  private final class Gatherer: NSObject, URLSessionDataDelegate {
    /// A caller that waits for a response, and the result so far.
    final class Waiting: Sendable {
      private struct State: Sendable {
        var continuation: CheckedContinuation<HTTPResponse, any Error>?
        var result: Result<HTTPResponse, any Error>?
        var body: BodyBuffer
      }

      let url: URL
      private let state: Locked<State>

      init(_ url: URL, limit: Int) {
        self.url = url
        state = Locked(State(body: BodyBuffer(limit: limit)))
      }

      /// Starts to wait, or resumes the caller at once if the result is already there.
      func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
        let result = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }

      /// Delivers the result to the waiting caller; only the first result counts.
      func end(with result: Result<HTTPResponse, any Error>) {
        let continuation = state.withLock { state in
          guard state.result == nil else {
            return nil as CheckedContinuation<HTTPResponse, any Error>?
          }
          state.result = result
          defer { state.continuation = nil }
          return state.continuation
        }
        continuation?.resume(with: result)
      }

      /// Applies a step to the body, and returns whether the response may continue.
      ///
      /// If it may not, the wait ends with the error at once. A session may continue to read after
      /// it was cancelled.
      func take(_ step: @Sendable (inout BodyBuffer) throws(HTTPError) -> Void) -> Bool {
        let failure = state.withLock { state in
          do throws(HTTPError) {
            try step(&state.body)
            return nil as HTTPError?
          } catch { return error }
        }
        if let failure { end(with: .failure(failure)) }
        return failure == nil
      }

      var body: Data { state.withLock { $0.body.bytes } }
    }

    private let waiting = Locked<[Int: Waiting]>([:])

    func add(_ entry: Waiting, to task: URLSessionTask) {
      waiting.withLock { $0[task.taskIdentifier] = entry }
    }

    @discardableResult
    func remove(_ task: URLSessionTask) -> Waiting? {
      waiting.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private subscript(task: URLSessionTask) -> Waiting? {
      waiting.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let length = response.expectedContentLength
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      let goesOn = self[dataTask]?.take { body throws(HTTPError) in
        try body.check(announced: length, status: status)
      }
      completionHandler(goesOn == true ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let goesOn = self[dataTask]?.take { body throws(HTTPError) in try body.append(data) }
      if goesOn != true { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The source decides which URL is requested next, and with which fields (rule N1).
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // A challenge for a user is rejected, so the 401 is returned as the response. The source
      // then sends its credentials with the next request. The system handles certificates and
      // proxies.
      let space = challenge.protectionSpace
      let asksForName = [
        NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
        NSURLAuthenticationMethodHTTPDigest,
      ].contains(space.authenticationMethod)
      completionHandler(
        asksForName && !space.isProxy() ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let entry = remove(task) else { return }
      if let response = task.response as? HTTPURLResponse, error == nil {
        var headers: HTTPHeaders = [:]
        for (name, value) in response.allHeaderFields { headers.append("\(name)", "\(value)") }
        entry.end(
          with: .success(
            HTTPResponse(status: response.statusCode, headers: headers, body: entry.body)))
      } else {
        let unreachable = Unreachable(error as? URLError ?? URLError(.badServerResponse))
        entry.end(with: .failure(unreachable.error(entry.url)))
      }
    }
  }
#endif
