import AppKit
import FreshetLists
import FreshetTesting
import FreshetUI
import Testing
import UIKit

@testable import Freshet

/// Where the reader is while rows come and go.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct PlaceTests {
  typealias View = Driven<ScriptedDisplay>

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
}
