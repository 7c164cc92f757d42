import Foundation
import FreshetHTTP

/// The place of a section's name: the value at a pointer, or the day of that value.
struct SectionPlace: Sendable {
  var pointer: JSONPointer
  var isDay: Bool

  func name(of value: JSONValue) -> String {
    guard let place = value[pointer.tokens] else { return "" }
    guard isDay else { return place.text ?? "" }
    switch place {
    // Seconds since 1970 have fewer than twelve digits until the year 5138: longer numbers are
    // milliseconds.
    case .number(let text): return Double(text).map { Self.day($0) } ?? ""
    // A date and time in the format of RFC 3339 starts with the day.
    case .string(let text): return String(text.prefix(10))
    default: return ""
    }
  }

  private static func day(_ time: Double) -> String {
    day(milliseconds: abs(time) < 1e11 ? time * 1000 : time)
  }

  /// Returns the day of a moment, in UTC; empty if the moment is too distant to have a date.
  static func day(milliseconds: Double) -> String {
    let seconds = milliseconds / 1000
    guard abs(seconds) < 3e12 else { return "" }
    return Date(timeIntervalSince1970: seconds).formatted(.iso8601.year().month().day())
  }
}
