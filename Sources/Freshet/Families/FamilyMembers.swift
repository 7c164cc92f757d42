internal import FreshetLists

/// The feeds of a family: some are kept because they were used last, all others are there as long
/// as somebody else holds them.
struct FamilyMembers<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  typealias Member = FamilyMember<Query, Item>

  /// A feed, held.
  struct Held: Sendable {
    let feed: Feed<Item>
    let member: Member
  }

  let limit: Int
  private var known: [Query: Member] = [:]
  /// The feeds that are kept, the one used last behind all others.
  private var kept: [(query: Query, feed: Feed<Item>)] = []
  /// How many may be known before those that went are forgotten.
  private var knownLimit = 16

  init(limit: Int) { self.limit = limit }

  /// The queries whose feeds are kept.
  var keptQueries: Set<Query> { Set(kept.map(\.query)) }

  /// The feeds that somebody holds, or that are kept.
  var living: [Held] {
    known.values.compactMap { member in member.feed.map { Held(feed: $0, member: member) } }
  }

  /// The feed of a query, if there is one, without using it.
  func living(_ query: Query) -> Feed<Item>? { known[query]?.feed }

  /// The feed of a query, if there is one: it is now the one used last.
  ///
  /// - Complexity: O(feeds that are kept).
  /// - Returns: the feed, and those that are kept no longer.
  mutating func use(_ query: Query) -> (held: Held, gone: [Feed<Item>])? {
    guard let member = known[query], let feed = member.feed else { return nil }
    return (Held(feed: feed, member: member), keep(feed, for: query))
  }

  /// Adds the feed of a query, unless another one came first.
  ///
  /// - Returns: the feed that counts, and those that are kept no longer.
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
