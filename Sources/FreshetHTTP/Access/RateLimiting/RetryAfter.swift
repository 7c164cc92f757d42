/// How long a server asks clients to wait.
struct RetryAfter: Equatable {
  /// The requests that are to wait.
  enum Scope: Equatable {
    /// All requests to the origin.
    case origin
    /// Requests to the same path: other lists of the origin may have limits of their own.
    case path
  }

  /// How long, in seconds.
  var seconds: Double
  var scope: Scope

  /// The longest wait: a day.
  static var longest: Double { 86_400 }

  /// What an answer says: by `Retry-After`, or by the fields of a limit that is used up.
  ///
  /// - Parameter now: seconds since 1970, by the clock here. Moments are counted from the answer's
  ///   own `Date`, so that a clock that goes wrong on either side changes nothing.
  init?(_ response: HTTPResponse, now: Double) {
    let serverNow = response.headers["Date"].flatMap { HTTPDate($0, now: now) }?.seconds ?? now
    let isSuccess = (200..<400).contains(response.status)
    if Self.isAboutTime(response.status),
      let seconds = Self.retryAfter(response.headers, serverNow, now)
    {
      self.init(seconds: seconds, scope: .origin)
      return
    }
    // What a server cannot find or does not understand says nothing about its limits.
    guard isSuccess || [403, 429, 503].contains(response.status),
      let seconds = RateLimit.rest(
        in: response.headers, isRefusal: response.status == 429, serverNow)
    else { return nil }
    self.init(seconds: seconds, scope: .path)
  }

  /// Whether a refusal is about when it was asked, so that asking later may help.
  private static func isAboutTime(_ status: Int) -> Bool {
    [403, 408, 425, 429].contains(status) || status >= 500
  }

  init(seconds: Double, scope: Scope) {
    self.seconds = seconds.isFinite ? min(max(0, seconds), Self.longest) : 0
    self.scope = scope
  }

  /// `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3); or in milliseconds, as some
  /// servers say it in a field of its own.
  private static func retryAfter(
    _ headers: HTTPHeaders, _ serverNow: Double, _ now: Double
  ) -> Double? {
    for name in ["Retry-After-Ms", "X-Retry-After-Ms", "X-Ms-Retry-After-Ms"] {
      if let number = headers[name].flatMap({ TimeText.number($0) }) { return number / 1000 }
    }
    guard let text = headers["Retry-After"] else { return nil }
    // Several fields, as proxies add them, are joined by commas, which dates hold too.
    let parts = text.split(separator: ",").map { TimeText.span($0) }
    if !parts.isEmpty, parts.allSatisfy({ $0 != nil }) { return parts.compactMap(\.self).max() }
    return TimeText.moment(text, now: now).map { $0 - serverNow }
  }
}
