import FreshetTesting
import Testing

@testable import FreshetLists

@Suite(.timeLimit(.minutes(5)))
struct RowIndexTests {
  /// A row of which many share a hash.
  struct Crowded: ListItem {
    struct ID: Hashable {
      var number: Int

      func hash(into hasher: inout Hasher) { hasher.combine(number % 5 == 0 ? 0 : number) }
    }

    let id: ID
    var version = 0

    init(_ number: Int, _ version: Int = 0) {
      id = ID(number: number)
      self.version = version
    }
  }

  typealias List = ListSnapshot<Crowded>

  /// The list with some rows gone, come, moved or renamed, and sections that come and go.
  private func changed(
    _ list: List, _ random: inout SeededGenerator
  ) -> (after: List, changes: ListChanges) {
    var sections = list.sections.map { (name: $0.name, rows: Array($0.rows)) }
    var free = Set(0..<400)
    for row in list.items { free.remove(row.id.number) }
    if random.oneIn(6), sections.count < 5, let name = "abcdefgh".randomElement(using: &random),
      !sections.contains(where: { $0.name == "\(name)" })
    {
      sections.insert(("\(name)", []), at: Int.random(in: 0...sections.count, using: &random))
    }
    if random.oneIn(12), !sections.isEmpty {
      sections.remove(at: Int.random(in: 0..<sections.count, using: &random))
    }
    guard !sections.isEmpty else { return (List(), List().changes(from: list)) }
    let isLarge = random.oneIn(8)
    for _ in 0..<(isLarge ? 120 : Int.random(in: 0...6, using: &random)) {
      let (from, to) = (
        Int.random(in: 0..<sections.count, using: &random),
        Int.random(in: 0..<sections.count, using: &random)
      )
      if random.oneIn(2), let number = free.min() {
        free.remove(number)
        let place = Int.random(in: 0...sections[to].rows.count, using: &random)
        sections[to].rows.insert(Crowded(number), at: place)
      } else if let place = sections[from].rows.indices.randomElement(using: &random) {
        let row = sections[from].rows.remove(at: place)
        if random.oneIn(2) {
          let place = Int.random(in: 0...sections[to].rows.count, using: &random)
          sections[to].rows.insert(row, at: place)
        }
      }
    }
    var after = List(
      sections: sections.map { ListSection(name: $0.name, rows: RowTree($0.rows)) })
    var changes = after.changes(from: list)
    // A row that stays in its place may be another one afterwards.
    if random.oneIn(3), let number = free.min(), let section = sections.indices.last,
      let row = sections[section].rows.indices.randomElement(using: &random)
    {
      let path = RowPath(section: section, row: row)
      let isNew =
        changes.insertedSections.contains(section) || changes.insertedRows.contains(path)
        || changes.movedRows.contains { $0.to == path } || changes.updatedRows.contains(path)
      if !isNew {
        sections[section].rows[row] = Crowded(number)
        after = List(
          sections: sections.map { ListSection(name: $0.name, rows: RowTree($0.rows)) })
        changes.updatedRows = (changes.updatedRows + [path]).sorted()
      }
    }
    return (after, changes)
  }

  private func expect(
    _ places: RowIndex, of list: List, _ comment: Comment
  ) {
    var found: [Int: RowPath] = [:]
    for (section, content) in list.sections.enumerated() {
      for (row, item) in content.rows.enumerated() {
        found[item.id.number] = RowPath(section: section, row: row)
      }
    }
    for number in 0..<400
    where places.path(of: Crowded.ID(number: number), in: list) != found[number] {
      Issue.record(comment)
      return
    }
  }

  @Test(arguments: SeededGenerator.seeds(40))
  func `rows are found where a look at all of them finds them, in copies too`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var list = List(
      sections: [
        ListSection(name: "x", rows: RowTree((0..<150).map { Crowded($0) })),
        ListSection(name: "y", rows: RowTree((150..<200).map { Crowded($0) })),
      ])
    var places = RowIndex(list)
    var copies: [(RowIndex, List)] = []
    for step in 0..<120 {
      let (after, changes) = changed(list, &random)
      places.apply(changes, from: list, to: after)
      list = after
      expect(places, of: list, "seed \(seed), step \(step): \(changes)")
      if step % 30 == 0 { copies.append((places, list)) }
    }
    for (places, list) in copies { expect(places, of: list, "seed \(seed), a copy") }
  }

  @Test
  func `rows that come at one place again and again are all found`() {
    var list = List([Crowded(-1), Crowded(-2)])
    var places = RowIndex(list)
    for number in 0..<400 {
      var rows = list.sections[0].rows
      rows.insert(Crowded(number), at: 1)
      let after = List(rows)
      var changes = ListChanges()
      changes.insertedRows = [RowPath(section: 0, row: 1)]
      places.apply(changes, from: list, to: after)
      list = after
    }
    expect(places, of: list, "inserted at one place")
  }

  @Test
  func `rows are found where sections come and go at two places in turn`() {
    func section(_ number: Int) -> ListSection<Crowded> {
      ListSection(name: "\(number)", rows: [Crowded(number)])
    }
    // So many that none of the steps is taken for a new list.
    var sections = [section(0)] + (301..<399).map(section) + [section(399)]
    var list = List(sections: sections)
    var places = RowIndex(list)
    for number in 1..<300 {
      var changes = ListChanges()
      // At two places in turn, each of which is soon without room.
      let place = number % 2 == 0 ? 1 : sections.count - 1
      sections.insert(section(number), at: place)
      changes.insertedSections = [place]
      if number % 6 == 0 {
        sections.remove(at: 3)
        changes.deletedSections = [2]
      }
      let after = List(sections: sections)
      places.apply(changes, from: list, to: after)
      list = after
      if number % 30 == 0 { expect(places, of: list, "section \(number)") }
    }
    expect(places, of: list, "all sections")
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `rows are found in sections that pass each other while few of their rows change`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var list = List(
      sections: (0..<4).map { section in
        ListSection(
          name: "\(section)", rows: RowTree((0..<90).map { Crowded(section * 100 + $0) }))
      })
    var places = RowIndex(list)
    for step in 0..<60 {
      var sections = list.sections.map { (name: $0.name, rows: $0.rows) }
      var free = (0..<400).filter { number in !list.items.contains { $0.id.number == number } }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let (from, to) = (
          Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random)
        )
        if random.oneIn(2), let number = free.popLast() {
          sections[to].rows.insert(
            Crowded(number), at: Int.random(in: 0...sections[to].rows.count, using: &random))
        } else if sections[from].rows.count > 20 {
          let row = sections[from].rows.remove(
            at: Int.random(in: 0..<sections[from].rows.count, using: &random))
          if random.oneIn(2) { sections[to].rows.append(row) }
        }
      }
      if random.oneIn(2) { sections.shuffle(using: &random) }
      let after = List(sections: sections.map { ListSection(name: $0.name, rows: $0.rows) })
      let changes = after.changes(from: list)
      places.apply(changes, from: list, to: after)
      list = after
      expect(places, of: list, "seed \(seed), step \(step): \(changes)")
    }
  }

  /// A row that counts how often ids are hashed.
  struct Counted: ListItem {
    struct ID: Hashable {
      nonisolated(unsafe) static var hashes = 0
      let number: Int

      func hash(into hasher: inout Hasher) {
        unsafe Self.hashes += 1
        hasher.combine(number)
      }
    }

    let id: ID
  }

  @Test
  func `C4: sections that pass each other cost the rows that changed, not all they have`() {
    let sections = (0..<10).map { section in
      ListSection(
        name: "\(section)",
        rows: RowTree((0..<1_000).map { Counted(id: .init(number: section * 1_000 + $0)) }))
    }
    let before = ListSnapshot(sections: sections)
    let after = ListSnapshot(
      sections: sections.reversed().map { section in
        var rows = section.rows
        rows.insert(Counted(id: .init(number: -1 - (Int(section.name) ?? 0))), at: 0)
        return ListSection(name: section.name, rows: rows)
      })
    let changes = after.changes(from: before)
    var places = RowIndex(before)
    let hashes = unsafe Counted.ID.hashes
    places.apply(changes, from: before, to: after)
    let hashed = unsafe Counted.ID.hashes - hashes
    #expect(hashed < 1_000, "\(hashed)")
    for row in after.items { #expect(places.path(of: row.id, in: after).map { after[$0] } == row) }
  }
}
