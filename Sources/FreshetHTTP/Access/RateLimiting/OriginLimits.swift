/// Until when an origin is left alone, and by whom.
///
/// That a server is down is true for all. That somebody asked too much is true for that account
/// alone, and what the server says of it is nobody else's business.
struct OriginLimits: Sendable {
  /// A time of rest, and the answer that asked for it.
  struct Rest: Sendable {
    /// When it ends, on the clock that the pace is asked by.
    var end: Duration
    var status: Int
    /// The words of the server, for the asker to whom it said them.
    var message: String?
  }

  /// What rests: all that is asked of the origin, or what one asker asks, or a path.
  private struct Part: Hashable {
    var limitKey: RateLimitKey?
    var path: String?
  }

  /// How many rests are remembered.
  static var restLimit: Int { 256 }

  private var rests: [Part: (rest: Rest, told: RateLimitKey)] = [:]

  /// When the last rest ends.
  var end: Duration { rests.values.map(\.rest.end).max() ?? .zero }

  /// Takes note of what an answer asks for; a shorter rest does not end a longer one.
  mutating func note(
    _ asked: RetryAfter, of path: String, by limitKey: RateLimitKey, status: Int, message: String?,
    at now: Duration
  ) {
    let new = Rest(end: now + .seconds(asked.seconds), status: status, message: message)
    let part = Part(
      limitKey: status >= 500 ? nil : limitKey, path: asked.scope == .path ? path : nil)
    rests = rests.filter { $0.value.rest.end > now }
    if rests[part] == nil, rests.count >= Self.restLimit {
      // Who is forgotten is asked a little early, and says so again.
      guard let first = rests.min(by: { $0.value.rest.end < $1.value.rest.end }) else { return }
      rests[first.key] = nil
    }
    if new.end > rests[part]?.rest.end ?? .zero { rests[part] = (new, limitKey) }
  }

  /// The rest that a request would disturb, and how many seconds of it are left.
  func rest(
    of path: String, by limitKey: RateLimitKey, at now: Duration
  ) -> (rest: Rest, seconds: Double)? {
    let found = [
      Part(), Part(path: path), Part(limitKey: limitKey), Part(limitKey: limitKey, path: path),
    ].compactMap { rests[$0] }
    guard let last = found.max(by: { $0.rest.end < $1.rest.end }), last.rest.end > now else {
      return nil
    }
    var rest = last.rest
    if last.told != limitKey { rest.message = nil }
    let left = (rest.end - now).components
    return (rest, Double(left.seconds) + Double(left.attoseconds) * 1e-18)
  }
}
