import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What a family decides, without tasks.
@Suite(.timeLimit(.minutes(5)))
struct FamilyPartsTests {
  @Test(arguments: SeededGenerator.seeds(50))
  func `what goes was used longest ago`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1..<8, using: &random)
    var members = Members(limit: limit)
    var uses: [Int] = []
    for _ in 0..<40 {
      let query = Int.random(in: 0..<12, using: &random)
      let before = members.keptQueries
      let (held, gone) = members.use(query) ?? members.add(member(query))
      uses.removeAll { $0 == query }
      uses.append(query)
      #expect(held.member.query == query, "seed \(seed)")
      #expect(members.keptQueries == Set(uses.suffix(limit)), "seed \(seed)")
      let left = before.subtracting(members.keptQueries)
      #expect(gone.count == left.count, "seed \(seed)")
    }
  }

  @Test
  func `what became invalid after it was asked for is asked for again`() throws {
    var freshness = Freshness()
    let first = try #require(freshness.question(isAnswered: false))
    #expect(first.scope == .head)
    freshness.invalidate(.visible)
    freshness.answered(first)
    let second = try #require(freshness.question(isAnswered: true))
    #expect(second.scope == .visible && second.invalidations == 1)
    freshness.answered(second)
    #expect(freshness.question(isAnswered: true) == nil)
    freshness.invalidate(.all)
    freshness.invalidate(.head)
    #expect(freshness.question(isAnswered: true)?.scope == .all)
  }

  @Test
  func `what somebody else asked for is not asked for again, unless rows became invalid`() {
    var freshness = Freshness()
    #expect(freshness.question(isAnswered: false)?.scope == .head)
    #expect(freshness.question(isAnswered: true) == nil)
    freshness.invalidate(.head)
    #expect(freshness.question(isAnswered: true)?.scope == .head)
  }

  @Test
  func `a feed is answered once its source was, and not by what is on disk`() throws {
    var history = History([1, 2, 3], isCached: true, configuration: FeedConfiguration())
    #expect(!history.machine.value.isAnswered)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.isAnswered)
    let stored = try #require(history.cache?.loadFirst())
    var next = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, isCached: true, sectionedBy: nil)
    next.beginRestoring()
    next.restore(stored, at: history.now)
    #expect(next.value.items.count == 3 && next.value.refreshedAt != nil)
    #expect(!next.value.isAnswered)
  }

  private typealias Members = FamilyMembers<Int, Post>

  private func member(_ query: Int) -> Members.Held {
    let feed = Feed(ClosureSource<Post, Int> { _ in Page([], next: nil) })
    return Members.Held(feed: feed, member: FamilyMember(query, feed))
  }

  @Test
  func `a family keeps the feeds that were used last, and finds those that somebody holds`() {
    var members = Members(limit: 2)
    var held = (0..<3).map { members.add(member($0)).held.feed }
    #expect(members.keptQueries == [1, 2])
    // It is held here, and kept again once it is used.
    #expect(members.use(0)?.held.feed === held[0])
    #expect(members.keptQueries == [0, 2])
    held = []
    #expect(members.use(1) == nil)
    #expect(Set(members.living.map(\.member.query)) == [0, 2])
    // Who comes second gets what is there.
    let first = members.living(2)
    #expect(members.add(member(2)).held.feed === first)
  }

  @Test(arguments: SeededGenerator.seeds(50))
  func `kept are as many as there may be, the last ones, whatever is asked for`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1..<6, using: &random)
    var members = Members(limit: limit)
    var uses: [Int] = []
    for _ in 0..<100 {
      let query = Int.random(in: 0..<10, using: &random)
      if members.use(query) == nil { _ = members.add(member(query)) }
      uses.removeAll { $0 == query }
      uses.append(query)
      guard members.keptQueries == Set(uses.suffix(limit)), members.living.count <= limit else {
        Issue.record("seed \(seed): \(members.keptQueries) of \(uses)")
        return
      }
    }
  }

  struct Filter: Hashable, Codable, Sendable {
    var text = "ma/ps"
    var pages = 1...9
    var author: String?
  }

  /// A query that is not wholly in its JSON.
  struct Partial: Hashable, Codable, Sendable {
    var text: String
    var isExact = false
    enum CodingKeys: CodingKey { case text }
  }

  @Test
  func `P7: a query has one name at every launch, and no two queries share one`() {
    #expect(FamilyCache<Post>.name(of: "maps") == "\"maps\"")
    #expect(FamilyCache<Post>.name(of: Filter()) == #"{"pages":[1,9],"text":"ma/ps"}"#)
    #expect(FamilyCache<Post>.name(of: Filter(author: "")) != FamilyCache<Post>.name(of: Filter()))
    #expect(FamilyCache<Post>.name(of: Partial(text: "a")) != nil)
    #expect(FamilyCache<Post>.name(of: Partial(text: "a", isExact: true)) == nil)
    #expect(FamilyCache<Post>.name(of: Double.nan) == nil)
  }
}
