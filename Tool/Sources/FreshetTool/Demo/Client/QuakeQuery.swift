import Foundation

/// What one of the demo's feeds asks for: the quakes of half the earth, all or those a text finds.
struct QuakeQuery: Hashable, Codable, Sendable {
  enum Half: String, Codable, Sendable, CaseIterable {
    case north, south
  }

  let half: Half
  /// What the name of the place holds; empty for all quakes.
  var text = ""

  /// Where the quakes are, given where all are.
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
