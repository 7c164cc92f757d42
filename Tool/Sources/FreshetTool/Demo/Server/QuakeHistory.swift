import Foundation
import Freshet

/// Real earthquakes (United States Geological Survey, public domain), played forward: new ones
/// arrive, some are revised, some withdrawn.
///
/// The same steps at every start.
struct QuakeHistory: Sendable {
  /// All quakes, in the order in which they happened.
  private let all: [ServedQuake]
  /// What is listed before the first step, newest first.
  let beginning: [ServedQuake]
  private var steps = 0

  /// Starts at a point of the history with `coming` quakes still to come.
  init(csv: String, coming: Int) {
    all = csv.split(separator: "\n").dropFirst().compactMap { Self.quake($0) }
      .sorted { $0.time < $1.time }
    beginning = all.dropLast(coming).reversed()
  }

  /// Whether all that was to come is in a list.
  func isOver(in quakes: [ServedQuake]) -> Bool { next(for: quakes) == nil }

  /// Lets the next thing happen: mostly a quake, now and then a revision or a withdrawal.
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
    return changes
  }

  private func next(for quakes: [ServedQuake]) -> ServedQuake? {
    guard let newest = quakes.first else { return all.first }
    return all.first { $0.time > newest.time }
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
