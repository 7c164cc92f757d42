internal import FreshetLists

/// The feeds of a family that exist: those used last, and those that are referenced elsewhere.
///
/// The feeds used last are kept in memory, up to the limit.
struct FamilyMembers<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  typealias Member = FamilyMember<Query, Item>

  /// A feed with a strong reference, and its member.
  struct Held: Sendable {
    let feed: Feed<Item>
    let member: Member
  }

  let limit: Int
  private var known: [Query: Member] = [:]
  /// The feeds that are kept, in the order of their last use, the latest at the end.
  private var kept: [(query: Query, feed: Feed<Item>)] = []
  /// The number of known members at which those of released feeds are removed.
  private var knownLimit = 16

  init(limit: Int) { self.limit = limit }

  /// The queries whose feeds are kept.
  var keptQueries: Set<Query> { Set(kept.map(\.query)) }

  /// The feeds that are kept or referenced elsewhere.
  var living: [Held] {
    known.values.compactMap { member in member.feed.map { Held(feed: $0, member: member) } }
  }

  /// Returns the feed of a query, if it exists, without marking it as used.
  func living(_ query: Query) -> Feed<Item>? { known[query]?.feed }

  /// Returns the feed of a query, if it exists, and marks it as the one used last.
  ///
  /// - Complexity: O(feeds that are kept).
  /// - Returns: the feed, and the feeds that are no longer kept.
  mutating func use(_ query: Query) -> (held: Held, gone: [Feed<Item>])? {
    guard let member = known[query], let feed = member.feed else { return nil }
    return (Held(feed: feed, member: member), keep(feed, for: query))
  }

  /// Adds the feed of a query, unless another feed of that query was added first.
  ///
  /// - Returns: the feed to use, and the feeds that are no longer kept.
  mutating func add(_ new: Held) -> (held: Held, gone: [Feed<Item>]) {
    if let old = use(new.member.query) { return old }
    if known.count >= knownLimit {
      known = known.filter { $0.value.feed != nil }
      knownLimit = 2 * known.count + 16
    }
    known[new.member.query] = new.member
    return (new, keep(new.feed, for: new.member.query))
  }

  private mutating func keep(_ feed: Feed<Item>, for query: Query) -> [Feed<Item>] {
    kept.removeAll { $0.query == query }
    kept.append((query, feed))
    defer { kept.removeFirst(max(0, kept.count - limit)) }
    return kept.dropLast(limit).map(\.feed)
  }
}
