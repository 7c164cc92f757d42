import Foundation

/// The query of a feed of the demo: the quakes of half the earth, all or those that match a text.
struct QuakeQuery: Hashable, Codable, Sendable {
  enum Half: String, Codable, Sendable, CaseIterable {
    case north, south
  }

  let half: Half
  /// The text that the name of the place contains; empty for all quakes.
  var text = ""

  /// Returns the URL of the quakes, given the URL of all quakes.
  func url(in source: URL) -> URL {
    guard var parts = URLComponents(url: source, resolvingAgainstBaseURL: true) else {
      return source
    }
    let latitude = half == .north ? "minlatitude" : "maxlatitude"
    parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: latitude, value: "0")]
    if !text.isEmpty { parts.queryItems?.append(URLQueryItem(name: "q", value: text)) }
    return parts.url ?? source
  }
}
