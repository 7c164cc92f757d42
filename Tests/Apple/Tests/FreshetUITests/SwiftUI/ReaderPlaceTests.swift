import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

/// The row at the top of a list, bound to an id.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ReaderPlaceTests {
  @Test
  func `the row at the top is bound to an id, and restored once it is there`() async {
    final class Place {
      var id: Int? = 20
    }
    let place = Place()
    let binding = Binding(reading: { place.id }, writing: { place.id = $0 })
    let server = ScriptedServer((0..<40).map { Post(id: $0) })
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 40))
    let screen = HostedList(feed) { $0.topRow(id: binding) }
    #expect(place.id == 20)
    await feed.refresh()
    #expect(screen.cells.first == "20" && place.id == 20)
    screen.collection?.contentOffset.y = 44 * 30
    #expect(place.id == 30)
  }

  @Test
  func `a row is gone to when the list comes on screen, though its rows were there before`() {
    let feed = FeedController.preview((0..<40).map { Post(id: $0) })
    feed.anchor = 20
    let screen = HostedList(feed, isShown: false) { $0.topRow(id: Bindable(feed).anchor) }
    #expect(screen.cells == [] && feed.anchor == 20)
    screen.show()
    #expect(screen.cells.first == "20" && feed.anchor == 20)
  }

  @Test
  func `each list has its own place, and another one in its place does not lose that`() {
    let feeds = [0, 100].map { first in
      FeedController.preview((first..<(first + 40)).map { Post(id: $0) })
    }
    feeds[1].anchor = 120
    func view(of feed: FeedController<Post>) -> AnyView {
      AnyView(LiveListView(feed) { Text("\($0)") }.topRow(id: Bindable(feed).anchor))
    }
    let screen = HostedList(feeds[0]) { $0.topRow(id: Bindable(feeds[0]).anchor) }
    screen.host.show(view(of: feeds[0]))
    screen.collection?.contentOffset.y = 44 * 10
    #expect(feeds[0].anchor == 10)
    screen.host.show(view(of: feeds[1]))
    screen.host.update()
    #expect(feeds.map(\.anchor) == [10, 120] && screen.cells.first == "120")
    screen.host.show(view(of: feeds[0]))
    screen.host.update()
    #expect(feeds.map(\.anchor) == [10, 120] && screen.cells.first == "10")
    screen.collection?.contentOffset.y = 44 * 12
    #expect(feeds.map(\.anchor) == [12, 120])
  }

  @Test
  func `scrolling makes no row anew, and reads nothing of the list`() {
    let feed = FeedController.preview((0..<40).map { Post(id: $0) })
    let screen = HostedList(feed) { $0.topRow(id: Bindable(feed).anchor) }
    let updates = screen.host.updates
    for row in 1...10 {
      let (rows, cells) = (screen.rows, Set(screen.cells))
      screen.collection?.contentOffset.y = 44 * Double(row)
      screen.host.update()
      #expect(feed.anchor == row)
      #expect(screen.rows - rows == Set(screen.cells).subtracting(cells).count)
    }
    feed.removeLocally(at: 30)
    screen.host.update()
    #expect(screen.host.updates == updates)
    // Another row is wanted: gone to, and nothing else.
    feed.anchor = 25
    screen.host.update()
    #expect(screen.cells.first == "25" && screen.host.updates == updates)
  }

  @Test
  func `a row that came too late is not gone to once the reader scrolls`() async {
    let server = ScriptedServer((0..<40).map { Post(id: $0) })
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 20, refreshPages: 1))
    await feed.refresh()
    final class Place {
      var id: Int? = 30
    }
    let place = Place()
    let screen = HostedList(feed) {
      $0.topRow(id: Binding(reading: { place.id }, writing: { place.id = $0 }))
    }
    if let collection = screen.collection {
      collection.delegate?.scrollViewWillBeginDragging(collection)
      collection.contentOffset.y = 44 * 3
    }
    #expect(place.id == 3)
    await feed.loadNext()
    #expect(screen.cells.first == "3")
  }

  @Test
  func `the row at the top is the first below a bar`() {
    let feed = FeedController.preview((0..<40).map { Post(id: $0) })
    let screen = HostedList(feed) { $0.topRow(id: Bindable(feed).anchor) }
    screen.collection?.contentInset.top = 100
    screen.collection?.contentOffset.y = 44 * 10
    #expect(screen.cells.first == "10" && feed.anchor == 12)
  }

  @Test
  func `the row at the top is the first below a header that stays there, also when restored`() {
    let feed = FeedController.preview(
      (0..<40).map { Post(id: $0) }, sectionedBy: { $0.id < 10 ? "a" : "b" })
    feed.anchor = 20
    let screen = HostedList(feed) { $0.topRow(id: Bindable(feed).anchor) }
    // Two headers of 28 points, of which one covers the row above.
    #expect(screen.collection?.contentOffset.y == 44 * 20 + 28 && feed.anchor == 20)
    screen.collection?.contentOffset.y += 40
    #expect(screen.cells.first == "20" && feed.anchor == 20)
    screen.collection?.contentOffset.y += 10
    #expect(feed.anchor == 21)
    // A bar above the header covers as much again.
    feed.anchor = 30
    screen.collection?.stubSafeArea.top = 88
    screen.host.update()
    #expect(screen.collection?.contentOffset.y == 44 * 30 + 28 - 88 && feed.anchor == 30)
  }

  @Test
  func `rows that are inserted above keep the reader's place, and touch no cell`() {
    let feed = FeedController.preview((0..<40).map { Post(id: $0) })
    let screen = HostedList(feed)
    screen.collection?.contentOffset.y = 44 * 10 + 7
    let asked = screen.collection?.stub.cellsAsked
    for id in 100..<110 { feed.insertLocally(Post(id: id), at: 0) }
    #expect(screen.cells.first == "10" && screen.collection?.contentOffset.y == 44 * 20 + 7)
    #expect(screen.collection?.stub.cellsAsked == asked)
    #expect(screen.collection?.stub.violations == [])
  }

  @Test
  func `a row is gone to among rows that size themselves`() {
    let feed = FeedController.preview((0..<40).map { Post(id: $0) })
    feed.anchor = 20
    let screen = HostedList(feed, isShown: false) { $0.topRow(id: Bindable(feed).anchor) }
    screen.collection?.stub.estimate = 100
    screen.collection?.reloadData()
    screen.show()
    #expect(screen.cells.first == "20" && feed.anchor == 20)
  }

  /// A screen that shows one list or another, and remembers a row of it.
  private struct Screen: View {
    let feed: FeedController<Post>
    @State var top: Int?

    var body: some View {
      LiveListView(feed) { Text("\($0)") }.topRow(id: $top)
      Text("\(top ?? -1)")
    }
  }

  @Test
  func `the row at the top is written to its binding after an update of the screen`() async {
    let feeds = [40, 12].map { count in FeedController.preview((0..<count).map { Post(id: $0) }) }
    let screen = HostedList(feeds[0]) { _ in Screen(feed: feeds[0]) }
    screen.collection?.contentOffset.y = 44 * 10
    screen.host.update()
    #expect(screen.host.texts.contains("10"))
    // The other list is too short for this row to be at the top.
    screen.host.show(AnyView(Screen(feed: feeds[1])))
    #expect(StubHost.warnings == [])
    let isWritten = await eventually {
      screen.host.update()
      return screen.host.texts.contains { $0 != "10" }
    }
    #expect(isWritten && screen.cells.first == screen.host.texts.first)
    #expect(StubHost.warnings == [])
  }

  @Test
  func `a row that is wanted right after an update is not replaced by the row seen in it`() async {
    let place = ReaderPlace<Int>()
    var top: Int? = 10
    let binding = Binding(reading: { top }, writing: { top = $0 })
    place.want(10, by: binding)
    place.updating {
      _ = place.take(inHeight: 200) { $0 }
      place.see(7)
    }
    #expect(top == 10)
    top = 30
    place.want(30, by: binding)
    for _ in 0..<100 { await Task.yield() }
    #expect(top == 30)
  }
}
