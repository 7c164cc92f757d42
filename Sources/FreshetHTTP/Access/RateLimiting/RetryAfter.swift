/// The time that a server asks clients to wait.
struct RetryAfter: Equatable {
  /// The requests that have to wait.
  enum Scope: Equatable {
    /// All requests to the origin.
    case origin
    /// Requests to the same path: other lists of the origin may have limits of their own.
    case path
  }

  /// The time in seconds.
  var seconds: Double
  var scope: Scope

  /// The longest wait: a day.
  static var longest: Double { 86_400 }

  /// Creates the waiting time from a response; `nil` if it asks for none.
  ///
  /// It is given by `Retry-After`, or by the fields of a rate limit that is used up.
  ///
  /// - Parameter now: the seconds since 1970, by the local clock. Dates are measured from the
  ///   response's own `Date`, so that a wrong clock on either side changes nothing.
  init?(_ response: HTTPResponse, now: Double) {
    let serverNow = response.headers["Date"].flatMap { HTTPDate($0, now: now) }?.seconds ?? now
    let isSuccess = (200..<400).contains(response.status)
    if Self.isAboutTime(response.status),
      let seconds = Self.retryAfter(response.headers, serverNow, now)
    {
      self.init(seconds: seconds, scope: .origin)
      return
    }
    // Other errors, such as 400 and 404, say nothing about the server's limits.
    guard isSuccess || [403, 429, 503].contains(response.status),
      let seconds = RateLimit.rest(
        in: response.headers, isRefusal: response.status == 429, serverNow)
    else { return nil }
    self.init(seconds: seconds, scope: .path)
  }

  /// Returns whether a refusal depends on the time, so that a later request may succeed.
  private static func isAboutTime(_ status: Int) -> Bool {
    [403, 408, 425, 429].contains(status) || status >= 500
  }

  init(seconds: Double, scope: Scope) {
    self.seconds = seconds.isFinite ? min(max(0, seconds), Self.longest) : 0
    self.scope = scope
  }

  /// Returns the seconds in `Retry-After`, which holds seconds or a date.
  ///
  /// See RFC 9110, section 10.2.3. Some servers send milliseconds in a field of their own.
  private static func retryAfter(
    _ headers: HTTPHeaders, _ serverNow: Double, _ now: Double
  ) -> Double? {
    for name in ["Retry-After-Ms", "X-Retry-After-Ms", "X-Ms-Retry-After-Ms"] {
      if let number = headers[name].flatMap({ TimeText.number($0) }) { return number / 1000 }
    }
    guard let text = headers["Retry-After"] else { return nil }
    // Proxies may add fields, which are joined by commas. Dates contain commas, too.
    let parts = text.split(separator: ",").map { TimeText.span($0) }
    if !parts.isEmpty, parts.allSatisfy({ $0 != nil }) { return parts.compactMap(\.self).max() }
    return TimeText.moment(text, now: now).map { $0 - serverNow }
  }
}
