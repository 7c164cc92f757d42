import FreshetTesting
import Testing

@testable import FreshetLists

/// Batches that are large beside the list are merged into it.
@Suite(.timeLimit(.minutes(5)))
struct LargeBatchTests {
  typealias Score = SortedListTests.Score
  typealias Plain = SortedOrderTests.Plain
  typealias Key = SortedOrderTests.Key

  @Test
  func `X3, C4: a large batch asks about its own items only`() {
    let (filters, names, comparisons) = (Counter(), Counter(), Counter())
    let arrangement = Arrangement<Score>.filtered {
      filters.increment()
      return $0.points % 10 != 3
    }.sorted { first, second in
      comparisons.increment()
      return first.points < second.points
    }.sectioned(by: {
      names.increment()
      return $0.team
    })
    var list = SortedList(
      (0..<10_000).map { Score(id: $0, points: $0, team: 0) }, arrangement: arrangement)
    for counter in [filters, names, comparisons] { counter.reset() }
    let batch = (0..<1_200).map { Score(id: $0 * 8, points: $0 * 7, team: 0) }
    #expect(list.change(upserting: batch) != nil)
    #expect(filters.value == 1_200)
    // One looks for its section, one for where it stands: names are compared by the items.
    #expect(names.value <= 2 * 1_200)
    #expect(comparisons.value < 1_200 * 60)
  }

  @Test
  func `C4: a large batch looks up each id once`() {
    let hashes = Counter()
    func rows(_ numbers: Range<Int>, rank: Int) -> [HashedRow] {
      numbers.map { HashedRow(id: .init(value: $0, hashes: hashes), rank: rank + $0 * 37 % 101) }
    }
    var list = SortedList(rows(0..<2_000, rank: 0), arrangement: .sorted(by: \.rank))
    let batch = rows(500..<1_500, rank: 50)
    hashes.reset()
    #expect(list.change(upserting: batch) != nil)
    #expect(hashes.value == batch.count)
    #expect(list.ids.count == 2_000 && list.path(of: batch[0].id) != nil)
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `A2: a large batch leaves items without an order of ids as they came`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    func batch(_ count: Int) -> [Plain] {
      (0..<count).map { _ in
        Plain(
          id: Key(value: Int.random(in: 0..<150, using: &random)),
          rank: Int.random(in: 0..<4, using: &random))
      }
    }
    // What came, in its order, as a list that is sorted anew has it.
    var arrived: [Plain] = []
    var list = SortedList<Plain>(arrangement: .sorted(by: \.rank))
    for step in 0..<10 {
      let upserted = batch(Int.random(in: 0..<120, using: &random))
      let removed = batch(Int.random(in: 0..<60, using: &random)).map(\.id)
      arrived.removeAll { item in
        removed.contains(item.id) && !upserted.contains { $0.id == item.id }
      }
      for item in upserted {
        if let index = arrived.firstIndex(where: { $0.id == item.id }) {
          arrived[index] = item
        } else {
          arrived.append(item)
        }
      }
      list.change(upserting: upserted, removing: removed)
      let sorted = arrived.enumerated().sorted {
        ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
      }.map(\.element)
      #expect(Array(list.snapshot.items) == sorted, "seed \(seed), step \(step)")
    }
  }

  @Test
  func `A1: sections that a large batch empties stay, if they are asked to`() {
    for keepsEmpty in [true, false] {
      var list = SortedList(
        (0..<200).map { Score(id: $0, points: $0, team: $0 % 2) },
        arrangement: .all.sectioned(by: { $0.team }, keepingEmpty: keepsEmpty))
      list.change(upserting: (0..<200).map { Score(id: $0, points: $0, team: 2) })
      #expect(list.snapshot.sections.map(\.name) == (keepsEmpty ? ["0", "1", "2"] : ["2"]))
      list.change(upserting: [], removing: Array(0..<150))
      #expect(list.snapshot.count == 50 && list.ids.count == 50)
    }
  }

  @Test
  func `rows that large batches insert at one place, again and again, keep their order`() {
    var list = SortedList(
      (0..<50).map { Score(id: $0, points: $0 * 1_000_000, team: 0) },
      arrangement: .sorted(by: \.points))
    var id = 50
    for round in 0..<40 {
      // Between the same two neighbours, until there is no number left between theirs.
      list.change(
        upserting: (0..<200).map { Score(id: id + $0, points: 1_000 * (41 - round) + $0, team: 0) })
      id += 200
      let points = list.snapshot.items.map(\.points)
      #expect(points == points.sorted() && points.count == id)
      for (row, item) in list.snapshot.items.enumerated() {
        guard list.path(of: item.id) != RowPath(section: 0, row: row) else { continue }
        Issue.record("\(item) is not where it says")
        return
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds(50))
  func `a comparison that contradicts itself neither loses nor doubles an item of a large batch`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: seed)
    let salt = Int.random(in: 0...Int.max, using: &random)
    var list = SortedList(
      (0..<60).map { Score(id: $0, points: $0 * 7 % 31, team: $0 % 3) },
      arrangement: .sorted { first, second in
        (first.points &* 31 &+ second.points &* 17 &+ salt) % 3 == 0
      }.sectioned(by: { $0.team }))
    var checker = BatchUpdateChecker(list.snapshot)
    var ids = Set(0..<60)
    for _ in 0..<10 {
      let batch = (0..<60).map { _ in
        Score(
          id: Int.random(in: 0..<120, using: &random),
          points: Int.random(in: 0..<31, using: &random),
          team: Int.random(in: 0..<3, using: &random))
      }
      let removed = (0..<30).map { _ in Int.random(in: 0..<120, using: &random) }
      ids.subtract(removed)
      ids.formUnion(batch.map(\.id))
      let update = list.change(upserting: batch, removing: removed)
      if let update { #expect(checker.violations(performing: update) == []) }
      #expect(list.snapshot.items.map(\.id).sorted() == ids.sorted())
    }
  }
}
