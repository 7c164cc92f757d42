import FlyingFox

/// A page, and the URLs of its neighbours.
struct LinkedQuakes {
  var quakes: [ServedQuake]
  var next: String?
  var previous: String?

  var links: [HTTPHeader: String] {
    let links = [next.map { "<\($0)>; rel=\"next\"" }, previous.map { "<\($0)>; rel=\"prev\"" }]
    let text = links.compactMap { $0 }.joined(separator: ", ")
    return text.isEmpty ? [:] : [HTTPHeader("Link"): text]
  }
}

struct LinkedPage: Encodable {
  let data: [FlatQuake]
  let next: String?
}

struct FlatQuake: Encodable {
  let id: String
  let time: Int
  let magnitude: Double
  let title: String
  let depth: Double

  init(_ quake: ServedQuake) {
    id = quake.id
    time = quake.time
    magnitude = quake.magnitude
    title = "M \(quake.magnitude) - \(quake.place)"
    depth = quake.depth
  }
}

/// The response of an FDSN event service, as the USGS documents it.
struct GeoJSON: Encodable {
  struct Metadata: Encodable {
    let count: Int
    var title = "Earthquakes"
    var status = 200
  }

  struct Feature: Encodable {
    struct Properties: Encodable {
      let mag: Double
      let place: String
      let time: Int
      let updated: Int
      let status: String
      let title: String
      let type: String
      let starred: Bool
    }

    struct Geometry: Encodable {
      var type = "Point"
      let coordinates: [Double]
    }

    var type = "Feature"
    let id: String
    let properties: Properties
    let geometry: Geometry

    init(_ quake: ServedQuake) {
      id = quake.id
      properties = Properties(
        mag: quake.magnitude, place: quake.place, time: quake.time, updated: quake.updated,
        status: quake.isRevised ? "reviewed" : "automatic",
        title: "M \(quake.magnitude) - \(quake.place)", type: "earthquake",
        starred: quake.isStarred)
      geometry = Geometry(coordinates: [quake.longitude, quake.latitude, quake.depth])
    }
  }

  var type = "FeatureCollection"
  let metadata: Metadata
  let features: [Feature]

  init(features: [Feature]) {
    metadata = Metadata(count: features.count)
    self.features = features
  }
}
