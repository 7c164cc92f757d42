import Freshet

/// An earthquake as the demo's client reads it from GeoJSON, and stores it.
struct Quake: ListItem, Codable {
  struct Properties: Hashable, Codable {
    let mag: Double
    let place: String
    let time: Int
    let updated: Int
    let status: String
    var starred: Bool?
  }

  struct Geometry: Hashable, Codable {
    let coordinates: [Double]
  }

  let id: String
  var properties: Properties
  let geometry: Geometry

  /// The day it happened, in UTC.
  var day: String { SectionPlace.day(milliseconds: Double(properties.time)) }
}

/// A row as the page shows it.
struct PageRow: Encodable {
  let id: String
  let kind: String
  var gap: Int?
  var time: Int?
  var magnitude: Double?
  var place: String?
  var depth: Double?
  var latitude: Double?
  var longitude: Double?
  var revised: Bool?
  var starred: Bool?

  init(_ row: FeedRow<Quake>) {
    switch row {
    case .gap(let gap):
      id = "gap-\(gap.id)"
      kind = "gap"
      self.gap = gap.id
    case .item(let quake):
      id = quake.id
      kind = "quake"
      time = quake.properties.time
      magnitude = quake.properties.mag
      place = quake.properties.place
      starred = quake.properties.starred ?? false
      revised = quake.properties.status == "reviewed"
      let coordinates = quake.geometry.coordinates
      if coordinates.count == 3 {
        (longitude, latitude, depth) = (coordinates[0], coordinates[1], coordinates[2])
      }
    }
  }
}
