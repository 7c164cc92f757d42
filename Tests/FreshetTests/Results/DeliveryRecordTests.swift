@testable import Freshet
import FreshetTesting
import Testing

/// Rows of a table of which several have one item.
struct DeliveryRecordTests {
  /// A table, the item of each of its rows, and what a query was record of it.
  struct Fixture {
    var table: [Int: Post] = [:]
    var record = DeliveryRecord<Int, Post>()
    var shown: [Int: Post] = [:]

    mutating func lookUp(_ keys: Set<Int>?) {
      let found = (keys.map { Array($0) } ?? Array(table.keys)).sorted().compactMap { key in
        table[key].map { (key: key, item: $0) }
      }
      let changes = record.changes(of: keys, found: found)
      for change in changes.all { shown[change.id] = change.item }
      let next = record.uncovered
      if !next.isEmpty { lookUp(next) }
    }
  }

  @Test
  func `of rows of one item one is shown, and the next one when it goes`() {
    var fixture = Fixture()
    fixture.table = [1: Post(id: 7, version: 1), 2: Post(id: 7, version: 2), 3: Post(id: 8)]
    fixture.lookUp([1, 2, 3])
    #expect(fixture.shown == [7: Post(id: 7, version: 2), 8: Post(id: 8)])
    #expect(fixture.record.covered == [1])
    fixture.table[2] = nil
    fixture.lookUp([2])
    #expect(fixture.shown[7] == Post(id: 7, version: 1) && fixture.record.covered.isEmpty)
    fixture.table[1] = nil
    fixture.lookUp([1])
    #expect(fixture.shown == [8: Post(id: 8)])
  }

  @Test
  func `a row that is not asked for takes no other row of its item along`() {
    var record = DeliveryRecord<Int, Post>(
      [1, 2], items: [[Post(id: 7, version: 1), Post(id: 7, version: 2)]])
    let none: [(key: Int, item: Post)] = []
    #expect(record.covered == [1])
    let changes = record.changes(of: [1], found: none, others: [Post(id: 7, version: 1)])
    #expect(changes.isEmpty && record.covered.isEmpty && record.keys(of: 7) == [2])
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `whatever happens to rows, one row of each item is shown`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var fixture = Fixture()
    for version in 0..<40 {
      let changed = Set((0..<3).map { _ in Int.random(in: 0..<8, using: &random) })
      for key in changed {
        fixture.table[key] =
          random.oneIn(3)
          ? nil : Post(id: .random(in: 0..<4, using: &random), version: version * 10 + key)
      }
      fixture.lookUp(random.oneIn(5) ? nil : changed)
      let rows = Dictionary(grouping: fixture.table.values) { $0.id }
      #expect(Set(fixture.shown.keys) == Set(rows.keys), "seed \(seed), version \(version)")
      #expect(
        fixture.record.covered
          == Set(
            rows.keys.flatMap { fixture.record.keys(of: $0) }.filter { key in
              fixture.shown[fixture.table[key]!.id] != fixture.table[key]
            }))
      for (id, post) in fixture.shown {
        #expect(rows[id]?.contains(post) ?? false, "seed \(seed), version \(version)")
      }
      #expect(fixture.record.covered.count == fixture.table.count - rows.count)
    }
  }
}
