/// The items that the feeds of a family hold.
struct ItemReferenceCounts<ID: Hashable & Sendable>: Sendable {
  private var feeds: [String: Set<ID>] = [:]
  /// The number of feeds that hold an item.
  private var uses: [ID: Int] = [:]

  /// Returns the number of items that a feed holds.
  func count(of feed: String) -> Int { feeds[feed]?.count ?? 0 }

  /// Notes that a feed holds an item.
  mutating func put(_ id: ID, in feed: String) {
    if feeds[feed, default: []].insert(id).inserted { uses[id, default: 0] += 1 }
  }

  /// Notes that a feed no longer holds an item.
  ///
  /// - Returns: whether no feed holds the item any more.
  mutating func remove(_ id: ID, from feed: String) -> Bool {
    guard feeds[feed]?.remove(id) != nil else { return uses[id] == nil }
    let rest = uses[id, default: 1] - 1
    uses[id] = rest == 0 ? nil : rest
    return rest == 0
  }

  /// Removes a feed.
  ///
  /// - Returns: the items that no feed holds any more.
  mutating func remove(_ feed: String) -> [ID] {
    let ids = feeds[feed] ?? []
    defer { feeds[feed] = nil }
    return ids.filter { remove($0, from: feed) }
  }
}
