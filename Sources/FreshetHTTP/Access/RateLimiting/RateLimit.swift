/// The fields by which servers say how many requests are left: `RateLimit`, in the forms of its
/// drafts, `RateLimit-Remaining` and `-Reset`, and the same with `X-` in front or `Rate-Limit` in
/// two words.
enum RateLimit {
  /// How long until there are requests left again; `nil` where there are, or nothing says so.
  ///
  /// - Parameters:
  ///   - headers: those of the answer.
  ///   - isRefusal: whether it says by its status that none are left.
  ///   - serverNow: the seconds since 1970, by the server's clock.
  static func rest(in headers: HTTPHeaders, isRefusal: Bool, _ serverNow: Double) -> Double? {
    var rests: [Double] = []
    if let text = headers["RateLimit"] { rests += structured(text, serverNow) }
    for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
      let remaining = headers["\(prefix)-Remaining"] ?? (isRefusal ? "0" : nil)
      guard let remaining else { continue }
      // A limit of zero is none.
      if headers["\(prefix)-Limit"].flatMap({ TimeText.number($0) }) == 0 { continue }
      rests += used(of: remaining, resets(headers, prefix, serverNow))
    }
    return rests.max().flatMap { $0 > 0 ? $0 : nil }
  }

  /// When limits begin anew, in seconds from now: as a span, or else as spans and moments.
  private static func resets(
    _ headers: HTTPHeaders, _ prefix: String, _ serverNow: Double
  ) -> [Double?] {
    if let text = headers["\(prefix)-Reset-After"] {
      return text.split(separator: ",").map { TimeText.span($0) }
    }
    guard let text = headers["\(prefix)-Reset"] else { return [] }
    // A date of HTTP has a comma.
    if let moment = TimeText.moment(text, now: serverNow) { return [moment - serverNow] }
    return text.split(separator: ",").map { part in
      TimeText.number(part).map { seconds(until: $0, serverNow) }
        ?? TimeText.span(part) ?? TimeText.moment(part, now: serverNow).map { $0 - serverNow }
    }
  }

  /// The rests of those limits of which nothing is left.
  private static func used(of remaining: String, _ resets: [Double?]) -> [Double] {
    guard let last = resets.last else { return [] }
    return remaining.split(separator: ",").prefix(16).enumerated().compactMap { index, left in
      guard let left = TimeText.number(left), left < 1 else { return nil }
      return index < resets.count ? resets[index] : last
    }
  }

  /// `limit=100, remaining=0, reset=50`, or `"default";r=0;t=50`, several of the latter with
  /// commas.
  private static func structured(_ text: String, _ serverNow: Double) -> [Double] {
    // What stands in quotes are names.
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

  /// The seconds that a reset says: a span, or a moment in seconds or milliseconds since 1970,
  /// which its size tells apart.
  private static func seconds(until reset: Double, _ serverNow: Double) -> Double {
    switch reset {
    case 1e11...: reset / 1000 - serverNow
    case 1e9...: reset - serverNow
    default: reset
    }
  }
}
