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

/// The divider above the quakes of a day.
struct Day: ListItem {
  let id: String
}

/// A row as the page shows it.
struct PageRow: Encodable {
  let id: String
  let kind: String
  var gap: Int?
  var day: String?
  var time: Int?
  var magnitude: Double?
  var place: String?
  var depth: Double?
  var latitude: Double?
  var longitude: Double?
  var revised: Bool?
  var starred: Bool?

  init(_ row: ListRow<DemoPage.Row>) {
    switch row {
    case .gap(let gap):
      id = "gap-\(gap.id)"
      kind = "gap"
      self.gap = gap.id
    case .item(.separator(let day, let occurrence)):
      id = "day-\(day.id)-\(occurrence)"
      kind = "day"
      self.day = day.id
    case .item(.item(let quake)):
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
