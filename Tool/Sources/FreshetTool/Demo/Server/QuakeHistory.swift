import Foundation
import Freshet

/// Real earthquakes, played forward: new ones arrive, some are revised, some withdrawn.
///
/// They are from the United States Geological Survey, and in the public domain. The steps are the
/// same at every start. After the last recorded quake the recording repeats at later dates, so
/// history never ends.
struct QuakeHistory: Sendable {
  /// How many quakes are listed; older ones are removed.
  static let limit = 1000
  private static let day = 86_400_000

  /// All recorded quakes, oldest first.
  let recorded: [ServedQuake]
  /// How much later the recording repeats, in milliseconds: whole days.
  private let period: Int
  /// The quakes that are listed before the first step, newest first.
  let beginning: [ServedQuake]
  private var steps = 0

  /// Creates a history in which `coming` quakes are still to be played.
  init(csv: String, coming: Int) {
    recorded = csv.split(separator: "\n").dropFirst().compactMap { Self.quake($0) }
      .sorted { $0.time < $1.time }
    let span = (recorded.last?.time ?? 0) - (recorded.first?.time ?? 0)
    period = (span / Self.day + 1) * Self.day
    beginning = recorded.dropLast(coming).reversed()
  }

  /// Performs the next step: mostly a new quake, now and then a revision or a withdrawal.
  ///
  /// - Parameter quakes: the list, newest first.
  mutating func step(_ quakes: inout [ServedQuake]) -> ChangeBatch<ServedQuake> {
    var changes = ChangeBatch<ServedQuake>()
    steps += 1
    if let next = next(for: quakes) {
      quakes.insert(next, at: 0)
      changes.add(next, as: .insert)
    }
    if steps % 3 == 0, quakes.count > 6 {
      let index = 2 + steps * 5 % 8 % (quakes.count - 2)
      quakes[index].magnitude =
        (quakes[index].magnitude * 10 + (steps % 2 == 0 ? 2 : -1)).rounded() / 10
      quakes[index].updated = quakes[0].time
      quakes[index].isRevised = true
      changes.add(quakes[index], as: .update)
    }
    if steps % 7 == 0, quakes.count > 12 {
      changes.addDeletion(of: quakes.remove(at: 3 + steps % 6).id)
    }
    while quakes.count > Self.limit { changes.addDeletion(of: quakes.removeLast().id) }
    return changes
  }

  /// Returns the quake after the newest one, in this repetition of the recording or in the next.
  private func next(for quakes: [ServedQuake]) -> ServedQuake? {
    guard let first = recorded.first, let newest = quakes.first else { return recorded.first }
    let delay = max(0, newest.time - first.time) / period * period
    return recorded.first { $0.time + delay > newest.time }?.later(by: delay)
      ?? first.later(by: delay + period)
  }

  /// Parses a line of the file: `time,latitude,longitude,depth_km,magnitude,place`.
  ///
  /// The place is quoted if it contains a comma.
  private static func quake(_ line: Substring) -> ServedQuake? {
    let fields = line.split(separator: ",", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6,
      let date = try? Date(
        String(fields[0]),
        strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)),
      let latitude = Double(fields[1]), let longitude = Double(fields[2]),
      let depth = Double(fields[3]), let magnitude = Double(fields[4])
    else { return nil }
    return ServedQuake(
      time: Int((date.timeIntervalSince1970 * 1000).rounded()), magnitude: magnitude,
      place: fields[5].trimmingCharacters(in: CharacterSet(charactersIn: "\"\r")),
      latitude: latitude, longitude: longitude, depth: depth)
  }
}

extension ServedQuake {
  /// Creates a quake as it is first reported; its id is made from its time.
  fileprivate init(
    time: Int, magnitude: Double, place: String, latitude: Double, longitude: Double, depth: Double
  ) {
    self.init(
      id: "us\(String(time, radix: 36))", time: time, updated: time, magnitude: magnitude,
      place: place, latitude: latitude, longitude: longitude, depth: depth)
  }

  /// Returns the same quake at a later time.
  fileprivate func later(by delay: Int) -> ServedQuake {
    ServedQuake(
      time: time + delay, magnitude: magnitude, place: place, latitude: latitude,
      longitude: longitude, depth: depth)
  }
}
