/// Until when an origin is left alone.
struct OriginPace: Sendable {
  /// A time of rest, and the answer that asked for it.
  struct Rest: Sendable {
    /// When it ends, on the clock that the pace is asked by.
    var end: Duration
    var status: Int
    var message: String?
  }

  /// How many paths are remembered that rest for themselves.
  static var pathLimit: Int { 32 }

  private var rest: Rest?
  private var paths: [String: Rest] = [:]

  /// When the last rest ends.
  var end: Duration { max(rest?.end ?? .zero, paths.values.map(\.end).max() ?? .zero) }

  /// Takes note of what an answer asks for; a shorter rest does not end a longer one.
  mutating func note(
    _ asked: AskedRest, of path: String, status: Int, message: String?, at now: Duration
  ) {
    let new = Rest(end: now + .seconds(asked.seconds), status: status, message: message)
    switch asked.scope {
    case .origin:
      if new.end > rest?.end ?? .zero { rest = new }
    case .path:
      paths = paths.filter { $0.value.end > now }
      if paths[path] == nil, paths.count >= Self.pathLimit {
        // Who is forgotten is asked a little early, and says so again.
        guard let first = paths.min(by: { $0.value.end < $1.value.end }) else { return }
        paths[first.key] = nil
      }
      if new.end > paths[path]?.end ?? .zero { paths[path] = new }
    }
  }

  /// The rest that a request would disturb, and how many seconds of it are left.
  func rest(of path: String, at now: Duration) -> (rest: Rest, seconds: Double)? {
    guard let last = [rest, paths[path]].compactMap(\.self).max(by: { $0.end < $1.end }),
      last.end > now
    else { return nil }
    let left = (last.end - now).components
    return (last, Double(left.seconds) + Double(left.attoseconds) * 1e-18)
  }
}
