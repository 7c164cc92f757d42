import Foundation

/// An earthquake as the demo's server knows it.
struct ServedQuake: Sendable {
  let id: String
  /// When it happened, in milliseconds since 1970.
  let time: Int
  /// When it was last revised, likewise.
  var updated: Int
  var magnitude: Double
  var place: String
  let latitude: Double
  let longitude: Double
  let depth: Double
  var isRevised = false
  var isStarred = false
}

/// Real earthquakes (United States Geological Survey, public domain), played forward: new ones
/// arrive, some are revised, some withdrawn.
///
/// The same steps at every start.
struct QuakeHistory: Sendable {
  /// What is listed now, newest first.
  private(set) var quakes: [ServedQuake]
  private var coming: [ServedQuake]
  private var steps = 0

  /// Starts at a point of the history with `coming` quakes still to come.
  init(csv: String, coming: Int) {
    let all = csv.split(separator: "\n").dropFirst().compactMap { Self.quake($0) }
      .sorted { $0.time > $1.time }
    quakes = Array(all.dropFirst(coming))
    self.coming = Array(all.prefix(coming).reversed())
  }

  /// Marks a quake, or takes the mark away; `false` where it is not listed.
  mutating func star(_ id: String, _ isStarred: Bool) -> Bool {
    guard let index = quakes.firstIndex(where: { $0.id == id }) else { return false }
    quakes[index].isStarred = isStarred
    return true
  }

  var isOver: Bool { coming.isEmpty }

  /// Lets the next thing happen: mostly a quake, now and then a revision or a withdrawal.
  mutating func step() {
    steps += 1
    if !coming.isEmpty { quakes.insert(coming.removeFirst(), at: 0) }
    if steps % 3 == 0, quakes.count > 6 {
      let index = 2 + steps * 5 % 8 % (quakes.count - 2)
      quakes[index].magnitude =
        (quakes[index].magnitude * 10 + (steps % 2 == 0 ? 2 : -1)).rounded() / 10
      quakes[index].updated = quakes[0].time
      quakes[index].isRevised = true
    }
    if steps % 7 == 0, quakes.count > 12 { quakes.remove(at: 3 + steps % 6) }
  }

  /// One line of the file: `time,latitude,longitude,depth_km,magnitude,place`, the place quoted
  /// where it holds a comma.
  private static func quake(_ line: Substring) -> ServedQuake? {
    let fields = line.split(separator: ",", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6,
      let date = try? Date(
        String(fields[0]),
        strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)),
      let latitude = Double(fields[1]), let longitude = Double(fields[2]),
      let depth = Double(fields[3]), let magnitude = Double(fields[4])
    else { return nil }
    let time = Int((date.timeIntervalSince1970 * 1000).rounded())
    return ServedQuake(
      id: "us\(String(time, radix: 36))", time: time, updated: time, magnitude: magnitude,
      place: fields[5].trimmingCharacters(in: CharacterSet(charactersIn: "\"\r")),
      latitude: latitude, longitude: longitude, depth: depth)
  }
}
