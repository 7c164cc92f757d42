import FlyingFox
import Foundation

/// A filter for the quakes that a request asks for.
///
/// It reads `minlatitude`, `maxlatitude` and `minmagnitude`, as the USGS defines them, and `q`, a
/// text in the name of the place.
struct QuakeFilter: Sendable {
  private let south: Int
  private let north: Int
  private let magnitude: Int
  private let text: String

  init(_ request: HTTPRequest) throws(Refusal) {
    south = try request.number("minlatitude", in: -90...90) ?? -90
    north = try request.number("maxlatitude", in: -90...90) ?? 90
    magnitude = try request.number("minmagnitude", in: 0...10) ?? 0
    text = request.query["q"] ?? ""
    guard text.count <= 100 else { throw Refusal(.badRequest, "q is longer than 100 characters.") }
  }

  /// The filter as query parameters, for the link to another page.
  var query: String {
    var query = ""
    if south > -90 { query += "&minlatitude=\(south)" }
    if north < 90 { query += "&maxlatitude=\(north)" }
    if magnitude > 0 { query += "&minmagnitude=\(magnitude)" }
    let text = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return text.isEmpty ? query : "\(query)&q=\(text)"
  }

  func includes(_ quake: ServedQuake) -> Bool {
    guard (Double(south)...Double(max(south, north))).contains(quake.latitude) else { return false }
    guard quake.magnitude >= Double(magnitude) else { return false }
    let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
    return text.isEmpty || quake.place.range(of: text, options: options) != nil
  }
}
