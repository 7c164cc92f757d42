import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

/// What becomes of a row that the reader drags while the list goes on.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct DraggedRowTests {
  let surface = NotedSurface()

  func list(_ ids: [Int]) -> ListSnapshot<ListRow<Post>> {
    ScriptedDisplay.list([("", ids.map { .row($0) })])
  }

  func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  @Test
  func `a row that was dragged goes where the list has it: back, if that says nothing`() async {
    let display = ScriptedDisplay([("", (1...5).map { .row($0) })])
    let presenter = surface.present(display)
    var told: [Int?] = []
    presenter.move(path(0), to: path(2)) { item, above in
      told = [item.id, above?.id]
      display.show(list([2, 3, 1, 4, 5]))
    }
    #expect(told == [1, 3] && presenter.path(of: 1) == path(2))
    await presenter.waiting?.value
    #expect(presenter.layout.list == list([2, 3, 1, 4, 5]) && surface.calls == [])
    // Nobody is told: a second one is in the way of the first.
    presenter.move(path(0), to: path(4)) { _, _ in }
    presenter.move(path(0), to: path(1)) { _, above in #expect(above?.id == 1) }
    #expect(presenter.layout.list == list([1, 3, 4, 5, 2]))
    await presenter.waiting?.value
    #expect(presenter.layout.list == display.value.list)
    #expect(surface.calls == ["animate 2 rows moved"])
    presenter.move(path(4), to: path(0)) { _, above in
      #expect(above == nil)
      display.show(list([1, 2, 3, 4, 5]))
    }
    await presenter.waiting?.value
    #expect(presenter.layout.list == display.value.list)
  }

  @Test
  func `a section that goes and comes again while a row is dragged is shown anew`() async {
    let display = ScriptedDisplay([("a", [.row(1)]), ("b", [.row(2), .row(3)])])
    let presenter = surface.present(display)
    let clock = ManualClock()
    presenter.clock = clock
    surface.isReordering = true
    display.show(ScriptedDisplay.list([("a", [.row(1)])]))
    display.show(ScriptedDisplay.list([("a", [.row(1)]), ("b", [.row(3), .row(4)])]))
    display.show(ScriptedDisplay.list([("a", [.row(1)]), ("b", [.row(3)])]))
    #expect(await clock.sleepers(1))
    #expect(presenter.path(of: 3) == nil && surface.calls == [])
    surface.isReordering = false
    clock.advance(by: .milliseconds(100))
    await presenter.waiting?.value
    #expect(surface.calls == ["reload"] && presenter.layout.list == display.value.list)
    #expect(presenter.path(of: 3) == RowPath(section: 1, row: 0))
  }

  @Test
  func `a view that says where a row was dropped is left alone until the next turn`() async {
    let display = ScriptedDisplay([("", (1...5).map { .row($0) })])
    let presenter = surface.present(display)
    presenter.move(path(4), to: path(0)) { _, _ in
      display.show(list([5, 1, 2, 3, 4, 6]))
      display.show(list([5, 2, 3, 4, 6]))
      #expect(surface.calls == [])
    }
    #expect(surface.calls == [] && presenter.layout.list == list([5, 1, 2, 3, 4]))
    await presenter.waiting?.value
    #expect(surface.calls == ["animate 1 row deleted, 1 row inserted"])
    #expect(presenter.layout.list == display.value.list)
    // From then on, steps show at once again.
    display.show(list([5, 2, 3, 4, 6, 7]))
    #expect(surface.calls.last == "animate 1 row inserted")
  }

  @Test
  func `steps wait while a row is dragged, and are one batch afterwards`() async {
    let display = ScriptedDisplay([("", (1...5).map { .row($0) })])
    let presenter = surface.present(display)
    let clock = ManualClock()
    presenter.clock = clock
    surface.isReordering = true
    display.show(list([9, 1, 2, 3, 4, 5]))
    display.show(list([9, 1, 2, 4, 5]))
    #expect(await clock.sleepers(1))
    #expect(surface.calls == [] && presenter.layout.list == list([1, 2, 3, 4, 5]))
    // Where an item of the list is shown, and where it is not.
    #expect(presenter.path(of: 4) == path(3) && presenter.path(of: 9) == nil)
    surface.isReordering = false
    clock.advance(by: .milliseconds(100))
    await presenter.waiting?.value
    #expect(surface.calls == ["animate 1 row deleted, 1 row inserted"])
    #expect(presenter.layout.list == display.value.list)
  }

  @Test
  func `a gap that begins to load while a row is dropped is made anew where it is shown then`()
    async
  {
    let display = ScriptedDisplay([("", [.row(1), .row(-1), .row(2), .row(-2)])])
    let presenter = surface.present(display)
    var state = ListState()
    state.gaps[1] = .loading
    presenter.move(path(0), to: path(2)) { _, _ in display.show(display.value.list, state: state) }
    #expect(presenter.path(of: 1) == path(2) && presenter.path(of: 2) == path(1))
    await presenter.waiting?.value
    #expect(surface.calls == ["animate 1 row moved", "reconfigure [[0, 1]]"])
    #expect(presenter.layout.row(at: path(1)) == .gap(Gap(id: 1), .loading, nil))
  }

  @Test
  func `a row dropped among those of an edge is put back by loading anew`() async {
    var state = ListState()
    state.next = .loading
    let display = ScriptedDisplay([("", (1...3).map { .row($0) })], state: state)
    let presenter = surface.present(display)
    presenter.move(path(0), to: RowPath(section: 1, row: 0)) { item, above in
      #expect(item.id == 1 && above?.id == 3)
      display.show(list([2, 3, 1]))
    }
    #expect(surface.calls == [])
    await presenter.waiting?.value
    #expect(surface.calls == ["reload"] && presenter.layout.list == list([2, 3, 1]))
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `C1-C3: whatever is dragged and comes meanwhile is one legal batch`(seed: Int) throws {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    var (shown, current) = (lists.list(), ListSnapshot<ListRow<Post>>())
    current = shown
    var held = PendingUpdates<ListRow<Post>>()
    var sectionsGo = false
    for step in 0..<40 {
      switch Int.random(in: 0..<4, using: &lists.random) {
      case 0:
        let next = lists.list()
        let update = ListStep(from: current, to: next)
        sectionsGo = sectionsGo || !update.changes.deletedSections.isEmpty
        held.add(update)
        current = next
      case 1:
        switch held.take() {
        case .none: continue
        case .step(let update):
          var checker = BatchUpdateChecker(shown)
          #expect(update.before == shown && update.after == current, "seed \(seed), step \(step)")
          #expect(checker.violations(performing: update) == [], "seed \(seed), step \(step)")
        case .unknown: #expect(sectionsGo, "seed \(seed), step \(step)")
        }
        (shown, sectionsGo) = (current, false)
      default:
        var screen = ListLayout<Post>(shown)
        let paths = shown.sections.indices.flatMap { section in
          shown.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
        }
        guard let from = paths.randomElement(using: &lists.random),
          let target = paths.filter({ $0.section == from.section })
            .randomElement(using: &lists.random),
          let move = screen.move(from, to: target)?.move
        else { continue }
        held.drag(move, from: shown, to: screen.list)
        shown = screen.list
      }
      for (section, rows) in current.sections.map(\.rows).enumerated() {
        for (row, content) in rows.enumerated() {
          guard let path = held.shownPath(of: RowPath(section: section, row: row)) else { continue }
          #expect(try shown.item(at: path).id == content.id, "seed \(seed), step \(step)")
        }
      }
    }
  }
}
