extension Dictionary where Value: Comparable {
  /// The keys to let go so that at most `limit` are left: those whose last use is longest ago.
  ///
  /// - Returns: the keys, the one used longest ago first.
  /// - Complexity: O(*n* log *n*) where something goes, else O(1).
  func usedLongestAgo(beyond limit: Int) -> [Key] {
    guard count > limit else { return [] }
    return sorted { $0.value < $1.value }.prefix(count - limit).map(\.key)
  }
}
