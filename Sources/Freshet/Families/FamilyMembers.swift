internal import FreshetLists

/// The feeds of a family: some are kept because they were used last, all others are there as long as
/// somebody else holds them.
struct FamilyMembers<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  typealias Member = FamilyMember<Query, Item>

  /// A feed, held.
  struct Held: Sendable {
    let feed: Feed<Item>
    let member: Member
  }

  let limit: Int
  private var known: [Query: Member] = [:]
  private var kept: [Query: Feed<Item>] = [:]
  private var lastUses: [Query: Int] = [:]
  private var uses = 0
  /// How many may be known before those that went are forgotten.
  private var knownLimit = 16

  init(limit: Int) { self.limit = limit }

  /// The queries whose feeds are kept.
  var keptQueries: Set<Query> { Set(kept.keys) }

  /// The feeds that somebody holds, or that are kept.
  var living: [Held] {
    known.values.compactMap { member in member.feed.map { Held(feed: $0, member: member) } }
  }

  /// The feed of a query, if there is one, without using it.
  func living(_ query: Query) -> Feed<Item>? { known[query]?.feed }

  /// The feed of a query, if there is one: it is now the one used last.
  ///
  /// - Returns: the feed, and those that are kept no longer.
  mutating func use(_ query: Query) -> (held: Held, gone: [Feed<Item>])? {
    guard let member = known[query], let feed = member.feed else { return nil }
    return (Held(feed: feed, member: member), keep(feed, for: query))
  }

  /// Takes in the feed of a query, unless another one came first.
  ///
  /// - Returns: the feed that counts, and those that are kept no longer.
  mutating func take(_ new: Held) -> (held: Held, gone: [Feed<Item>]) {
    if let old = use(new.member.query) { return old }
    if known.count >= knownLimit {
      known = known.filter { $0.value.feed != nil }
      knownLimit = 2 * known.count + 16
    }
    known[new.member.query] = new.member
    return (new, keep(new.feed, for: new.member.query))
  }

  private mutating func keep(_ feed: Feed<Item>, for query: Query) -> [Feed<Item>] {
    uses += 1
    kept[query] = feed
    lastUses[query] = uses
    return lastUses.usedLongestAgo(beyond: limit).compactMap { query in
      lastUses[query] = nil
      return kept.removeValue(forKey: query)
    }
  }
}
