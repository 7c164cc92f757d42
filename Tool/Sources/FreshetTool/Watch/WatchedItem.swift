import Foundation
import Freshet
import FreshetHTTP

/// A row of any JSON list.
struct WatchedItem: ListItem, Codable {
  /// Where to find what in a row.
  struct Places: Sendable {
    var id: JSONPointer = "/id"
    var title: JSONPointer?
    var section: SectionPlace?
  }

  let id: String
  let section: String
  let title: String
  let value: JSONValue

  private enum CodingKeys: CodingKey {
    case id, section, title, value
  }

  /// Reads a row as the server sent it where the decoder knows the places, else as it was cached.
  init(from decoder: any Decoder) throws {
    guard let places = decoder.userInfo[.watchedPlaces] as? Places else {
      let stored = try decoder.container(keyedBy: CodingKeys.self)
      id = try stored.decode(String.self, forKey: .id)
      section = try stored.decode(String.self, forKey: .section)
      title = try stored.decode(String.self, forKey: .title)
      value = try stored.decode(JSONValue.self, forKey: .value)
      return
    }
    value = try JSONValue(from: decoder)
    guard let id = value[places.id.tokens]?.text else {
      let path = places.id.tokens.map(PathKey.init)
      throw DecodingError.keyNotFound(
        path.last ?? PathKey(""),
        .init(codingPath: decoder.codingPath + path.dropLast(), debugDescription: "no id"))
    }
    self.id = id
    section = places.section?.name(of: value) ?? ""
    title = Self.title(of: value, places.title) ?? ""
  }

  private static func title(of value: JSONValue, _ place: JSONPointer?) -> String? {
    if let place { return value[place.tokens]?.text ?? "" }
    return ["title", "name", "summary", "message", "text"].lazy.compactMap { value[[$0]]?.text }
      .first
  }

}

/// A section by what stands at a pointer, or by its day.
struct SectionPlace: Sendable {
  var pointer: JSONPointer
  var isDay: Bool

  func name(of value: JSONValue) -> String {
    guard let place = value[pointer.tokens] else { return "" }
    guard isDay else { return place.text ?? "" }
    switch place {
    // Epoch seconds or milliseconds: seconds reach the year 5138 before they have twelve digits.
    case .integer(let time):
      return Self.day(Double(time))
    case .large: return ""
    case .number(let time): return Self.day(time)
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

struct PathKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init("\(intValue)") }
}

extension CodingUserInfoKey {
  static var watchedPlaces: CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: "freshet.watched") else {
      preconditionFailure("any text is a key")
    }
    return key
  }
}
