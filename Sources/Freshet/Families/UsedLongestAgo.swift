extension Dictionary where Value: Comparable {
  /// The keys to let go so that at most `limit` are left: those whose last use is longest ago, and none
  /// that is in use, however many these are.
  ///
  /// - Parameters:
  ///   - limit: how many may be left.
  ///   - isInUse: whether a key has to stay.
  /// - Returns: the keys, the one used longest ago first.
  /// - Complexity: O(*n* log *n*) where something goes, else O(1).
  func usedLongestAgo(beyond limit: Int, unless isInUse: (Key) -> Bool = { _ in false }) -> [Key] {
    guard count > limit else { return [] }
    let candidates = filter { !isInUse($0.key) }.sorted { $0.value < $1.value }
    return candidates.prefix(count - limit).map(\.key)
  }
}
