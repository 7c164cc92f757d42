/// The stars that the demo's server received, known by their idempotency keys.
///
/// A client that did not see the answer sends a star again, with the same key.
struct ReceivedStars: Sendable {
  struct Star: Encodable, Sendable {
    /// The idempotency key.
    let key: String
    let quake: String
    let isStarred: Bool
    /// How often it was received.
    var times = 1
  }

  /// The largest number of stars that are remembered.
  private static let limit = 1000

  /// The stars, in the order in which they were received first.
  private(set) var all: [Star] = []

  /// Returns whether a star with this key was received before, and counts it again.
  mutating func isRepeated(_ key: String) -> Bool {
    guard let index = all.firstIndex(where: { $0.key == key }) else { return false }
    all[index].times += 1
    return true
  }

  /// Remembers a star.
  mutating func add(_ star: Star) {
    all.append(star)
    if all.count > Self.limit { all.removeFirst() }
  }
}
