/// The header fields with the number of requests that are left.
///
/// They are `RateLimit`, in the forms of its drafts, and `RateLimit-Remaining` with
/// `RateLimit-Reset`. The latter two may also begin with `X-RateLimit` or `X-Rate-Limit`.
enum RateLimit {
  /// Returns the seconds until requests are left again; `nil` if no limit is used up.
  ///
  /// - Parameters:
  ///   - headers: the header fields of the response.
  ///   - isRefusal: whether the response's status means that none are left.
  ///   - serverNow: the seconds since 1970, by the server's clock.
  static func rest(in headers: HTTPHeaders, isRefusal: Bool, _ serverNow: Double) -> Double? {
    var rests: [Double] = []
    if let text = headers["RateLimit"] { rests += structured(text, serverNow) }
    for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
      let remaining = headers["\(prefix)-Remaining"] ?? (isRefusal ? "0" : nil)
      guard let remaining else { continue }
      // A limit of zero means that there is no limit.
      if headers["\(prefix)-Limit"].flatMap({ TimeText.number($0) }) == 0 { continue }
      rests += used(of: remaining, resets(headers, prefix, serverNow))
    }
    return rests.max().flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the seconds until limits start again, from time spans or else from spans and dates.
  private static func resets(
    _ headers: HTTPHeaders, _ prefix: String, _ serverNow: Double
  ) -> [Double?] {
    if let text = headers["\(prefix)-Reset-After"] {
      return text.split(separator: ",").map { TimeText.span($0) }
    }
    guard let text = headers["\(prefix)-Reset"] else { return [] }
    // An HTTP date contains a comma.
    if let moment = TimeText.moment(text, now: serverNow) { return [moment - serverNow] }
    return text.split(separator: ",").map { part in
      TimeText.number(part).map { seconds(until: $0, serverNow) }
        ?? TimeText.span(part) ?? TimeText.moment(part, now: serverNow).map { $0 - serverNow }
    }
  }

  /// Returns the waiting times of the limits that are used up.
  private static func used(of remaining: String, _ resets: [Double?]) -> [Double] {
    guard let last = resets.last else { return [] }
    return remaining.split(separator: ",").prefix(16).enumerated().compactMap { index, left in
      guard let left = TimeText.number(left), left < 1 else { return nil }
      return index < resets.count ? resets[index] : last
    }
  }

  /// Returns the waiting times from a `RateLimit` field.
  ///
  /// Its forms are `limit=100, remaining=0, reset=50` and `"default";r=0;t=50`. The latter may be
  /// repeated, separated by commas.
  private static func structured(_ text: String, _ serverNow: Double) -> [Double] {
    // Texts in quotes are names.
    let text = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    let isOld = text.contains("remaining=")
    let policies =
      isOld ? [Substring(text)] : text.split(separator: ",").prefix(16)[...].map(\.self)
    return policies.compactMap { policy in
      var members: [Substring: Double] = [:]
      for member in policy.split(whereSeparator: { ",;".contains($0) }).prefix(16) {
        let parts = member.split(separator: "=", maxSplits: 1).map(TimeText.trimmed)
        if parts.count == 2, let value = TimeText.number(parts[1]) { members[parts[0]] = value }
      }
      guard let left = members[isOld ? "remaining" : "r"], left < 1,
        let reset = members[isOld ? "reset" : "t"]
      else { return nil }
      return seconds(until: reset, serverNow)
    }
  }

  /// Returns the seconds until a reset.
  ///
  /// The value is a time span, or a moment in seconds or milliseconds since 1970. Its size shows
  /// which.
  private static func seconds(until reset: Double, _ serverNow: Double) -> Double {
    switch reset {
    case 1e11...: reset / 1000 - serverNow
    case 1e9...: reset - serverNow
    default: reset
    }
  }
}
