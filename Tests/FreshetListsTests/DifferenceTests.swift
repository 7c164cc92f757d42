import FreshetLists
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DifferenceTests {
  /// Every list over two sections with ids out of `ids`, each at most once.
  static func lists(of ids: [Int]) -> [([Int], [Int])] {
    func arrangements(_ left: [Int]) -> [[Int]] {
      [[]] + left.flatMap { id in arrangements(left.filter { $0 != id }).map { [id] + $0 } }
    }
    return arrangements(ids).flatMap { rows in
      (0...rows.count).map { (Array(rows[..<$0]), Array(rows[$0...])) }
    }
  }

  @Test(arguments: 0...5)
  func `L3, C1-C3: every pair of lists up to five ids over two sections`(firstSection: Int) {
    // Renaming ids changes nothing, so the list before counts its ids upwards.
    for count in firstSection...5 {
      let before = ListSnapshot<Row>([
        "a": Array(0..<firstSection), "b": Array(firstSection..<count),
      ])
      for (variant, list) in Self.lists(of: Array(0..<5)).enumerated() {
        let (a, b) = list
        for layout in 0..<3 {
          let named: [ListSection<Row>] = [
            ListSection(
              name: "a", rows: RowTree(a.map { Row(id: $0, version: variant >> $0 & 1) })),
            ListSection(name: "b", rows: RowTree(b.map { Row(id: $0) })),
          ]
          let after =
            switch layout {
            case 0: ListSnapshot(sections: named)
            case 1: ListSnapshot(sections: named.reversed())
            default: ListSnapshot(sections: named.filter { $0.count > 0 })
            }
          let update = ListStep(from: before, to: after)
          let violations = Self.violations(of: update)
          if !violations.isEmpty {
            Issue.record("\(before.sections) to \(after.sections): \(violations) \(update.changes)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `C1-C3: random lists, edited here and there or shuffled`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var before = Self.randomList(using: &random)
    var checker = BatchUpdateChecker(before)
    for step in 0..<6 {
      let after = Self.edited(before, using: &random)
      let update = ListStep(from: before, to: after)
      let violations = checker.violations(performing: update) + Self.violations(of: update)
      if !violations.isEmpty {
        Issue.record("seed \(seed), step \(step): \(violations.prefix(3))")
        return
      }
      before = after
    }
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `C1-C3, L3: steps that follow each other are one step between their ends`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let first = Self.randomList(using: &random)
    var list = first
    var all = ListStep(from: first, to: first)
    for step in 0..<6 {
      let next = random.oneIn(4) ? first : Self.edited(list, using: &random)
      let update = ListStep(from: list, to: next)
      if let both = all.followed(by: update) {
        all = both
      } else {
        let went =
          all.changes.deletedSections.map { first.sections[$0].name }
          + update.changes.deletedSections.map { list.sections[$0].name }
        let goesAndComes = !Set(went).isDisjoint(with: next.sections.map(\.name))
        #expect(goesAndComes, "seed \(seed), step \(step)")
        all = ListStep(from: first, to: next)
      }
      list = next
      let violations = Self.violations(of: all)
      if !violations.isEmpty || all.before != first || all.after != list {
        Issue.record("seed \(seed), step \(step): \(violations.prefix(3))")
        return
      }
    }
  }

  @Test
  func `L3: equal contents emit nothing`() {
    let rows = (0..<1000).map { Row(id: $0) }
    let changes = ListSnapshot(rows).changes(from: ListSnapshot(rows))
    #expect(changes.isEmpty)
  }

  @Test
  func `the first row moved to the end is one move`() {
    let before = ListSnapshot((0..<100_000).map { Row(id: $0) })
    let after = ListSnapshot((1...100_000).map { Row(id: $0 % 100_000) })
    let changes = after.changes(from: before)
    #expect(changes.movedRows.count == 1 && changes.deletedRows.isEmpty)
  }

  @Test
  func `a row that comes twice breaks nothing`() {
    let before = ListSnapshot([1, 2, 2, 3].map { Row(id: $0) })
    let after = ListSnapshot([3, 2, 1, 2, 2].map { Row(id: $0) })
    var checker = BatchUpdateChecker(before)
    #expect(checker.violations(performing: ListStep(from: before, to: after)) == [])
    #expect(RowTree(uniquing: after.items).map(\.id) == [3, 2, 1])
  }

  @Test
  func `rows that share storage are not compared (C4)`() {
    let rows = RowTree((0..<100_000).map { Counted(id: $0) })
    var edited = rows
    edited.insert(Counted(id: -1), at: 50_000)
    edited.remove(at: 20)
    Counted.comparisons.reset()
    let changes = ListSnapshot(edited).changes(from: ListSnapshot(rows))
    #expect(changes.insertedRows == [RowPath(section: 0, row: 49_999)])
    #expect(changes.deletedRows == [RowPath(section: 0, row: 20)])
    #expect(Counted.comparisons.value < 51_000)
  }

  @Test(arguments: [0, 2, 3])
  func `C4: however two lists differ, each id is hashed once`(gone: Int) {
    let hashes = Counter()
    var random = SeededGenerator(seed: gone)
    let rows = (0..<4_000).map { HashedRow(id: .init(value: $0, hashes: hashes)) }
    let after = rows.filter { gone == 0 || $0.id.value % gone != 0 }.shuffled(using: &random)
    hashes.reset()
    let changes = ListSnapshot(after).changes(from: ListSnapshot(rows))
    #expect(changes.movedRows.count > 1_000)
    #expect(hashes.value <= rows.count + after.count)
  }

  @Test
  func `an invalid path is an error, not a trap`() {
    let list = ListSnapshot([Row(id: 1)])
    for path in [(0, 1), (1, 0), (-1, 0), (0, -1)] {
      let path = RowPath(section: path.0, row: path.1)
      #expect(throws: ListError.invalidIndexPath(path)) { try list.item(at: path) }
    }
  }

  // MARK: -

  static func violations<Item>(of update: ListStep<Item>) -> [String] {
    var checker = BatchUpdateChecker(update.before)
    var found = checker.violations(performing: update)
    if update.changes.movedRows.count != fewestMoves(update) {
      found.append("\(update.changes.movedRows.count) moves, not \(fewestMoves(update))")
    }
    if update.changes.isEmpty != (update.before == update.after) { found.append("L3") }
    return found
  }

  /// The moves that no batch can avoid, found the slow way.
  static func fewestMoves<Item>(_ update: ListStep<Item>) -> Int {
    let deleted = Set(update.changes.deletedSections)
    let inserted = Set(update.changes.insertedSections)
    let old = update.before.sections.enumerated().filter { !deleted.contains($0.offset) }
    let new = update.after.sections.enumerated().filter { !inserted.contains($0.offset) }
    let stayed = Set(old.flatMap { $0.element.rows.map(\.id) })
    var moves = 0
    for (section, before) in zip(new, old) {
      let places = Dictionary(
        before.element.rows.enumerated().map { ($1.id, $0) },
        uniquingKeysWith: { first, _ in first })
      let rows = section.element.rows.filter { stayed.contains($0.id) }
      let inOrder = rows.compactMap { places[$0.id] }
      var tails: [Int] = []
      for place in inOrder {
        let at = tails.firstIndex { $0 >= place } ?? tails.count
        if at == tails.count { tails.append(place) } else { tails[at] = place }
      }
      moves += rows.count - tails.count
    }
    return moves
  }

  static func randomList(using random: inout SeededGenerator) -> ListSnapshot<Row> {
    let count = [5, 40, 300, 2000].randomElement(using: &random)!
    let sections = Int.random(in: 1...6, using: &random)
    let ids = Array(0..<count).shuffled(using: &random)
    return ListSnapshot(
      sections: (0..<sections).map { section in
        let rows = ids[(count * section / sections)..<(count * (section + 1) / sections)]
        return ListSection(name: "s\(section)", rows: RowTree(rows.map { Row(id: $0) }))
      })
  }

  static func edited(
    _ list: ListSnapshot<Row>, using random: inout SeededGenerator
  ) -> ListSnapshot<Row> {
    var sections = list.sections.map { (name: $0.name, rows: $0.rows) }
    if random.oneIn(6) {
      sections = sections.map { ($0.name, RowTree($0.rows.shuffled(using: &random))) }
    }
    if random.oneIn(5) { sections.shuffle(using: &random) }
    if random.oneIn(5) { sections.append(("n\(random.next())", [])) }
    if random.oneIn(5), sections.count > 1 { sections.removeLast() }
    var fresh = 1_000_000 + Int(random.next() >> 8)
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let section = Int.random(in: 0..<sections.count, using: &random)
      let target = Int.random(in: 0..<sections.count, using: &random)
      let count = sections[section].rows.count
      guard count > 0 else { continue }
      let row = Int.random(in: 0..<count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: sections[section].rows.remove(at: row)
      case 1:
        sections[section].rows.insert(Row(id: fresh), at: row)
        fresh += 1
      case 2:
        var item = sections[section].rows[row]
        item.version += 1
        sections[section].rows.update(item, at: row)
      default:
        let item = sections[section].rows.remove(at: row)
        let at = Int.random(in: 0...sections[target].rows.count, using: &random)
        sections[target].rows.insert(item, at: at)
      }
    }
    return ListSnapshot(sections: sections.map { ListSection(name: $0.name, rows: $0.rows) })
  }
}

/// A row that counts how often it is compared.
struct Counted: ListItem {
  let id: Int
  static let comparisons = Counter()

  static func == (first: Counted, second: Counted) -> Bool {
    comparisons.increment()
    return first.id == second.id
  }
}
