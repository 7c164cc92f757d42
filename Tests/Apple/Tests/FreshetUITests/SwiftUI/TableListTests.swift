import AppKit
import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

@MainActor @Suite(.timeLimit(.minutes(5)))
struct TableListTests {
  /// A list on a table, and how often a row of it was made.
  @MainActor
  private struct Shown {
    private final class Count { var rows = 0 }

    private let count = Count()
    let host: StubHost
    let scroll: NSScrollView
    let table: NSTableView

    var rows: Int { count.rows }

    init(_ feed: FeedController<Post>, place: ReaderPlace<Int> = ReaderPlace()) throws {
      host = StubHost(
        TableList(
          list: feed,
          row: { [count] post in
            count.rows += 1
            return Text("\(post)")
          }, parts: LiveListParts(), place: place, options: ScreenOptions()))
      scroll = try #require(host.views.first as? NSScrollView)
      table = try #require(scroll.documentView as? NSTableView)
    }

    func comeOnScreen() {
      table.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
      table.stubWindow = NSWindow()
    }
  }

  @MainActor
  private final class Place {
    var id: Int?
    var binding: Binding<Int?> { Binding(reading: { self.id }, writing: { self.id = $0 }) }

    init(_ id: Int) { self.id = id }
  }

  @Test
  func `C4: on a Mac, too, one change in 100,000 rows makes one row anew`() async throws {
    let feed = FeedController.preview((0..<100_000).map { Post(id: $0) })
    let shown = try Shown(feed)
    shown.comeOnScreen()
    let before = shown.rows
    #expect(before > 0 && before < 20)
    try await feed.update(2, optimistically: { $0.version = 1 }) {}
    #expect(shown.rows == before + 1 && shown.table.stub.violations == [])
  }

  @Test
  func `on a Mac, a row that changes gets the height of what it shows now`() async throws {
    let feed = FeedController.preview((0..<10).map { Post(id: $0) })
    let shown = try Shown(feed)
    shown.table.stub.height = { path in feed.items[path.row].version == 0 ? 44 : 88 }
    shown.comeOnScreen()
    shown.table.reloadData()
    try await feed.update(2, optimistically: { $0.version = 1 }) {}
    #expect(shown.table.rect(ofRow: 2).height == 88 && shown.table.rect(ofRow: 3).minY == 176)
    #expect(shown.table.stub.violations == [])
  }

  @Test
  func `U3: on a Mac, too, a row that changes keeps its state, and a reused view does not`()
    async throws
  {
    let feed = FeedController.preview((0..<50).map { Post(id: $0) })
    let host = StubHost(
      TableList(
        list: feed, row: { Counter(post: $0) }, parts: LiveListParts(), place: ReaderPlace(),
        options: ScreenOptions()))
    let scroll = try #require(host.views.first as? NSScrollView)
    let table = try #require(scroll.documentView as? NSTableView)
    table.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
    table.stubWindow = NSWindow()
    func row(_ row: Int) -> StubHost? {
      let view = table.view(atColumn: 0, row: row, makeIfNecessary: false)
      let host = (view as? any StubHosting)?.stubHost
      host?.update()
      return host
    }
    #expect(row(0)?.press("Count") == true && row(0)?.texts.first == "0: 1")
    try await feed.update(0, optimistically: { $0.version = 1 }) {}
    #expect(row(0)?.texts.first == "0v1: 1")
    scroll.stubScroll(to: 44 * 30)
    #expect((30..<34).map { row($0)?.texts.first } == (30..<34).map { "\($0): 0" })
    #expect(table.stub.violations == [])
  }

  @Test
  func `on a Mac, a list without sections has no row for a title`() throws {
    let shown = try Shown(FeedController.preview((0..<3).map { Post(id: $0) }))
    shown.comeOnScreen()
    #expect(shown.table.numberOfRows == 3 && shown.rows == 3)
  }

  @Test
  func `on a Mac, too, a row is gone to when the list comes on screen, and scrolling tells`()
    async throws
  {
    let feed = FeedController.preview(
      (0..<40).map { Post(id: $0) }, sectionedBy: { $0.id < 10 ? "a" : "b" })
    let (top, place) = (Place(20), ReaderPlace<Int>())
    let shown = try Shown(feed, place: place)
    place.want(20, by: top.binding)
    shown.comeOnScreen()
    // Below the title of its section, which floats at the top.
    #expect(Double(shown.table.stubOrigin.y) == 968 - 44)
    let (before, updates) = (shown.rows, shown.host.updates)
    shown.scroll.stubScroll(to: 44 * 25)
    shown.host.update()
    #expect(top.id == 24 && shown.rows == before + 4 && shown.host.updates == updates)
    #expect(shown.table.stub.violations == [])
  }

  @Test
  func `on a Mac, a row is gone to below a bar, where it is seen`() async throws {
    let feed = FeedController.preview(
      (0..<40).map { Post(id: $0) }, sectionedBy: { $0.id < 10 ? "a" : "b" })
    let (top, place) = (Place(20), ReaderPlace<Int>())
    let shown = try Shown(feed, place: place)
    shown.scroll.contentInsets.top = 52
    place.want(20, by: top.binding)
    shown.comeOnScreen()
    #expect(Double(shown.table.stubOrigin.y) == 968 - 52 - 44)
    shown.scroll.stubScroll(to: shown.table.stubOrigin.y)
    #expect(top.id == 20)
  }
}
