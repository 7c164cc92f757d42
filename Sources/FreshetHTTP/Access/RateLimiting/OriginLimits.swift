/// The waiting times that one origin asked for.
///
/// An outage of the server affects every account. A rate limit that is used up affects one account
/// only, and its message is not shown to others.
struct OriginLimits: Sendable {
  /// A waiting time, and the response that asked for it.
  struct Rest: Sendable {
    /// When it ends, on the limiter's clock.
    var end: Duration
    var status: Int
    /// The server's message, for the account that received it.
    var message: String?
  }

  /// The requests that wait: all to the origin, or those of one account or to one path.
  private struct Part: Hashable {
    var limitKey: RateLimitKey?
    var path: String?
  }

  /// The largest number of remembered waiting times.
  static var restLimit: Int { 256 }

  private var rests: [Part: (rest: Rest, told: RateLimitKey)] = [:]

  /// When the last waiting time ends.
  var end: Duration { rests.values.map(\.rest.end).max() ?? .zero }

  /// Records the waiting time in a response; a shorter one does not replace a longer one.
  mutating func note(
    _ asked: RetryAfter, of path: String, by limitKey: RateLimitKey, status: Int, message: String?,
    at now: Duration
  ) {
    let new = Rest(end: now + .seconds(asked.seconds), status: status, message: message)
    let part = Part(
      limitKey: status >= 500 ? nil : limitKey, path: asked.scope == .path ? path : nil)
    rests = rests.filter { $0.value.rest.end > now }
    if rests[part] == nil, rests.count >= Self.restLimit {
      // After a waiting time is dropped, a request may be sent too early. The server then asks for
      // the time again.
      guard let first = rests.min(by: { $0.value.rest.end < $1.value.rest.end }) else { return }
      rests[first.key] = nil
    }
    if new.end > rests[part]?.rest.end ?? .zero { rests[part] = (new, limitKey) }
  }

  /// The waiting time that applies to a request, and how many seconds of it are left.
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
