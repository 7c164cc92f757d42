internal import Foundation
internal import Freshet

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Fetches through a `URLSession` of its own: no shared cache, which would hide that nothing
/// changed, and no shared cookies.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let tasks: TaskDelegate

  /// Creates a session; a request fails when `timeout` seconds, at most a day, pass without a byte.
  public init(timeout: Double = 30) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // Foundation counts it as an integer, which not every number becomes.
    configuration.timeoutIntervalForRequest = timeout.isNaN ? 30 : min(max(1, timeout), 86_400)
    tasks = TaskDelegate()
    session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// The answer to a request.
  ///
  /// Cancelling closes the connection.
  public func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    var urlRequest = URLRequest(url: request.url)
    for field in request.headers.fields {
      urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
    }
    let task = session.dataTask(with: urlRequest)
    defer { tasks.forget(task) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        tasks.add(task, TaskDelegate.Pending(limit: bodyLimit, continuation: continuation))
        task.resume()
      }
    } onCancel: {
      // What is cancelled before it began would never complete.
      task.cancel()
      tasks.cancel(task)
    }
  }
}

/// Gathers bodies up to their limits.
private final class TaskDelegate: NSObject, URLSessionDataDelegate {
  struct Pending {
    let limit: Int
    let continuation: CheckedContinuation<HTTPResponse, any Error>
    var body = Data()
  }

  private let pending = Locked<[Int: Pending]>([:])
  private let cancelled = Locked<Set<Int>>([])

  func add(_ task: URLSessionTask, _ entry: Pending) {
    pending.withLock { $0[task.taskIdentifier] = entry }
    if cancelled.withLock({ $0.contains(task.taskIdentifier) }) { cancel(task) }
  }

  func cancel(_ task: URLSessionTask) {
    cancelled.withLock { _ = $0.insert(task.taskIdentifier) }
    let entry = pending.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    entry?.continuation.resume(throwing: CancellationError())
  }

  func forget(_ task: URLSessionTask) {
    cancelled.withLock { _ = $0.remove(task.taskIdentifier) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let length = response.expectedContentLength
    guard !refuse(dataTask, where: { length > Int64($0.limit) }) else {
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = refuse(dataTask) { entry in
      entry.body.append(data)
      return entry.body.count > entry.limit
    }
    if isTooLarge { dataTask.cancel() }
  }

  /// Ends the wait for an answer that is too large: what else comes of it is nobody's, for a session
  /// may go on reading after it was told not to.
  private func refuse(_ task: URLSessionTask, where isTooLarge: (inout Pending) -> Bool) -> Bool {
    let refused = pending.withLock { pending -> Pending? in
      guard var entry = pending.removeValue(forKey: task.taskIdentifier) else { return nil }
      if isTooLarge(&entry) { return entry }
      pending[task.taskIdentifier] = entry
      return nil
    }
    refused?.continuation.resume(throwing: FeedError.tooLarge(limit: refused?.limit ?? 0))
    return refused != nil
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
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let entry = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    if let error {
      let url = task.originalRequest?.url ?? URL(fileURLWithPath: "/")
      entry.continuation.resume(
        throwing: FeedError.unreachable(
          url, code: (error as? URLError)?.code ?? .unknown, reason: error.localizedDescription))
    } else if let response = task.response as? HTTPURLResponse {
      let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
      entry.continuation.resume(
        returning: HTTPResponse(
          status: response.statusCode, headers: HTTPHeaders(Dictionary(fields) { $1 }),
          body: entry.body))
    } else {
      entry.continuation.resume(throwing: URLError(.badServerResponse))
    }
  }
}
