/// A date as HTTP writes it (RFC 9110, section 5.6.7), in seconds since 1970.
///
/// All three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`.
struct HTTPDate: Equatable {
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  /// Parses a date; `nil` if the text is not a date.
  ///
  /// - Parameter now: the current time, which completes a year of two digits. The result is the
  ///   last year with these digits that is less than fifty years ahead.
  init?(_ text: String, now: Double) {
    guard text.utf8.count <= 64, !text.contains(" -"), !text.contains("- ") else { return nil }
    let words = text.split { " ,-\t".contains($0) }.map(String.init)
    let isEpochForm = words.count == 5
    guard words.count == 6 && ["GMT", "UTC"].contains(words[5].uppercased()) || isEpochForm,
      let day = Self.number(words[isEpochForm ? 2 : 1], 1...31),
      let month = Self.months.firstIndex(of: words[isEpochForm ? 1 : 2].prefix(3).lowercased()),
      var year = Self.number(words[isEpochForm ? 4 : 3], 0...9999)
    else { return nil }
    let clock = words[isEpochForm ? 3 : 4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23),
      let minute = Self.number(clock[1], 0...59), let second = Self.number(clock[2], 0...60)
    else { return nil }
    if (words[isEpochForm ? 4 : 3]).utf8.count == 2 {
      let thisYear = 1970 + Int(max(0, min(now, 2.5e11)) / 31_556_952)
      year += thisYear - thisYear % 100
      if year >= thisYear + 50 { year -= 100 }
    }
    guard year >= 1600 else { return nil }
    let days = Self.days(year, month + 1, day)
    seconds = Double(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// Parses an ISO 8601 date as servers write it (RFC 3339); `nil` if the text is not a date.
  ///
  /// An example is `1994-11-06T08:49:37Z`. Fractions of a second are optional, and `+01:00` may
  /// replace `Z`. A space may replace `T`.
  init?(iso text: String) {
    let bytes = text.utf8
    guard 20...40 ~= bytes.count, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let date = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    let rest = text.dropFirst(10)
    guard date.count == 3, date[0].count == 4, "Tt ".contains(rest.first ?? "-"),
      let year = Self.number(date[0], 1600...9999), let month = Self.number(date[1], 1...12),
      let day = Self.number(date[2], 1...31)
    else { return nil }
    let clock = rest.dropFirst().prefix(8).split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23),
      let minute = Self.number(clock[1], 0...59), let second = Self.number(clock[2], 0...60)
    else { return nil }
    let end = rest.dropFirst(9)
    let fraction = end.prefix { $0 == "." || $0.isNumber }
    guard fraction.isEmpty || fraction.first == ".", let part = Double("0\(fraction)"),
      let ahead = Self.zone(end.dropFirst(fraction.count))
    else { return nil }
    let whole = ((Self.days(year, month, day) * 24 + hour) * 60 + minute - ahead) * 60 + second
    seconds = Double(whole) + part
  }

  /// Returns how many minutes a zone is ahead of UTC: `Z`, `+01:00`, `-0530`.
  private static func zone(_ text: Substring) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let digits = text.dropFirst().replacing(":", with: "")
    guard let signal = text.first, "+-".contains(signal), digits.utf8.count == 4,
      let hours = number(digits.prefix(2), 0...23), let minutes = number(digits.suffix(2), 0...59)
    else { return nil }
    return (signal == "+" ? 1 : -1) * (hours * 60 + minutes)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(text) else {
      return nil
    }
    return range.contains(number) ? number : nil
  }

  /// Returns the days since 1970 of a date in the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years are counted from March, so that a leap day is the last day of a year.
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
