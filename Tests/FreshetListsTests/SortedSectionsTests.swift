import FreshetTesting
import Testing

@testable import FreshetLists

/// The sections of lists that stay arranged.
@Suite(.timeLimit(.minutes(5)))
struct SortedSectionsTests {
  private typealias Score = SortedListTests.Score

  @Test
  func `A2: sections whose keys tie stand by name, whichever came first`() {
    struct Blind: Comparable { static func < (_: Blind, _: Blind) -> Bool { false } }
    let teams = Array(0..<9)
    for seed in SeededGenerator.seeds(20) {
      var random = SeededGenerator(seed: seed)
      let items = teams.shuffled(using: &random).map { Score(id: $0, points: 0, team: $0) }
      var arrangement = Arrangement<Score>.all.sectioned(by: { _ in Blind() })
      arrangement.rows.sections?.name = { "\(Score._item(of: $0).team)" }
      var list = SortedList(items.prefix(5), arrangement: arrangement)
      for item in items.dropFirst(5) { list.change(upserting: [item]) }
      #expect(list.snapshot.sections.map(\.name) == teams.map { "\($0)" })
    }
  }

  @Test
  func `A1: sections of an earlier arrangement do not stay as empty ones`() {
    let scores = [Score(id: 1, points: 11, team: 1), Score(id: 2, points: 12, team: 2)]
    var list = SortedList(scores)
    let byTeam = Arrangement<Score>.all.sectioned(by: { $0.team }, keepingEmpty: true)
    list.arrange(byTeam)
    #expect(list.snapshot.sections.map(\.name) == ["1", "2"])
    list.arrange(.all.sectioned(by: { $0.points }, keepingEmpty: true))
    #expect(list.snapshot.sections.map(\.name) == ["11", "12"])
    list.arrange(byTeam)
    list.change(upserting: [], removing: [1])
    // Sorted in another way, they are the same sections.
    list.arrange(.sorted(by: \.points).sectioned(by: { $0.team }, keepingEmpty: true))
    #expect(list.snapshot.sections.map(\.name) == ["1", "2"])
    list.arrange(.all.sectioned(by: { $0.points }, keepingEmpty: true))
    #expect(list.snapshot.sections.map(\.name) == ["12"])
    list.arrange(.all)
    #expect(list.snapshot.sections.map(\.name) == [""])
  }

  @Test
  func `A1: a section stays when its last item goes, if it is asked to`() {
    var list = SortedList<Score>(
      arrangement: Arrangement.all.sectioned(by: { $0.team }, keepingEmpty: true))
    list.change(upserting: [Score(id: 1, points: 1, team: 1), Score(id: 2, points: 2, team: 2)])
    let update = list.change(upserting: [], removing: [1])
    #expect(list.snapshot.sections.map(\.name) == ["1", "2"])
    #expect(update?.changes.deletedSections == [])
    #expect(list.snapshot.sections[0].count == 0)
  }
}
