import FreshetTesting
import Testing

@testable import FreshetLists

/// Rules A1–A3, C and L3 for lists that stay arranged.
@Suite(.timeLimit(.minutes(5)))
struct SortedListTests {
  struct Score: ListItem, CustomStringConvertible {
    let id: Int
    var points: Int
    var team: Int
    var note = 0

    var description: String { "\(id):\(points)/\(team)" }
  }

  /// An arrangement, and what it means, said in another way.
  struct Model: Sendable {
    var name: String
    var arrangement: Arrangement<Score>
    var isIncluded: @Sendable (Score) -> Bool = { _ in true }
    var precedes: @Sendable (Score, Score) -> Bool = { $0.id < $1.id }
    var sectionOrder: (@Sendable (Int, Int) -> Bool)?
    var limit = Int.max

    func snapshot(_ items: [Score]) -> ListSnapshot<Score> {
      let sorted = items.filter(isIncluded).sorted(by: precedes)
      let teams = sectionOrder.map { order in Set(sorted.map(\.team)).sorted(by: order) }
      let groups = teams.map { teams in
        teams.map { team in ("\(team)", sorted.filter { $0.team == team }) }
      }
      var room = limit
      var sections: [ListSection<Score>] = []
      for (name, rows) in groups ?? [("", sorted)] {
        let shown = rows.prefix(room)
        room -= shown.count
        if !shown.isEmpty { sections.append(ListSection(name: name, rows: RowTree(shown))) }
      }
      return ListSnapshot(sections: sections)
    }
  }

  static let byPoints: @Sendable (Score, Score) -> Bool = {
    ($1.points, $0.id) < ($0.points, $1.id)
  }
  static let models = [
    Model(name: "by id", arrangement: .all),
    Model(name: "by points", arrangement: .sorted(by: \.points, .reverse), precedes: byPoints),
    Model(
      name: "in sections",
      arrangement: .sorted(by: \.points, .reverse).sectioned(by: \.team, .reverse),
      precedes: byPoints, sectionOrder: { $0 > $1 }),
    Model(
      name: "filtered, two keys, limited",
      arrangement: Arrangement.filtered { $0.points % 5 != 0 }
        .sorted(by: \.team).sorted { $0.points > $1.points }.limited(to: 7),
      isIncluded: { $0.points % 5 != 0 },
      precedes: { ($0.team, $1.points, $0.id) < ($1.team, $0.points, $1.id) }, limit: 7),
    Model(
      name: "in sections, limited",
      arrangement: .sorted(by: \.points, .reverse).sectioned { $0.team }.limited(to: 9),
      precedes: byPoints, sectionOrder: { $0 < $1 }, limit: 9),
  ]

  @Test(arguments: 0..<models.count)
  func `A1-A3, C1-C3: any batches give the list that sorting from scratch gives`(model: Int) async {
    await expectSorted(Self.models[model], seeds: 2000, ids: 3...40, batches: 0...6)
  }

  @Test(arguments: 0..<models.count)
  func `A1-A3, C1-C3: so do batches that are large beside the list`(model: Int) async {
    await expectSorted(Self.models[model], seeds: 300, ids: 60...200, batches: 10...120)
  }

  @Test
  func `L1, A1: of items with the same id the last one counts, whether it is included or not`() {
    let (old, new) = (Score(id: 1, points: 3, team: 1), Score(id: 1, points: 5, team: 2))
    let filtered = Arrangement<Score>.filtered { $0.points % 5 != 0 }
    #expect(SortedList([old, new], arrangement: filtered).snapshot.isEmpty)
    #expect(SortedList([new, old], arrangement: filtered).snapshot.count == 1)
    let byTeam = Arrangement<Score>.all.sectioned(by: { $0.team }, keepingEmpty: true)
    #expect(SortedList([old, new], arrangement: byTeam).snapshot.sections.map(\.name) == ["2"])
  }

  private func expectSorted(
    _ model: Model, seeds: Int, ids range: ClosedRange<Int>, batches: ClosedRange<Int>
  ) async {
    for seed in SeededGenerator.seeds(seeds) {
      var random = SeededGenerator(seed: seed)
      var items: [Int: Score] = [:]
      let ids = Int.random(in: range, using: &random)
      func score() -> Score {
        Score(
          id: Int.random(in: 0..<ids, using: &random),
          points: Int.random(in: 0..<12, using: &random),
          team: Int.random(in: 0..<4, using: &random),
          note: Int.random(in: 0..<3, using: &random))
      }
      for _ in 0..<Int.random(in: 0...ids, using: &random) {
        let score = score()
        items[score.id] = score
      }
      var list = SortedList(items.values.sorted { $0.id < $1.id }, arrangement: model.arrangement)
      var checker = BatchUpdateChecker(list.snapshot)
      for step in 0..<8 {
        let upserted = (0..<Int.random(in: batches, using: &random)).map { _ in score() }
        let removed = (0..<Int.random(in: 0...(batches.upperBound / 2), using: &random))
          .map { _ in score().id }
        for id in removed { items[id] = nil }
        for score in upserted { items[score.id] = score }
        let before = list.snapshot
        let update = list.change(upserting: upserted, removing: removed)
        var violations: [String] = []
        let expected = model.snapshot(Array(items.values))
        if list.snapshot != expected { violations.append("\(list.snapshot) is not \(expected)") }
        if let update {
          violations += checker.violations(performing: update)
          violations += DifferenceTests.violations(of: update)
        } else if before != list.snapshot {
          violations.append("L3: a change without an update")
        }
        if list.count != items.count { violations.append("\(list.count) of \(items.count) items") }
        for (section, rows) in list.snapshot.sections.enumerated() {
          for (row, item) in rows.rows.enumerated()
          where list.path(of: item.id) != RowPath(section: section, row: row) {
            violations.append("\(item) is not where it says")
          }
        }
        if !violations.isEmpty {
          Issue.record("\(model.name), seed \(seed), step \(step): \(violations.prefix(2))")
          return
        }
      }
    }
  }

  @Test
  func `another arrangement is one update, and nothing is lost on the way`() {
    var random = SeededGenerator(seed: 1)
    func score(_ id: Int) -> Score {
      Score(
        id: id, points: Int.random(in: 0..<50, using: &random),
        team: Int.random(in: 0..<4, using: &random))
    }
    var items = (0..<200).map(score)
    var list = SortedList(items)
    var checker = BatchUpdateChecker(list.snapshot)
    for model in Self.models + Self.models.reversed() + Self.models {
      if let update = list.arrange(model.arrangement) {
        #expect(checker.violations(performing: update) == [])
        #expect(DifferenceTests.violations(of: update) == [])
      }
      #expect(list.snapshot == model.snapshot(items))
      #expect(list.count == items.count)
      // Some come, go and move, so that places are no longer as they were laid out.
      let changed = (0..<5).map { _ in score(Int.random(in: 0..<250, using: &random)) }
      let gone = changed[0].id / 2
      let all = Dictionary((items + changed).map { ($0.id, $0) }) { $1 }
      // What comes and goes in one batch comes.
      items = all.values.filter { $0.id != gone || changed.contains($0) }
      if let update = list.change(upserting: changed, removing: [gone]) {
        #expect(checker.violations(performing: update) == [])
      }
      #expect(list.snapshot == model.snapshot(items))
      for (section, rows) in list.snapshot.sections.enumerated() {
        for (row, item) in rows.rows.enumerated() {
          #expect(list.path(of: item.id) == RowPath(section: section, row: row))
        }
      }
    }
  }

  @Test func `C4: another order of the same items looks up none of them`() {
    var list = SortedList((0..<500).map(Hashed.init), arrangement: .sorted(by: \.first))
    Hashed.ID.hashes.reset()
    list.arrange(.sorted(by: \.second))
    #expect(Hashed.ID.hashes.value == 0)
    list.change(upserting: [Hashed(500)])
    Hashed.ID.hashes.reset()
    list.arrange(.sorted(by: \.first, .reverse))
    #expect(Hashed.ID.hashes.value == 0)
    #expect(list.path(of: Hashed(500).id) == RowPath(section: 0, row: 0))
    #expect(list.path(of: Hashed(0).id) == RowPath(section: 0, row: 500))
  }

  /// An item that counts how often ids are hashed.
  private struct Hashed: ListItem {
    struct ID: Hashable, Comparable {
      static let hashes = Counter()
      let number: Int

      static func < (first: ID, second: ID) -> Bool { first.number < second.number }

      func hash(into hasher: inout Hasher) {
        Self.hashes.increment()
        hasher.combine(number)
      }
    }

    let id: ID
    var first: Int { id.number }
    var second: Int { id.number % 7 }

    init(_ number: Int) { id = ID(number: number) }
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `a comparison that contradicts itself neither traps nor loses nor doubles an item`(seed: Int)
  {
    var random = SeededGenerator(seed: seed)
    let salt = Int.random(in: 0...Int.max, using: &random)
    let wild = Arrangement<Score>.sorted { first, second in
      (first.points &* 31 &+ second.points &* 17 &+ salt) % 3 == 0
    }.sectioned(by: { $0.team })
    var list = SortedList(
      (0..<60).map { Score(id: $0, points: $0 * 7 % 31, team: $0 % 3) }, arrangement: wild)
    var checker = BatchUpdateChecker(list.snapshot)
    var ids = Set(0..<60)
    for _ in 0..<30 {
      let id = Int.random(in: 0..<80, using: &random)
      let removed = Int.random(in: 0..<80, using: &random)
      ids.remove(removed)
      ids.insert(id)
      let update = list.change(
        upserting: [Score(id: id, points: Int.random(in: 0..<31, using: &random), team: id % 3)],
        removing: [removed])
      if let update { #expect(checker.violations(performing: update) == []) }
      #expect(list.snapshot.items.map(\.id).sorted() == ids.sorted())
    }
  }

  @Test
  func `rows inserted at one place, again and again, keep their order`() {
    var list = SortedList(
      [Score(id: 0, points: 0, team: 0), Score(id: 1, points: 1_000_000, team: 0)],
      arrangement: .sorted(by: \.points))
    for id in 2..<5000 { list.change(upserting: [Score(id: id, points: 5000 - id, team: 0)]) }
    for id in 5000..<10000 { list.change(upserting: [Score(id: id, points: id, team: 0)]) }
    let points = list.snapshot.items.map(\.points)
    #expect(points == points.sorted() && points.count == 10000)
  }

  @Test(arguments: [1, 10, 100])
  func `C4: a batch compares few items, however many there are`(changes: Int) {
    func comparisons(_ count: Int) -> Int {
      let counter = Counter()
      let arrangement = Arrangement<Score>.sorted { first, second in
        counter.increment()
        return first.points < second.points
      }
      var list = SortedList(
        (0..<count).map { Score(id: $0, points: $0 * 2, team: 0) }, arrangement: arrangement)
      counter.reset()
      list.change(
        upserting: (0..<changes).map { Score(id: $0 * 7, points: $0 * 31 + 1, team: 0) })
      return counter.value
    }
    #expect(comparisons(100_000) < changes * 60)
    #expect(comparisons(100_000) < comparisons(1_000) * 3)
  }
}
