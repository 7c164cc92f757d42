import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

@MainActor @Suite(.timeLimit(.minutes(5)))
struct LiveListViewTests {
  @Test
  func `C4: one change in 100,000 rows makes one row anew, and calls no body`() async throws {
    let feed = FeedController.preview((0..<100_000).map { Post(id: $0) })
    let screen = HostedList(feed)
    let (rows, asked) = (screen.rows, screen.collection?.stub.cellsAsked ?? 0)
    #expect(rows > 0 && rows < 20)
    try await feed.update(2, optimistically: { $0.version = 1 }) {}
    #expect(screen.rows == rows + 1 && screen.collection?.stub.cellsAsked == asked + 1)
    #expect(screen.cells[2] == "2v1")
    // What stands in the place of the rows is looked at; the list is not made anew.
    let bodies = screen.host.bodies["LiveListView"]
    screen.host.update()
    #expect(screen.host.bodies["LiveListView"] == bodies && screen.rows == rows + 1)
    // A change that nobody sees makes no row.
    feed.removeLocally(at: 50_000)
    #expect(screen.rows == rows + 1)
    #expect(screen.collection?.stub.violations == [])
  }

  @Test
  func `what stands in the place of a list without rows follows the list`() async {
    let server = ScriptedServer((0..<5).map { Post(id: $0) })
    let feed = FeedController(server.source(.cursor))
    let screen = HostedList(feed)
    #expect(screen.host.texts == ["…"])
    server.failNext(with: URLError(.notConnectedToInternet))
    await feed.refresh()
    screen.host.update()
    #expect(screen.host.texts.first == "You seem to be offline.")
    #expect(screen.host.press("Try Again"))
    #expect(await eventually { !feed.items.isEmpty })
    screen.host.update()
    #expect(screen.host.texts == [] && screen.cells.contains("3"))
  }

  @Test
  func `each part can be replaced`() {
    func texts(_ state: ListState) -> [String] {
      HostedList(FeedController<Post>.preview([], state: state)) {
        $0.firstLoad { Text("wait") }.emptyList { Text("none") }.failure { Text($0.message) }
      }.host.texts
    }
    #expect(texts(.loading) == ["wait"] && texts(.complete) == ["none"])
    #expect(texts(.failed(URLError(.timedOut))) == ["The server did not answer in time."])
    let rows: [ListRow<Post>] = [.item(Post(id: 1)), .gap(Gap(id: 3)), .item(Post(id: 2))]
    let plain = HostedList(FeedController.preview(rows: rows))
    #expect(plain.cells == ["1", "Load More", "2", "That is all."])
    let own = HostedList(FeedController.preview(rows: rows)) {
      $0.gapRow { Text("gap \($0.gap.id)") }.edgeRow { _ in Text("end") }
    }
    #expect(own.cells == ["1", "gap 3", "2", "end"])
  }

  @Test
  func `a gap is loaded by its row`() async {
    let server = ScriptedServer((0..<30).map { Post(id: $0) })
    let feed = FeedController(
      server.source(.cursor), configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    await feed.refresh()
    for id in 100..<104 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    let screen = HostedList(feed)
    #expect(screen.cells.prefix(3) == ["103", "102", "Load More"])
    #expect(screen.press("Load More"))
    #expect(await eventually { feed.items.contains(where: { $0.id == 100 }) })
    #expect(screen.cells.contains("100") && screen.collection?.stub.violations == [])
  }

  @Test
  func `pulling down refreshes, or does what is said around it`() async {
    let server = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = FeedController(server.source(.cursor))
    let screen = HostedList(feed)
    screen.collection?.refreshControl?.stubPull()
    #expect(await eventually { screen.collection?.refreshControl?.isRefreshing != true })
    #expect(feed.items.count == 3 && screen.cells.prefix(3) == ["0", "1", "2"])
    let pulls = Locked(0)
    let own = HostedList(feed) { $0.refreshable { pulls.withLock { $0 += 1 } } }
    own.collection?.refreshControl?.stubPull()
    #expect(await eventually { own.collection?.refreshControl?.isRefreshing != true })
    #expect(pulls.withLock { $0 } == 1)
  }

  @Test
  func `what is typed is searched for`() async {
    let server = ScriptedServer((0..<3).map { Post(id: $0) })
    let family = FeedFamily { (_: String) in server.source(.cursor) }
    let found = QueryController(family, query: "")
    let screen = HostedList(found) {
      $0.searchable(found, prompt: "Posts", debounce: .seconds(1000))
    }
    screen.host.search?.wrappedValue = "maps"
    screen.host.update()
    screen.host.submit?()
    #expect(await found.list.query == "maps")
    #expect(await eventually { !found.items.isEmpty })
    #expect(screen.cells.prefix(3) == ["0", "1", "2"])
  }

  @Test
  func `sections have headers, and a list without sections has none`() {
    let plain = HostedList(FeedController.preview((0..<5).map { Post(id: $0) }))
    #expect(plain.collection?.stubHeaders.isEmpty == true)
    let feed = FeedController.preview(
      (0..<5).map { Post(id: $0) }, sectionedBy: { $0.id < 2 ? "a" : "b" })
    let screen = HostedList(feed)
    #expect(screen.headers == ["a", "b"])
    feed.removeLocally(at: 0)
    feed.removeLocally(at: 0)
    #expect(screen.headers == ["b"])
    // What is around the list changes: headers too are made anew.
    screen.host.show(
      AnyView(LiveListView(feed) { Text("\($0)") }.sectionHeader { Text("# \($0)") }))
    #expect(screen.headers == ["# b"] && screen.collection?.stub.violations == [])
  }

  @Test
  func `another list in the same place begins at its top`() {
    let screen = HostedList(FeedController.preview((0..<50).map { Post(id: $0) }))
    screen.collection?.contentOffset.y = 900
    let other = FeedController.preview((100..<150).map { Post(id: $0) })
    screen.host.show(AnyView(LiveListView(other) { Text("\($0)") }))
    #expect(screen.collection?.contentOffset.y == 0 && screen.cells.first == "100")
    other.removeLocally(at: 0)
    #expect(screen.cells.first == "101" && screen.collection?.stub.violations == [])
  }

  @Test
  func `U3: a reused cell does not show the state of another row`() async throws {
    let feed = FeedController.preview((0..<50).map { Post(id: $0) })
    let screen = HostedList(feed) { _ in LiveListView(feed) { Counter(post: $0) } }
    #expect(screen.press("Count") && screen.cells.first == "0: 1 Count")
    try await feed.update(0, optimistically: { $0.version = 1 }) {}
    #expect(screen.cells.first == "0v1: 1 Count")
    feed.insertLocally(Post(id: 100), at: 0)
    #expect(screen.cells.prefix(2) == ["100: 0 Count", "0v1: 1 Count"])
    screen.collection?.contentOffset.y = 44 * 30
    #expect(screen.cells == (29..<34).map { "\($0): 0 Count" })
  }

  @Observable @MainActor
  final class Settings {
    var suffix = ""
  }

  @Test
  func `U4: observed values update the rows that read them, and no cell is reconfigured`() {
    let (feed, settings) = (FeedController.preview((0..<3).map { Post(id: $0) }), Settings())
    let screen = HostedList(feed) { _ in LiveListView(feed) { Text("\($0)\(settings.suffix)") } }
    let asked = screen.collection?.stub.cellsAsked
    #expect(screen.cells.prefix(3) == ["0", "1", "2"])
    settings.suffix = "!"
    #expect(screen.cells.prefix(3) == ["0!", "1!", "2!"])
    #expect(screen.collection?.stub.cellsAsked == asked)
  }

  @Test
  func `C4: a change of the view around a list reconfigures no cell`() {
    let feed = FeedController.preview(
      (0..<50).map { Post(id: $0) }, sectionedBy: { $0.id < 2 ? "a" : "b" })
    let screen = HostedList(feed)
    let (asked, offset) = (screen.collection?.stub.cellsAsked, 2 * 28 + 44.0 * 10)
    screen.host.show(
      AnyView(LiveListView(feed) { Text("# \($0)") }.sectionHeader { Text("# \($0)") }))
    #expect(screen.cells.first == "# 0" && screen.headers == ["# a", "# b"])
    #expect(screen.collection?.stub.cellsAsked == asked)
    #expect(screen.collection?.stub.reconfigured == 0)
    // Rows that appear later are made by the new view, too.
    screen.collection?.contentOffset.y = offset
    #expect(screen.cells.first == "# 10")
  }

  @Test
  func `a list scrolls under bars, bounces when empty, and dismisses the keyboard`() {
    let screen = HostedList(FeedController<Post>.preview([], state: .complete))
    #expect(screen.host.ignoredSafeArea?.regions == .container)
    #expect(screen.host.ignoredSafeArea?.edges == .vertical)
    #expect(screen.collection?.stubCanBePulled == true)
    #expect(screen.collection?.keyboardDismissMode == .onDrag)
  }

  @Test
  func `an edge that failed shows once there are rows, without anything done to it`() async {
    let display = ScriptedDisplay(
      [], state: .failed(URLError(.notConnectedToInternet)))
    let screen = HostedList(display.controller) { $0.edgeRow { _ in Text("edge") } }
    #expect(screen.cells == [] && screen.host.texts.first == "You seem to be offline.")
    display.show(ScriptedDisplay.list([("", [.row(1)])]))
    #expect(screen.cells == ["edge", "1"] && screen.collection?.stub.violations == [])
  }
}
