/// How long a server asks to be left alone.
struct AskedRest: Equatable {
  /// Whom it asks that for.
  enum Scope: Equatable {
    /// All that is asked of the origin.
    case origin
    /// What is asked of the same path: other lists of the origin may count for themselves.
    case path
  }

  /// How long, in seconds.
  var seconds: Double
  var scope: Scope

  /// Nobody waits longer than a day.
  static var longest: Double { 86_400 }

  /// What an answer says: by `Retry-After`, or by the fields of a limit that is used up.
  ///
  /// - Parameter now: seconds since 1970, by the clock here. Moments are counted from the answer's
  ///   own `Date`, so that a clock that goes wrong on either side changes nothing.
  init?(_ response: HTTPResponse, now: Double) {
    let serverNow = response.headers["Date"].flatMap { HTTPDate($0, now: now) }?.seconds ?? now
    let isSuccess = (200..<400).contains(response.status)
    if Self.isAboutTime(response.status), let text = response.headers["Retry-After"],
      let seconds = Self.retryAfter(text, serverNow, now)
    {
      self.init(seconds: seconds, scope: .origin)
      return
    }
    // What a server cannot find or does not understand says nothing about its limits.
    guard isSuccess || [403, 429, 503].contains(response.status),
      let seconds = RateLimit.rest(in: response.headers, serverNow)
    else { return nil }
    self.init(seconds: seconds, scope: .path)
  }

  /// Whether a refusal is about when it was asked, so that asking later may help.
  private static func isAboutTime(_ status: Int) -> Bool {
    [403, 408, 425, 429].contains(status) || status >= 500
  }

  init(seconds: Double, scope: Scope) {
    self.seconds = min(max(0, seconds), Self.longest)
    self.scope = scope
  }

  /// `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
  private static func retryAfter(_ text: String, _ serverNow: Double, _ now: Double) -> Double? {
    // Several fields, as proxies add them, are joined by commas, which dates hold too.
    let parts = text.split(separator: ",").map { RateLimit.number($0) }
    if !parts.isEmpty, parts.allSatisfy({ $0 != nil }) { return parts.compactMap(\.self).max() }
    return HTTPDate(text, now: now).map { $0.seconds - serverNow }
  }
}

/// The fields by which servers say how many requests are left: `RateLimit`, in the forms of its drafts,
/// `RateLimit-Remaining` and `-Reset`, and the same with `X-` in front or `Rate-Limit` in two words.
enum RateLimit {
  /// How long until there are requests left again; `nil` where there are, or nothing says so.
  static func rest(in headers: HTTPHeaders, _ serverNow: Double) -> Double? {
    var rests: [Double] = []
    if let text = headers["RateLimit"] { rests += structured(text, serverNow) }
    for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
      guard let remaining = headers["\(prefix)-Remaining"], let reset = headers["\(prefix)-Reset"]
      else { continue }
      // A limit of zero is none.
      if let limit = headers["\(prefix)-Limit"].flatMap({ number($0) }), limit == 0 { continue }
      let resets = reset.split(separator: ",").map { number($0) }
      for (index, left) in remaining.split(separator: ",").prefix(16).enumerated() {
        guard let left = number(left), left < 1, let last = resets.last,
          let reset = index < resets.count ? resets[index] : last
        else { continue }
        rests.append(seconds(until: reset, serverNow))
      }
    }
    return rests.max().flatMap { $0 > 0 ? $0 : nil }
  }

  /// `limit=100, remaining=0, reset=50`, or `"default";r=0;t=50`, several of the latter with commas.
  private static func structured(_ text: String, _ serverNow: Double) -> [Double] {
    let isOld = text.contains("remaining=")
    let policies =
      isOld ? [Substring(text)] : text.split(separator: ",").prefix(16)[...].map(\.self)
    return policies.compactMap { policy in
      var members: [Substring: Double] = [:]
      for member in policy.split(whereSeparator: { ",;".contains($0) }).prefix(16) {
        let parts = member.split(separator: "=", maxSplits: 1).map(trimmed)
        if parts.count == 2, let value = number(parts[1]) { members[parts[0]] = value }
      }
      guard let left = members[isOld ? "remaining" : "r"], left < 1,
        let reset = members[isOld ? "reset" : "t"]
      else { return nil }
      return seconds(until: reset, serverNow)
    }
  }

  /// The seconds that a reset says: a span, or a moment in seconds or milliseconds since 1970, which
  /// its size tells apart.
  private static func seconds(until reset: Double, _ serverNow: Double) -> Double {
    switch reset {
    case 1e11...: reset / 1000 - serverNow
    case 1e9...: reset - serverNow
    default: reset
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let text = text.drop { $0 == " " || $0 == "\t" }
    return text[
      ..<(text.lastIndex { $0 != " " && $0 != "\t" }.map(text.index(after:)) ?? text.startIndex)]
  }

  /// A number without sign or exponent.
  static func number(_ text: some StringProtocol) -> Double? {
    let text = trimmed(Substring(text))
    guard let first = text.utf8.first, 48...57 ~= first,
      text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == 46 }), text.utf8.count <= 400
    else { return nil }
    return Double(text).map { min($0, 1e15) }
  }
}
