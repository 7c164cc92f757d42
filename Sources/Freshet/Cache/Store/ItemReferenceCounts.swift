/// Which feeds of a family hold an item.
struct ItemReferenceCounts<ID: Hashable & Sendable>: Sendable {
  private var feeds: [String: Set<ID>] = [:]
  /// How many feeds hold an item.
  private var uses: [ID: Int] = [:]

  /// How many items a feed holds.
  func count(of feed: String) -> Int { feeds[feed]?.count ?? 0 }

  /// A feed holds an item from now on.
  mutating func put(_ id: ID, in feed: String) {
    if feeds[feed, default: []].insert(id).inserted { uses[id, default: 0] += 1 }
  }

  /// A feed holds an item no longer.
  ///
  /// - Returns: whether no feed does.
  mutating func remove(_ id: ID, from feed: String) -> Bool {
    guard feeds[feed]?.remove(id) != nil else { return uses[id] == nil }
    let rest = uses[id, default: 1] - 1
    uses[id] = rest == 0 ? nil : rest
    return rest == 0
  }

  /// A feed goes.
  ///
  /// - Returns: the items that no feed holds any more.
  mutating func remove(_ feed: String) -> [ID] {
    let ids = feeds[feed] ?? []
    defer { feeds[feed] = nil }
    return ids.filter { remove($0, from: feed) }
  }
}
