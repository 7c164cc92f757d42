import Foundation

/// The query of a feed of the demo: the quakes of half the earth or of all of it, that match a text
/// or have a magnitude.
struct QuakeQuery: Hashable, Codable, Sendable {
  enum Half: String, Codable, Sendable, CaseIterable {
    case north, south
  }

  /// The quakes of magnitude 5 and more, anywhere.
  static let strong = QuakeQuery(magnitude: 5)

  /// The half of the earth; `nil` for all of it.
  var half: Half?
  /// The text that the name of the place contains; empty for all quakes.
  var text = ""
  /// The smallest magnitude; `nil` for all quakes.
  var magnitude: Int?

  /// Returns the URL of the quakes, given the URL of all quakes.
  func url(in source: URL) -> URL {
    guard var parts = URLComponents(url: source, resolvingAgainstBaseURL: true) else {
      return source
    }
    var items = parts.queryItems ?? []
    if let half {
      items.append(URLQueryItem(name: half == .north ? "minlatitude" : "maxlatitude", value: "0"))
    }
    if let magnitude { items.append(URLQueryItem(name: "minmagnitude", value: "\(magnitude)")) }
    if !text.isEmpty { items.append(URLQueryItem(name: "q", value: text)) }
    parts.queryItems = items
    return parts.url ?? source
  }
}
