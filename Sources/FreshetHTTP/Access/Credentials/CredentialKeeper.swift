internal import Freshet

/// Hands out the fields of one account, and has them refreshed once for all who need that.
final class CredentialKeeper: Sendable {
  /// Fields, and how many refreshes there had been when they were asked for.
  struct Fields: Sendable {
    var headers: HTTPHeaders
    var refreshes: Int
  }

  /// What was refreshed last.
  private struct State {
    var refreshes = 0
    var newest: HTTPHeaders = [:]
    /// The fields handed out last, newest first, and the secrets in them.
    var known: [(headers: HTTPHeaders, secrets: [SentSecret])] = []
  }

  /// How many fields are remembered: a server may quote a token that was refreshed since.
  private static let knownLimit = 4

  private let provide: @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders
  /// Whether a refresh may give others.
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

  /// The fields for a request.
  func fields() async throws -> Fields {
    // Counted before: a refresh that ends meanwhile may or may not be in what the provider says.
    let refreshes = state.withLock { $0.refreshes }
    let headers = try await provide(false)
    try headers.check()
    note(headers)
    return Fields(headers: headers, refreshes: refreshes)
  }

  /// The fields to try instead of those that the server refused: refreshed, unless they were since.
  func fields(after refused: Fields) async throws -> HTTPHeaders {
    let newest = state.withLock { $0.refreshes > refused.refreshes ? $0.newest : nil }
    if let newest { return newest }
    return try await flight.value { [self] in
      // Another refresh may have ended between the look and the flight.
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

  /// The secrets in the fields that were handed out last, the newest first.
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
