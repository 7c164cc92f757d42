import Foundation
import Freshet

/// An earthquake, as the server sends it and the cache stores it.
struct Quake: ListItem, Hashable, Codable {
  struct Properties: Hashable, Codable {
    let mag: Double
    let place: String
    let time: Int
    let status: String
    var starred: Bool?
  }

  struct Geometry: Hashable, Codable {
    let coordinates: [Double]
  }

  let id: String
  var properties: Properties
  let geometry: Geometry

  var time: Date { Date(timeIntervalSince1970: Double(properties.time) / 1000) }
  var day: String { time.formatted(date: .complete, time: .omitted) }
  var magnitude: String { properties.mag.formatted(.number.precision(.fractionLength(1))) }
  var isStarred: Bool { properties.starred ?? false }
}

/// What a feed asks for: the quakes of half the earth, or of all of it, and those that a text
/// finds.
struct QuakeQuery: Hashable, Codable, Sendable {
  enum Part: String, Codable {
    case north, south, all
  }

  var part = Part.all
  var text = ""

  /// Where the quakes are.
  func url(on server: URL) -> URL {
    var items = [URLQueryItem(name: "limit", value: "25")]
    if part != .all {
      items.append(URLQueryItem(name: part == .north ? "minlatitude" : "maxlatitude", value: "0"))
    }
    if !text.isEmpty { items.append(URLQueryItem(name: "q", value: text)) }
    return server.appending(path: "quakes.geojson").appending(queryItems: items)
  }
}
