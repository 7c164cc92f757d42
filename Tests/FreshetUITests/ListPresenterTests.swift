import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ListPresenterTests {
  let surface = NotedSurface()

  func list(_ ids: [Int]) -> ListSnapshot<ListRow<Post>> {
    ScriptedDisplay.list([("", ids.map { .row($0) })])
  }

  @Test
  func `rows above the first one on screen leave it where it is, and nothing slides`() {
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })])
    let presenter = surface.present(display)
    surface.offset = 25
    display.show(list([11, 12] + (1...9)))
    #expect(surface.calls == ["perform 2 rows inserted"] && surface.offset == 45)
    display.show(list([11, 12] + (1...9) + [10]))
    #expect(surface.calls.last == "animate 1 row inserted" && surface.offset == 45)
    display.show(list([12] + (1...9) + [10]))
    #expect(surface.offset == 35)
    // The row itself goes: the next one stays.
    display.show(list([12, 1] + (3...10)))
    #expect(surface.offset == 25)
    #expect(presenter.layout.list == display.value.list)
  }

  @Test
  func `where all rows on screen go, the next one below takes their place`() {
    let display = ScriptedDisplay([("", (1...19).map { .row($0) })])
    let presenter = surface.present(display)
    surface.offset = 45
    // 5 to 8 are on screen, 5 begins above it.
    display.show(list([21, 22, 1, 2, 3] + (9...19)))
    #expect(surface.offset == 55 && surface.visiblePaths.first == RowPath(section: 0, row: 5))
    #expect(surface.calls == ["perform 5 rows deleted, 2 rows inserted"])
    // So they do where it is reloaded.
    presenter.options.batchLimit = 5
    display.show(list([1, 2] + (15...19)))
    #expect(surface.calls.last == "reload" && surface.offset == 25)
    // Nothing is left below: the view stays as it is.
    display.show(list([1]))
    #expect(surface.offset == 25)
  }

  @Test
  func `a view that shows another list is left alone, and shows this one when it returns`() {
    let display = ScriptedDisplay([("", [.row(1)])])
    let presenter = surface.present(display)
    surface.isInUse = false
    display.show(list([1, 2]))
    #expect(surface.calls == [] && presenter.layout.list == display.value.list)
    surface.isInUse = true
    display.show(list([1, 2, 3]))
    #expect(surface.calls == ["animate 1 row inserted"])
  }

  @Test
  func `who is at the top sees what is new there`() {
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })])
    let presenter = surface.present(display)
    display.show(list([11] + (1...9)))
    #expect(surface.calls == ["animate 1 row inserted"] && surface.offset == 0)
    presenter.options.keptPlace = .always
    display.show(list([12, 11] + (1...9)))
    #expect(surface.offset == 10)
    presenter.options.keptPlace = .never
    display.show(list([13, 12, 11] + (1...9)))
    #expect(surface.offset == 10)
  }

  @Test
  func `a view nobody sees, and more rows than are worth it, reload and keep place and selection`()
  {
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })])
    let presenter = surface.present(display, ScreenOptions(batchLimit: 3))
    surface.offset = 25
    surface.selectedPaths = [RowPath(section: 0, row: 4), RowPath(section: 0, row: 0)]
    display.show(list([11, 12, 13, 14] + (2...9)))
    #expect(surface.calls == ["reload"] && surface.offset == 55)
    #expect(surface.selectedPaths == [RowPath(section: 0, row: 7)])
    surface.isOnScreen = false
    display.show(list(Array(2...9)))
    #expect(surface.calls == ["reload", "reload"] && surface.offset == 15)
    #expect(presenter.layout.list == display.value.list)
  }

  @Test
  func `rows that changed are configured anew, and nothing else is done`() {
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })])
    let presenter = surface.present(display)
    display.show(ScriptedDisplay.list([("", (1...9).map { .row($0, $0 == 4 ? 1 : 0) })]))
    #expect(surface.calls == ["reconfigure [[0, 3]]"])
    #expect(presenter.layout.row(at: RowPath(section: 0, row: 3))?.item?.version == 1)
  }

  @Test
  func `a gap that begins to load is configured anew`() {
    let display = ScriptedDisplay([("a", [.row(1), .row(-1)]), ("b", [.row(2), .row(-2)])])
    let presenter = surface.present(display)
    var state = ListState()
    state.gaps[2] = .loading
    display.show(display.value.list, state: state)
    #expect(surface.calls == ["reconfigure [[1, 1]]"])
    #expect(
      presenter.layout.row(at: RowPath(section: 1, row: 1)) == .gap(Gap(id: 2), .loading, nil))
    #expect(presenter.load(at: RowPath(section: 0, row: 1)))
    #expect(!presenter.load(at: RowPath(section: 0, row: 0)))
  }

  @Test
  func `an edge that fails comes as a row, and asks again`() async {
    let display = ScriptedDisplay([("", [.row(1)])])
    let presenter = surface.present(display)
    var state = ListState()
    state.next = .failed(.source(ScriptedError()))
    display.show(display.value.list, state: state)
    #expect(surface.calls == ["animate 1 section inserted"])
    #expect(presenter.load(at: RowPath(section: 1, row: 0)))
    #expect(await eventually { display.retries != 0 })
    #expect(display.retries == 1)
  }

  @Test
  func `other options show at once, unless a row is being dragged`() async {
    var state = ListState()
    state.next = .end
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })], state: state)
    let presenter = surface.present(display)
    presenter.options.edges = .activeAndEnd
    #expect(surface.calls == ["animate 1 section inserted"])
    presenter.options.edges = .activeAndEnd
    presenter.options.batchLimit = 3
    #expect(surface.calls.count == 1)
    let clock = ManualClock()
    presenter.clock = clock
    surface.isReordering = true
    presenter.options.edges = .none
    #expect(surface.calls.count == 1 && presenter.layout.numberOfSections == 2)
    #expect(await clock.sleepers(1))
    surface.isReordering = false
    clock.advance(by: .milliseconds(100))
    await presenter.waiting?.value
    #expect(surface.calls.last == "animate 1 section deleted")
    #expect(presenter.layout.numberOfSections == 1)
  }

  @Test
  func `rows that come below an edge at the head leave the first row where it is`() {
    var state = ListState()
    state.previous = .loading
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })], state: state)
    let presenter = surface.present(display)
    // The edge begins above the screen, and 1 to 3 are on it.
    surface.offset = 5
    display.show(list([11, 12] + (1...9)), state: state)
    #expect(surface.offset == 25 && surface.calls == ["perform 2 rows inserted"])
    #expect(presenter.layout.numberOfSections == 2)
  }

  @Test
  func `what happens while a batch is performed is a batch after it`() async {
    var state = ListState()
    state.next = .end
    let display = ScriptedDisplay([("", (1...9).map { .row($0) })], state: state)
    let presenter = surface.present(display)
    var isFirst = true
    surface.onPerform = {
      guard isFirst else { return }
      isFirst = false
      presenter.options.edges = .activeAndEnd
      display.show(list((1...11).map { $0 }), state: state)
      #expect(presenter.layout.list.count == 10 && presenter.layout.numberOfSections == 1)
    }
    // It holds who holds the view.
    defer { surface.onPerform = {} }
    display.show(list((1...10).map { $0 }), state: state)
    #expect(
      surface.calls == [
        "animate 1 row inserted", "animate 1 section inserted", "animate 1 row inserted",
      ])
    #expect(presenter.layout.list == display.value.list && presenter.waiting == nil)
    // A view that waits for an answer, as for a cell, is told of nothing before the next turn.
    let calls = surface.calls.count
    presenter.answering { presenter.options.edges = .none }
    #expect(surface.calls.count == calls)
    await presenter.waiting?.value
    #expect(surface.calls.last == "animate 1 section deleted" && presenter.waiting == nil)
  }

  @Test
  func `what is selected stays so where its section goes and it stands in another`() {
    let display = ScriptedDisplay([("a", [.row(1), .row(2)]), ("b", [.row(3)])])
    let presenter = surface.present(display)
    surface.selectedPaths = [RowPath(section: 0, row: 1)]
    display.show(ScriptedDisplay.list([("b", [.row(3), .row(2)])]))
    #expect(surface.selectedPaths == [RowPath(section: 0, row: 1)])
    #expect(presenter.layout.row(at: surface.selectedPaths[0])?.item?.id == 2)
  }

  @Test
  func `a step that follows from another is told after it, to all`() {
    let display = ScriptedDisplay([("", [.row(1)])])
    var heard: [String] = []
    let first = NotedSurface()
    let second = NotedSurface()
    display.followers.add(first) { [unowned display] _, value, _ in
      heard.append("first \(value.items.count)")
      if value.items.count == 2 { display.show(list([1, 2, 3])) }
    }
    display.followers.add(second) { _, value, _ in heard.append("second \(value.items.count)") }
    display.show(list([1, 2]))
    #expect(heard == ["first 2", "second 2", "first 3", "second 3"])
  }

  @Test
  func `who begins to follow while a step is told hears what comes after it`() {
    let display = ScriptedDisplay([("", [.row(1)])])
    let late = NotedSurface()
    let owner = NotedSurface()
    var heard: [Int] = []
    display.followers.add(owner) { [unowned display] _, value, _ in
      guard value.items.count == 2 else { return }
      display.show(list([1, 2, 3]))
      display.followers.add(late) { _, value, _ in heard.append(value.items.count) }
    }
    display.show(list([1, 2]))
    // The step that followed is shown once all have heard of the first.
    #expect(heard == [3])
    display.show(list([1]))
    #expect(heard == [3, 1])
  }
}
