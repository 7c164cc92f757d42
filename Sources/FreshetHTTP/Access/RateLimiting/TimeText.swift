/// The formats in which servers write times into header fields.
enum TimeText {
  /// Returns the seconds of a time span: `3`, `2.5`, `3s`, `500 ms`, `2 minutes`.
  ///
  /// Text after a semicolon is ignored.
  static func span(_ text: some StringProtocol) -> Double? {
    let text = trimmed(Substring(text).prefix { $0 != ";" })
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = number(digits), let unit = units[trimmed(text.dropFirst(digits.count))] else {
      return nil
    }
    return value * unit
  }

  private static func unitNames(_ seconds: Double, _ names: [Substring]) -> [(Substring, Double)] {
    names.map { ($0, seconds) }
  }

  private static let units = Dictionary(
    uniqueKeysWithValues: unitNames(1, ["", "s", "sec", "secs", "second", "seconds"])
      + unitNames(0.001, ["ms", "millis", "milliseconds"])
      + unitNames(60, ["m", "min", "mins", "minute", "minutes"])
      + unitNames(3600, ["h", "hour", "hours"]))

  /// Returns the seconds since 1970 of a date in HTTP's form or in ISO 8601.
  static func moment(_ text: some StringProtocol, now: Double) -> Double? {
    let text = String(trimmed(Substring(text)))
    return (HTTPDate(text, now: now) ?? HTTPDate(iso: text))?.seconds
  }

  /// Returns a number without sign or exponent, limited to the largest plausible value.
  static func number(_ text: some StringProtocol) -> Double? {
    let text = trimmed(Substring(text))
    guard let first = text.utf8.first, 48...57 ~= first,
      text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == 46 }), text.utf8.count <= 400
    else { return nil }
    return Double(text).map { min($0, 1e15) }
  }

  static func trimmed(_ text: Substring) -> Substring {
    let text = text.drop { $0 == " " || $0 == "\t" }
    return text[
      ..<(text.lastIndex { $0 != " " && $0 != "\t" }.map(text.index(after:)) ?? text.startIndex)]
  }
}
