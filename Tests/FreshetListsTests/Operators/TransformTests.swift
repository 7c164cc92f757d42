import FreshetTesting
import Testing

@testable import FreshetLists

/// Rules X1–X3 for transforms of one list, and for chains of them.
@Suite(.timeLimit(.minutes(5)))
struct TransformTests {
  struct Divider: ListItem {
    let id: Int
    var note = 0
  }

  /// A transform, and what it means, said in another way.
  struct Model<Transform: ListTransform> where Transform.Input == Row {
    var transform: Transform
    var meaning: ([Row]) -> [Transform.Output]
  }

  func check<Transform: ListTransform>(
    _ make: () -> Transform, meaning: ([Row]) -> [Transform.Output]
  ) async where Transform.Input == Row {
    for seed in SeededGenerator.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      var input = RandomRows(ids: .random(in: 1...40, using: &random))
      var transform = make()
      for step in 0..<12 {
        let before = transform.rows
        let edits = transform.apply(input.step(&random), to: RowTree(input.rows))
        let violations = edits.violations(from: before, to: transform.rows)
        #expect(violations == [], "seed \(seed), step \(step)")
        let meant = meaning(input.rows)
        #expect(Array(transform.rows) == meant, "seed \(seed), step \(step)")
        guard violations.isEmpty, Array(transform.rows) == meant else { return }
      }
    }
  }

  static let isEven: @Sendable (Row) -> Bool = { $0.version % 2 == 0 }
  static let rename: @Sendable (Row) -> Row = {
    Row(id: $0.id * 10 + $0.version % 3, version: $0.version / 4)
  }
  static let divider: @Sendable (Row?, Row) -> Divider? = { above, below in
    above?.version == below.version ? nil : Divider(id: below.version / 2, note: below.id % 2)
  }

  static func divided(_ rows: [Row]) -> [SeparatedRow<Row, Divider>] {
    var result: [SeparatedRow<Row, Divider>] = []
    var above: Row?
    for row in rows {
      if let divider = divider(above, row) {
        let occurrence = result.count { shown in
          if case .separator(let other, _) = shown { other.id == divider.id } else { false }
        }
        result.append(.separator(divider, occurrence: occurrence))
      }
      result.append(.item(row))
      above = row
    }
    return result
  }

  @Test
  func `X1, X2: rows mapped to others are what mapping all gives`() async {
    await check({ MapTransform(Self.rename) }) { $0.map(Self.rename) }
  }

  @Test
  func `X1, X2: a filter holds what filtering all gives`() async {
    await check({ FilterTransform(Self.isEven) }) { $0.filter(Self.isEven) }
  }

  @Test
  func `X1, X2: separators stand where they do from scratch, ids that come again too`() async {
    await check({ SeparatorTransform(Self.divider) }, meaning: Self.divided)
  }

  @Test
  func `X1, X2: a limit shows the first rows`() async {
    await check({ LimitTransform(7) }) { Array($0.prefix(7)) }
  }

  @Test
  func `X1, X2: chains of three mean one after the other`() async {
    await check({
      ChainedTransform(
        FilterTransform(Self.isEven),
        ChainedTransform(MapTransform(Self.rename), SeparatorTransform(Self.divider)))
    }) { Self.divided($0.filter(Self.isEven).map(Self.rename)) }
    await check({
      ChainedTransform(
        LimitTransform(15),
        ChainedTransform(MapTransform(Self.rename), FilterTransform(Self.isEven)))
    }) { $0.prefix(15).map(Self.rename).filter(Self.isEven) }
    await check({
      ChainedTransform(
        SeparatorTransform(Self.divider),
        ChainedTransform(LimitTransform(9), FilterTransform { $0.item != nil }))
    }) { Self.divided($0).prefix(9).filter { $0.item != nil } }
  }

  @Test
  func `X1, X2: another condition is one update`() async {
    for seed in SeededGenerator.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      var input = RandomRows(ids: .random(in: 1...40, using: &random))
      var filter = FilterTransform(Self.isEven)
      for step in 0..<12 {
        let divisor = Int.random(in: 1...4, using: &random)
        _ = filter.apply(input.step(&random), to: RowTree(input.rows))
        let before = filter.rows
        let edits = filter.filter(RowTree(input.rows)) { $0.version % divisor == 0 }
        #expect(edits.violations(from: before, to: filter.rows) == [], "seed \(seed), step \(step)")
        #expect(Array(filter.rows) == input.rows.filter { $0.version % divisor == 0 })
      }
    }
  }

  @Test
  func `X1: a sum follows its rows`() {
    var random = SeededGenerator(seed: 1)
    var input = RandomRows(ids: 40)
    var sum = ReducedRows<Row, Int>(into: 0) {
      $0 += $1.version
    } inverse: {
      $0 -= $1.version
    }
    for _ in 0..<1_000 {
      sum.apply(input.step(&random), to: RowTree(input.rows))
      #expect(sum.value == input.rows.reduce(0) { $0 + $1.version })
    }
  }

  @Test
  func `X1, X2: separators pass over rows as if they were not there`() async {
    let isGap: @Sendable (Row) -> Bool = { $0.id % 4 == 0 }
    await check({ SeparatorTransform(passingOver: isGap, Self.divider) }) { rows in
      let divided = Self.divided(rows.filter { !isGap($0) })
      var left = divided[...]
      return rows.flatMap { row in
        if isGap(row) { return [SeparatedRow<Row, Divider>.item(row)] }
        let own = left.prefix { $0 != .item(row) }
        left = left.dropFirst(own.count + 1)
        return own + [.item(row)]
      }
    }
  }

  @Test
  func `X1: the smallest and the largest key follow the rows`() {
    var random = SeededGenerator(seed: 2)
    var input = RandomRows(ids: 40)
    var keys = ReducedRows<Row, SortedKeys<Int>>(into: SortedKeys()) {
      $0.insert($1.version)
    } inverse: {
      $0.remove($1.version)
    }
    for _ in 0..<1_000 {
      keys.apply(input.step(&random), to: RowTree(input.rows))
      let sorted = input.rows.map(\.version).sorted()
      #expect(Array(keys.value) == sorted)
      #expect(keys.value.indices.map { keys.value[$0] } == sorted)
    }
    var none = SortedKeys<Int>()
    none.remove(1)
    #expect(none.count == 0 && none.first == nil && none.last == nil)
  }

  @Test
  func `a step of sections is a step of all rows, and of those of each section`() async {
    for seed in SeededGenerator.seeds(3_000) {
      var random = SeededGenerator(seed: seed)
      func list() -> ListSnapshot<Row> {
        var ids = (0..<20).shuffled(using: &random).prefix(.random(in: 0...20, using: &random))
        let names = ["a", "b", "c", "d"].filter { _ in random.oneIn(2) }.shuffled(using: &random)
        return ListSnapshot(
          sections: names.map { name in
            let rows = ids.prefix(.random(in: 1...8, using: &random))
            ids = ids.dropFirst(rows.count)
            return ListSection(
              name: name,
              rows: RowTree(rows.map { Row(id: $0, version: .random(in: 0...1, using: &random)) }))
          })
      }
      let update = ListStep(from: list(), to: list())
      var rows = RowTree(update.before.items)
      let edits = update.rowEdits
      rows.perform(edits) { update.after.items[$0] }
      #expect(Array(rows) == Array(update.after.items), "seed \(seed)")
      for index in 0..<update.before.count {
        let id = update.before.items[index].id
        let place = edits.place(of: index)
        #expect(place == nil || rows[place ?? 0].id == id, "seed \(seed)")
      }
      for edit in update.sectionEdits {
        var rows = update.before.sections[edit.before].rows
        rows.perform(edit.rows) { update.after.sections[edit.after].rows[$0] }
        #expect(rows == update.after.sections[edit.after].rows, "seed \(seed)")
      }
    }
  }

  @Test
  func `X3: closures are called for changed rows and their neighbours`() {
    let (mapped, filtered, separated) = (Counter(), Counter(), Counter())
    var chain = ChainedTransform(
      FilterTransform<Row> { _ in
        filtered.increment()
        return true
      },
      ChainedTransform(
        MapTransform<Row, Row> {
          mapped.increment()
          return $0
        },
        SeparatorTransform<Row, Divider> { _, _ in
          separated.increment()
          return nil
        }))
    var rows = RowTree((0..<100_000).map { Row(id: $0) })
    _ = chain.apply(RowEdits(inserted: Array(0..<100_000)), to: rows)
    for counter in [mapped, filtered, separated] { counter.reset() }
    rows.update(Row(id: 50_000, version: 1), at: 50_000)
    _ = chain.apply(RowEdits(updated: [50_000]), to: rows)
    #expect([filtered.value, mapped.value, separated.value] == [1, 1, 2])
    rows.remove(at: 70_000)
    _ = chain.apply(RowEdits(deleted: [70_000]), to: rows)
    #expect([filtered.value, mapped.value, separated.value] == [1, 1, 3])
  }
}
