internal import Freshet

/// The header fields of one account, which are refreshed once for all requests that need it.
final class CredentialKeeper: Sendable {
  /// Fields, and the number of refreshes before they were requested.
  struct Fields: Sendable {
    var headers: HTTPHeaders
    var refreshes: Int
  }

  /// The result of the last refresh.
  private struct State {
    var refreshes = 0
    var newest: HTTPHeaders = [:]
    /// The fields returned last, newest first, and the secrets in them.
    var known: [(headers: HTTPHeaders, secrets: [SentSecret])] = []
  }

  /// The number of remembered fields: a server may quote a token that has been replaced since.
  private static let knownLimit = 4

  private let provide: @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders
  /// Whether a refresh may return other fields.
  let canRefresh: Bool
  private let state = Locked(State())
  private let flight = SingleFlight<HTTPHeaders>()

  init(_ provide: @escaping @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders) {
    self.provide = provide
    canRefresh = true
  }

  init(fixed headers: HTTPHeaders) {
    provide = { _ in headers }
    canRefresh = false
  }

  /// Returns the fields for a request.
  func fields() async throws -> Fields {
    // The count is read first: the provider may or may not know of a refresh that ends meanwhile.
    let refreshes = state.withLock { $0.refreshes }
    let headers = try await provide(false)
    try headers.check()
    note(headers)
    return Fields(headers: headers, refreshes: refreshes)
  }

  /// Returns the fields to try after the server refused some.
  ///
  /// They are refreshed, unless a refresh has ended since the refused ones were requested.
  func fields(after refused: Fields) async throws -> HTTPHeaders {
    let newest = state.withLock { $0.refreshes > refused.refreshes ? $0.newest : nil }
    if let newest { return newest }
    return try await flight.value { [self] in
      // Another refresh may have ended since the check above.
      let newest = state.withLock { $0.refreshes > refused.refreshes ? $0.newest : nil }
      if let newest { return newest }
      let headers = try await provide(true)
      try headers.check()
      note(headers)
      state.withLock {
        $0.refreshes += 1
        $0.newest = headers
      }
      return headers
    }
  }

  /// The secrets in the fields that were returned last, newest first.
  var known: [SentSecret] { state.withLock { $0.known.flatMap(\.secrets) } }

  private func note(_ headers: HTTPHeaders) {
    state.withLock { state in
      guard state.known.first?.headers != headers else { return }
      let index = state.known.firstIndex { $0.headers == headers }
      let entry =
        index.map { state.known.remove(at: $0) } ?? (headers, SentSecret.all(in: headers))
      state.known.insert(entry, at: 0)
      if state.known.count > Self.knownLimit { state.known.removeLast() }
    }
  }
}
