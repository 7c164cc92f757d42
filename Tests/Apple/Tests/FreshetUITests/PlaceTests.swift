import AppKit
import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

/// Where the reader is while rows come and go.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PlaceTests {
  typealias View = Driven

  static func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }

  @Test(arguments: Kit.allCases)
  func `who pulls the content beyond its end stays where they are while rows come`(kit: Kit) {
    let display = ScriptedDisplay([("", (0..<20).map { .row($0) })])
    let view = View(kit, display, options: ScreenOptions(edges: .none))
    let end = view.length() - View.height
    view.scroll(end + 60)
    let place = view.distance(Self.path(19))
    display.show(SourceTests.posts([30] + (0..<20)))
    #expect(view.distance(Self.path(20)) == place)
    display.show(SourceTests.posts((0..<20)))
    #expect(view.distance(Self.path(19)) == place && view.offset() == end + 60)
    // Below it rows come where the reader pulls: they show.
    display.show(SourceTests.posts((0..<22)))
    #expect(view.distance(Self.path(19)) == place && view.violations() == [])
  }

  @Test(arguments: Kit.allCases)
  func `who pulls the content beyond its beginning stays where they are while rows come`(
    kit: Kit
  ) {
    let display = ScriptedDisplay([("", (0..<20).map { .row($0) })])
    let view = View(kit, display, options: ScreenOptions(keptPlace: .always, edges: .none))
    view.scroll(-60)
    display.show(SourceTests.posts([0] + (2..<22)))
    #expect(view.offset() == -60)
    let place = view.distance(Self.path(0))
    display.show(SourceTests.posts([30, 0] + (2..<22)))
    #expect(view.distance(Self.path(1)) == place && view.violations() == [])
  }

  @Test(arguments: Kit.allCases)
  func `where all rows on screen go, the next one below takes their place`(kit: Kit) throws {
    for batchLimit in [300, 3] {
      let display = ScriptedDisplay([("", (0..<60).map { .row($0) })])
      let options = ScreenOptions(batchLimit: batchLimit, edges: .none)
      let view = View(kit, display, options: options)
      view.scroll(view.distance(Self.path(20)) + 9)
      let cells = view.cells().compactMap { Int($0.text) }
      let (first, last) = (try #require(cells.first), try #require(cells.last))
      #expect(first == 20)
      display.show(SourceTests.posts([70, 71] + (0..<first) + ((last + 1)..<60)))
      #expect(view.distance(Self.path(22)) == -9 && view.cells().first?.text == "\(last + 1)")
      #expect(view.violations() == [])
    }
  }

  @Test(arguments: Kit.allCases)
  func `a view that reloads does not follow a row that moves away`(kit: Kit) {
    for isInWindow in [true, false] {
      let display = ScriptedDisplay([("", (0..<60).map { .row($0) })])
      let view = View(kit, display, options: ScreenOptions(batchLimit: 3, edges: .none))
      view.scroll(view.distance(Self.path(20)) + 9)
      let place = view.distance(Self.path(21))
      view.isInWindow(isInWindow)
      // The first one on screen goes to the head of the list.
      let rest = Array((0..<60).filter { $0 != 20 })
      display.show(SourceTests.posts([20, 70, 71, 72] + rest))
      view.isInWindow(true)
      #expect(view.distance(Self.path(24)) == place && view.violations() == [])
    }
  }

  @Test(arguments: Kit.allCases)
  func `a view that nobody sees keeps the reader's place, however many steps come`(kit: Kit) {
    let display = ScriptedDisplay([("", (0..<60).map { .row($0) })])
    let view = View(kit, display, options: ScreenOptions(edges: .none))
    view.scroll(view.distance(Self.path(20)) + 9)
    view.isInWindow(false)
    display.show(SourceTests.posts([70] + (0..<60)))
    display.show(SourceTests.posts([71, 70] + (0..<60)))
    display.show(SourceTests.posts([71, 70] + (0..<20) + (21..<60)))
    // The row itself goes: the next one stays where it was.
    #expect(view.distance(Self.path(22)) == -9 + 30)
    // Somebody scrolls it meanwhile.
    view.scroll(0)
    display.show(SourceTests.posts([72, 71, 70] + (0..<60)))
    #expect(view.offset() == 0)
    view.isInWindow(true)
    #expect(view.cells().first?.text == "72" && view.violations() == [])
  }

  @Test(arguments: [Kit.table, .collection])
  func `a view that was never on screen is not reloaded, and counts no rows`(kit: Kit) {
    for keptPlace in [ScreenOptions.KeptPlace.whenScrolled, .always] {
      let display = ScriptedDisplay([("", (0..<60).map { .row($0) })])
      let options = ScreenOptions(keptPlace: keptPlace, edges: .none)
      let view = View(kit, display, options: options, isInWindow: false)
      let reloads = view.reloads()
      for count in 61..<70 { display.show(SourceTests.posts(Array(0..<count))) }
      // Where nothing was scrolled, nothing is looked at.
      if keptPlace == .whenScrolled { #expect(view.reloads() == reloads && view.asked() == 0) }
      view.isInWindow(true)
      #expect(view.presenter.layout.list.count == 69 && view.cells().first?.text == "0")
      #expect(view.violations() == [])
    }
  }

  @Test(arguments: Kit.allCases)
  func `where all rows on screen stand in another section, the reader goes with them`(kit: Kit) {
    func list(_ parts: [(String, [Int])]) -> ListSnapshot<ListRow<Post>> {
      ScriptedDisplay.list(parts.map { ($0.0, $0.1.map { .row($0) }) })
    }
    for batchLimit in [300, 3] {
      let display = ScriptedDisplay()
      display.show(list([("a", Array(0..<40)), ("z", [90])]))
      let options = ScreenOptions(batchLimit: batchLimit, edges: .none)
      let view = View(kit, display, options: options)
      view.scroll(view.distance(Self.path(20)) + 9)
      display.show(list([("a", Array(70..<75)), ("b", Array(0..<40)), ("z", [90])]))
      #expect(view.distance(RowPath(section: 1, row: 20)) == -9)
      // Their section passes another one.
      display.show(list([("b", Array(0..<40)), ("a", Array(70..<75)), ("c", Array(80..<85))]))
      #expect(view.distance(RowPath(section: 0, row: 20)) == -9 && view.violations() == [])
    }
  }

  @Test(arguments: [Kit.table, .collection], [0, 300])
  func `a row that was dropped and goes back does not take the reader along`(
    kit: Kit, batchLimit: Int
  ) async throws {
    let display = ScriptedDisplay([("", (0..<40).map { .row($0) })])
    let view = View(kit, display, options: ScreenOptions(batchLimit: batchLimit, edges: .none))
    let drag = try #require(view.drag)
    view.scroll(view.distance(Self.path(20)) + 9)
    // To the top of the screen, from where nobody sees it.
    drag(Self.path(35), Self.path(20)) {}
    let place = view.distance(Self.path(21))
    await view.presenter.waiting?.value
    #expect(view.presenter.layout.list == display.value.list)
    #expect(view.distance(Self.path(20)) == place && view.violations() == [])
  }
}
