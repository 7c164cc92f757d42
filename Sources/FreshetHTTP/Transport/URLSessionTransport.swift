// On Linux, for the tests of Freshet only: an answer that is cut short ends the process there.
#if canImport(Darwin) || FRESHET_TESTING
  internal import Freshet

  #if canImport(Darwin)
    public import Foundation
  #else
    internal import Foundation
    public import FoundationNetworking
  #endif

  /// Fetches through a `URLSession` of its own, on Apple's systems.
  ///
  /// Its cache is off, as it would hide that nothing changed, and so is its store of credentials: a
  /// 401 comes back as an answer. It follows no redirection. The body is bounded while it comes.
  #if !canImport(Darwin)
    @_spi(Testing)
  #endif
  public final class URLSessionTransport: HTTPTransport {
    /// The transport of every source that names none.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let gatherer: Gatherer

    /// Creates a transport without cookies, with connections of its own.
    ///
    /// The time-out to connect is part of the idle one: `URLSession` has no other.
    public convenience init(timeouts: HTTPTimeouts = HTTPTimeouts()) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.timeoutIntervalForRequest = Double(timeouts.bounded.idle.milliseconds) / 1_000
      configuration.timeoutIntervalForResource = Double(timeouts.bounded.total.milliseconds) / 1_000
      self.init(configuration: configuration)
    }

    /// Creates a transport that connects as you say: its time-outs, cookies, proxies and cellular
    /// network are yours to choose; the cache and the store of credentials are off.
    public init(configuration: URLSessionConfiguration) {
      let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
      copy.urlCache = nil
      copy.urlCredentialStorage = nil
      copy.requestCachePolicy = .reloadIgnoringLocalCacheData
      gatherer = Gatherer()
      session = URLSession(configuration: copy, delegate: gatherer, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The answer to a request.
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
        // Before the session says so itself, as a request that did not reach the server.
        waiting.end(with: .failure(CancellationError()))
        gatherer.remove(task)
        task.cancel()
      }
    }
  }

  /// Gathers bodies up to their limits.
  private final class Gatherer: NSObject, URLSessionDataDelegate {
    /// Who waits for an answer, and what came of it.
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

      /// Begins to wait, also for what is there already.
      func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
        let result = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }

      /// Hands the result to who waits; the first one counts.
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

      /// Whether the answer may go on; where not, the wait has ended, for a session may go on
      /// reading after it was told not to.
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
      // Who may be asked next, and with what, is not for the session to decide (rule N1).
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // A server that asks who we are gets what the source says, with the next request: the 401 is
      // the answer. Certificates and proxies are the system's business.
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
