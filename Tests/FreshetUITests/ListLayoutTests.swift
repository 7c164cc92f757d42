import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

@Suite(.timeLimit(.minutes(5)))
struct ListLayoutTests {
  typealias Screen = ListLayout<Post>

  /// A screen as a list of its own, which `BatchUpdateChecker` holds to the rules.
  struct Row: ListItem {
    let id: String
    let row: ScreenRow<Post>
  }

  static func rows(_ screen: Screen) -> ListSnapshot<Row> {
    ListSnapshot(
      sections: (0..<screen.numberOfSections).map { section in
        let rows = (0..<screen.numberOfRows(in: section)).map { index in
          let row = screen.row(at: RowPath(section: section, row: index))
          switch row {
          case .item(let item): return Row(id: "item \(item.id)", row: .item(item))
          case .gap(let gap, let load, let size):
            return Row(id: "gap \(gap.id)", row: .gap(gap, load, size))
          case .edge(let edge): return Row(id: "edge \(edge.id)", row: .edge(edge))
          case .placeholder(let place):
            return Row(id: "\(place.place) \(place.index)", row: .placeholder(place))
          case nil: fatalError("There is no row")
          }
        }
        let name = screen.title(of: section) ?? (section < screen.offset ? "head" : "foot")
        return ListSection(name: name, rows: RowTree(rows))
      })
  }

  /// Lays out a random list among random placeholders.
  static func screen(
    _ lists: inout RandomLists, names: [String] = ["a", "b", "c", "d"], hasPlaceholders: Bool
  ) -> Screen {
    let list = lists.list(sections: names.count, names: names)
    var blocks: [Placeholders.Block] = []
    func add(_ place: PlaceholderRow.Place, _ section: Int, _ row: Int) {
      let count = Int.random(in: 0...4, using: &lists.random)
      if count == 0 || !hasPlaceholders { return }
      blocks.append(
        Placeholders.Block(place, at: RowPath(section: section, row: row), count: count))
    }
    if !list.sections.isEmpty { add(.above, 0, 0) }
    for (section, content) in list.sections.enumerated() {
      for (row, gap) in content.rows.enumerated() {
        if let gap = gap.gap { add(.gap(gap.id), section, row + 1) }
      }
    }
    if let last = list.sections.last { add(.below, list.sections.count - 1, last.count) }
    return Screen(
      list, lists.state(), edges: .activeAndEnd, placeholders: Placeholders(blocks))
  }

  @Test(arguments: 0..<200)
  func `C1, C2: rows of edges, gaps that load and placeholders are part of one legal batch`(
    seed: Int
  ) {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    let hasPlaceholders = !seed.isMultiple(of: 3)
    var old = Self.screen(&lists, hasPlaceholders: hasPlaceholders)
    var checker = BatchUpdateChecker(Self.rows(old))
    for _ in 0..<20 {
      let new = Self.screen(&lists, hasPlaceholders: hasPlaceholders)
      let list = new.list
      let gaps = new.loads.gaps.keys.sorted().filter { new.loads.gaps[$0] != old.loads.gaps[$0] }
      let changes = new.changes(
        since: old, list.changes(from: old.list),
        gaps: gaps.compactMap { RowIndex(list).path(of: .gap($0), in: list) })
      let update = ListStep(
        before: Self.rows(old), after: Self.rows(new), changes: changes, origin: .network)
      #expect(checker.violations(performing: update) == [], "seed \(seed)")
      old = new
    }
  }

  @Test
  func `an edge shows while it loads or failed, and its end only where that is asked for`() {
    var state = ListState()
    state.refresh = .loading
    let empty = Screen(ListSnapshot(), state, edges: .active)
    #expect(empty.head.map(\.id) == [.refresh] && empty.numberOfSections == 1)
    let list = ScriptedDisplay.list([("", [.row(1)])])
    #expect(Screen(list, state, edges: .active).numberOfSections == 1)
    state.refresh = .failed(.source(ScriptedError()))
    state.next = .end
    let failed = Screen(list, state, edges: .active)
    #expect(failed.head.map(\.id) == [.refresh] && failed.foot == [])
    #expect(failed.row(at: RowPath(section: 1, row: 0))?.item?.id == 1)
    #expect(failed.listPath(of: RowPath(section: 1, row: 0)) == RowPath(section: 0, row: 0))
    #expect(Screen(list, state, edges: .activeAndEnd).foot.map(\.id) == [.next])
    #expect(Screen(list, state, edges: .none).numberOfSections == 1)
  }

  @Test(arguments: 0..<100)
  func `W6: each row has one path among the placeholders`(seed: Int) {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    let screen = Self.screen(&lists, hasPlaceholders: true)
    var (count, found) = (0, Set<PlaceholderRow>())
    for (section, content) in screen.list.sections.enumerated() {
      for (row, content) in content.rows.enumerated() {
        let place = RowPath(section: section, row: row)
        let path = screen.path(ofListRow: place)
        #expect(screen.listPath(of: path) == place, "seed \(seed)")
        #expect(screen.row(at: path)?.item == content.item, "seed \(seed)")
        count += 1
      }
    }
    for section in 0..<screen.numberOfSections {
      for row in 0..<screen.numberOfRows(in: section) {
        let path = RowPath(section: section, row: row)
        guard case .placeholder(let place)? = screen.row(at: path) else { continue }
        #expect(screen.listPath(of: path) == nil && found.insert(place).inserted, "seed \(seed)")
        count += 1
      }
    }
    let blocks = screen.placeholders.blocks.reduce(0) { $0 + $1.count }
    #expect(count == screen.list.count + blocks, "seed \(seed)")
  }

  @Test(arguments: 0..<200)
  func `W6: a row that is dragged among placeholders is at its target, and they stay`(seed: Int) {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    var screen = Self.screen(&lists, hasPlaceholders: true)
    let paths = (0..<screen.numberOfSections).flatMap { section in
      (0..<screen.numberOfRows(in: section)).map { RowPath(section: section, row: $0) }
    }
    guard let from = paths.randomElement(using: &lists.random), let row = screen.row(at: from),
      var target = paths.randomElement(using: &lists.random), screen.listPath(of: from) != nil
    else { return }
    if target.section != from.section, lists.random.oneIn(2) { target.row += 1 }
    let rows = Self.rows(screen)
    let before = rows.sections.flatMap(\.rows).map(\.id).filter {
      !$0.contains("item") && !$0.contains("gap ")
    }
    let place = screen.target(of: from, to: target)
    let isMoved = screen.move(from, to: target) != nil
    #expect(isMoved && screen.row(at: place) == row, "seed \(seed): \(from), \(target), \(place)")
    let after = Self.rows(screen).sections.flatMap(\.rows).map(\.id)
    #expect(after.filter { !$0.contains("item") && !$0.contains("gap ") } == before, "seed \(seed)")
    // What is dragged to a place that a row may have is there.
    if let path = screen.listPath(of: target), place == target {
      #expect(screen.path(ofListRow: path) == target, "seed \(seed)")
    }
  }

  @Test
  func `titles of an index stand for the first section of each`() {
    let list = ScriptedDisplay.list([("anna", [.row(1)]), ("asta", [.row(2)]), ("bo", [.row(3)])])
    let index = Screen(list).index { $0.prefix(1).uppercased() }
    #expect(index.map(\.title) == ["A", "B"] && index.map(\.section) == [0, 2])
  }

  @Test
  func `a path without a row has none`() {
    let screen = Screen(ScriptedDisplay.list([("", [.row(1)])]))
    for path in [
      RowPath(section: -1, row: 0), RowPath(section: 0, row: 1),
      RowPath(section: 0, row: -1), RowPath(section: 1, row: 0),
    ] {
      #expect(screen.row(at: path) == nil && screen.title(of: path.section) == nil)
    }
  }

  @Test(arguments: 0..<60)
  func `a row that stays is where its place says`(seed: Int) {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    var before = lists.list()
    for _ in 0..<20 {
      let after = lists.list()
      let changes = after.changes(from: before)
      let places = BatchIndexMap(changes)
      for (section, content) in before.sections.enumerated() {
        for (index, row) in content.rows.enumerated() {
          guard let place = places.place(of: RowPath(section: section, row: index)) else {
            continue
          }
          #expect((try? after.item(at: place))?.id == row.id, "seed \(seed)")
        }
      }
      before = after
    }
  }

  @Test
  func `scrolling keeps a row at its distance, as far as there is content`() {
    let bounds = ScrollBounds(content: 1_000, visible: 300, top: 50)
    #expect(bounds.offset(showing: 400, at: 20) == 380)
    #expect(bounds.offset(showing: 10, at: 200) == -50)
    #expect(bounds.offset(showing: 990, at: 20) == 700)
    #expect(ScrollBounds(content: 100, visible: 300).offset(showing: 90, at: 0) == 0)
    #expect(bounds.offset(showing: 400, at: 20, from: 280) == 380)
  }

  @Test
  func `content that is pulled beyond its end is left to swing back`() {
    let bounds = ScrollBounds(content: 1_000, visible: 300, top: 50)
    #expect([-80, -50, 700, 740].map(bounds.pull) == [-30, 0, 0, 40])
    // Nothing came above: nothing is done.
    #expect(bounds.offset(showing: 760, at: 20, from: 740, pulledBy: 40) == nil)
    #expect(bounds.offset(showing: 0, at: 80, from: -80, pulledBy: -30) == nil)
    #expect(bounds.offset(showing: 400, at: 20, from: 380) == nil)
    // Rows came above, where the content ended before: the end stays pulled as far as it was.
    #expect(bounds.offset(showing: 760, at: 20, from: 640, pulledBy: 40) == 740)
    // A row that stands further down than the content goes: the view stays as it is pulled.
    #expect(bounds.offset(showing: 800, at: 20, from: 740, pulledBy: 40) == nil)
    // Rows went: it is not pulled, but too far down.
    #expect(bounds.offset(showing: 800, at: 20, from: 740) == 700)
  }

  @Test
  func `a row that is dragged among those of an edge comes to stand next to them`() {
    let failed = LoadState.failed(.source(ScriptedError()))
    var state = ListState()
    (state.refresh, state.next) = (failed, failed)
    let screen = Screen(
      ScriptedDisplay.list([("a", [.row(1), .row(-1)]), ("b", [.row(2), .row(3)])]), state,
      edges: .active)
    func target(_ from: RowPath, _ target: RowPath) -> RowPath {
      screen.target(of: from, to: target)
    }
    let (head, foot) = (RowPath(section: 0, row: 0), RowPath(section: 3, row: 1))
    let (first, last) = (RowPath(section: 1, row: 0), RowPath(section: 2, row: 1))
    #expect(target(last, head) == first)
    // It is taken out of its section first: that has one row less.
    #expect(target(last, foot) == last && target(first, foot) == RowPath(section: 2, row: 2))
    // A gap is a row of the list like others, and an edge cannot be dragged.
    #expect(target(last, RowPath(section: 1, row: 1)) == RowPath(section: 1, row: 1))
    #expect(target(head, last) == head)
  }
}
