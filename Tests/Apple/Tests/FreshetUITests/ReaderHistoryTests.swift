import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

/// What a reader keeps through random histories: the row they look at, and what they selected.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ReaderHistoryTests {
  @Test(arguments: Kit.allCases, 0..<20)
  func `C1: whatever becomes of sections and rows, a reader keeps their place and selection`(
    kit: Kit, seed: Int
  ) async throws {
    let shelf = Shelf(seed: seed)
    let display = ScriptedDisplay()
    // In some views, rows size themselves as they come on screen.
    let estimate = seed.isMultiple(of: 2) ? nil : 50.0
    let reader = Reader(kit, display, estimate: estimate)
    display.show(shelf.list)
    for step in 0..<60 {
      switch Int.random(in: 0..<16, using: &shelf.random) {
      // Often to the edge at the head.
      case 0: reader.scroll(to: shelf.random(shelf.random(2) == 0 ? 1_000 : 50))
      case 1: reader.select(shelf.random(1_000))
      case 2: reader.goOut()
      case 3, 4: reader.comeBack()
      case 5:
        let options = shelf.options()
        reader.watch(ListChanges()) { reader.view.presenter.options = options }
      case 6: await reader.drag(in: shelf, on: display)
      default:
        let before = display.value.list
        shelf.change()
        let (after, state) = (shelf.list, shelf.state())
        reader.watch(after.changes(from: before)) { display.show(after, state: state) }
      }
      #expect(reader.found == [], "seed \(seed), step \(step) on \(kit)")
      if !reader.found.isEmpty { return }
    }
  }

  @Test
  func `readers were often enough where they can lose their place`() async throws {
    var kept = Reader.Kept()
    for seed in 0..<20 {
      let shelf = Shelf(seed: seed)
      let display = ScriptedDisplay()
      let reader = Reader(.table, display)
      display.show(shelf.list)
      for step in 0..<60 {
        if step % 5 == 0 { reader.scroll(to: shelf.random(1_000)) }
        if step % 6 == 0 { reader.select(shelf.random(1_000)) }
        if step % 9 == 0 { reader.goOut() }
        if step % 9 == 4 { reader.comeBack() }
        let before = display.value.list
        shelf.change()
        let after = shelf.list
        reader.watch(after.changes(from: before)) { display.show(after) }
      }
      #expect(reader.found == [])
      kept.places += reader.kept.places
      kept.placesOutside += reader.kept.placesOutside
      kept.followed += reader.kept.followed
      kept.selections += reader.kept.selections
    }
    #expect(kept.places > 100 && kept.placesOutside > 40)
    #expect(kept.followed > 5 && kept.selections > 100)
  }
}
