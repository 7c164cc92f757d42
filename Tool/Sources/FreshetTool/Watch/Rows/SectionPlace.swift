import Foundation
import FreshetHTTP

/// A section by what stands at a pointer, or by its day.
struct SectionPlace: Sendable {
  var pointer: JSONPointer
  var isDay: Bool

  func name(of value: JSONValue) -> String {
    guard let place = value[pointer.tokens] else { return "" }
    guard isDay else { return place.text ?? "" }
    switch place {
    // Epoch seconds or milliseconds: seconds reach the year 5138 before they have twelve digits.
    case .number(let text): return Double(text).map { Self.day($0) } ?? ""
    // A date and time as RFC 3339 writes it starts with the day.
    case .string(let text): return String(text.prefix(10))
    default: return ""
    }
  }

  private static func day(_ time: Double) -> String {
    day(milliseconds: abs(time) < 1e11 ? time * 1000 : time)
  }

  /// The day of a moment, in UTC; nothing where there are no days, beyond the year 100,000.
  static func day(milliseconds: Double) -> String {
    let seconds = milliseconds / 1000
    guard abs(seconds) < 3e12 else { return "" }
    return Date(timeIntervalSince1970: seconds).formatted(.iso8601.year().month().day())
  }
}
