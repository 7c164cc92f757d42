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
  /// The kind of the row, which is the name of its template in the page.
  var kind: String
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

  /// Creates a row of the list of all quakes.
  init(_ row: ListRow<DemoPage.Row>) {
    switch row {
    case .gap(let gap): self.init(gap)
    case .item(.separator(let day, let occurrence)):
      self.init(id: "day-\(day.id)-\(occurrence)", kind: "day", day: day.id)
    case .item(.item(let quake)): self.init(quake)
    }
  }

  /// Creates a row of the list of strong quakes.
  init(_ row: ListRow<Quake>) {
    switch row {
    case .gap(let gap): self.init(gap)
    case .item(let quake): self.init(quake)
    }
    kind = "strong-\(kind)"
  }

  private init(id: String, kind: String, gap: Int? = nil, day: String? = nil) {
    (self.id, self.kind, self.gap, self.day) = (id, kind, gap, day)
  }

  private init(_ gap: Gap) { self.init(id: "gap-\(gap.id)", kind: "gap", gap: gap.id) }

  private init(_ quake: Quake) {
    self.init(id: quake.id, kind: "quake")
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
