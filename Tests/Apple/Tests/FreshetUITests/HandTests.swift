import AppKit
import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

/// What readers do to rows by hand: drag, delete, select.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct HandTests {
  @Test
  func `a row that is dragged or swiped away is edited in the feed`() async {
    let feed = FeedController<Post> { (_: PageRequest<Int>) in
      Page((0..<5).map { Post(id: $0) }, next: nil)
    }
    await feed.refresh()
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 200), style: .plain)
    let source = TableSource(view, feed, options: ScreenOptions(edges: .none)) { _, _, _ in
      UITableViewCell()
    }
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    #expect(!source.tableView(view, canMoveRowAt: IndexPath(row: 0, section: 0)))
    source.move = { feed.moveLocally($0.id, after: $1?.id) }
    let batches = view.stub.batches
    view.stubDrag(IndexPath(row: 0, section: 0), to: IndexPath(row: 2, section: 0))
    #expect(feed.items.map(\.id) == [1, 2, 0, 3, 4])
    // The table moved the row itself: nothing is left to do.
    #expect(view.stub.batches == batches && view.stub.violations == [])

    await source.presenter.waiting?.value
    #expect(!source.tableView(view, canEditRowAt: IndexPath(row: 0, section: 0)))
    await withCheckedContinuation { done in
      source.delete = { post in
        try? await feed.remove(post.id) {}
        done.resume()
      }
      source.tableView(view, commit: .delete, forRowAt: IndexPath(row: 1, section: 0))
      // The row goes before the table ends the swipe.
      #expect(view.numberOfRows(inSection: 0) == 4)
    }
    #expect(feed.items.map(\.id) == [1, 0, 3, 4])
    #expect(view.numberOfRows(inSection: 0) == 4 && view.stub.violations == [])
  }

  @Test(arguments: [Kit.table, .collection])
  func `what happens while a row is dragged shows when it is dropped`(kit: Kit) async throws {
    let feed = FeedController.preview((0..<6).map { Post(id: $0) })
    let view = Driven(kit, feed, options: ScreenOptions(edges: .none))
    let drag = try #require(view.drag)
    view.move = { feed.moveLocally($0.id, after: $1?.id) }
    let batches = view.batches()
    drag(RowPath(section: 0, row: 0), RowPath(section: 0, row: 2)) {
      feed.insertLocally(Post(id: 9), at: 0)
      feed.removeLocally(at: 2)
      #expect(view.cells().first?.text == "0" && view.presenter.layout.list.count == 6)
    }
    #expect(view.batches() == batches && view.cells().prefix(3).map(\.text) == ["1", "2", "0"])
    await view.presenter.waiting?.value
    #expect(view.batches() == batches + 1 && view.violations() == [])
    #expect(view.presenter.layout.list == feed.value.list)
    #expect(view.cells().map(\.text).prefix(3) == ["9", "2", "0"])
    // Dropped where it was: nobody is told, and what waited shows all the same.
    drag(RowPath(section: 0, row: 1), RowPath(section: 0, row: 1)) { feed.removeLocally(at: 0) }
    await view.presenter.waiting?.value
    #expect(view.cells().first?.text == "2" && view.violations() == [])
  }

  @Test(arguments: [Kit.table, .collection])
  func `a row of live results stays where it was dropped until the store took or refused it`(
    kit: Kit
  ) async throws {
    let store = MemoryStore((0..<5).map { Post(id: $0, version: 10 * $0) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.version), window: .zero)
    await results.fetch(.all)
    let view = Driven(kit, results, options: ScreenOptions(edges: .none))
    let drag = try #require(view.drag)
    let (answers, answer) = AsyncStream.makeStream(of: Post?.self)
    var moves: [Task<Void, any Error>] = []
    view.move = { post, above in
      let move = results.move(post.id, after: above?.id) {
        for await moved in answers {
          guard let moved else { throw ScriptedError() }
          return try await store.write(updating: [moved])
        }
      }
      moves.append(move)
    }
    func shown() -> [Int] { view.presenter.layout.list.items.compactMap { $0.item?.id } }
    let batches = view.batches()
    drag(RowPath(section: 0, row: 0), RowPath(section: 0, row: 2)) {}
    await view.presenter.waiting?.value
    #expect(shown() == [1, 2, 0, 3, 4] && view.batches() == batches)
    answer.yield(Post(id: 0, version: 25))
    try await moves[0].value
    #expect(await eventually { !view.cells().contains(where: { $0.text == "0" }) })
    // The row is configured anew, and nothing else is done.
    #expect(shown() == [1, 2, 0, 3, 4] && view.batches() == batches)
    drag(RowPath(section: 0, row: 4), RowPath(section: 0, row: 0)) {}
    await view.presenter.waiting?.value
    #expect(shown() == [4, 1, 2, 0, 3] && view.batches() == batches)
    answer.yield(nil)
    await #expect(throws: ScriptedError.self) { try await moves[1].value }
    #expect(shown() == [1, 2, 0, 3, 4] && view.batches() == batches + 1)
    #expect(view.violations() == [])
  }

  @Test(arguments: Kit.allCases)
  func `options that are set while a view asks for a cell are shown after it`(kit: Kit) async {
    var state = ListState()
    state.next = .end
    let display = ScriptedDisplay([("", (0..<3).map { .row($0) })], state: state)
    let view = Driven(kit, display, options: ScreenOptions(edges: .none))
    view.asking.onCell = { [unowned view] in view.presenter.options.edges = .activeAndEnd }
    display.show(SourceTests.posts([0, 9, 1, 2]), state: state)
    await view.presenter.waiting?.value
    #expect(view.presenter.layout.numberOfSections == 2 && view.violations() == [])
    #expect(view.cells().last?.text == "next end")
  }

  @Test
  func `what is selected stays so through a reload, by its id`() {
    let display = ScriptedDisplay([("", (0..<9).map { .row($0) })])
    let view = NSTableView(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let source = MacTableSource(view, display.controller, options: ScreenOptions(batchLimit: 2)) {
      _, _, post in
      NSTextField(labelWithString: "\(post)")
    }
    let window = NSWindow()
    view.stubWindow = window
    view.selectRowIndexes([3, 4], byExtendingSelection: false)
    display.show(SourceTests.posts([20, 21, 22, 3] + (5..<9)))
    #expect(view.selectedRowIndexes == [3])
    display.show(SourceTests.posts([20, 22, 3] + (5..<9)))
    #expect(view.selectedRowIndexes == [2])
    #expect(source.item(at: 2)?.id == 3 && view.stub.violations == [])
  }

  @Test
  func `items of a Mac's collection are selected by their ids, whatever comes above them`() {
    let display = ScriptedDisplay([("", (0..<9).map { .row($0) })])
    let view = Driven(.macCollection, display)
    view.select([IndexPath(item: 3, section: 0), IndexPath(item: 4, section: 0)])
    display.show(SourceTests.posts([20, 21] + (0...3) + [5]))
    #expect(view.selected() == [IndexPath(item: 5, section: 0)])
    // One that changes stays selected.
    display.show(
      ScriptedDisplay.list([("", [.row(20), .row(21), .row(0), .row(1), .row(2), .row(3, 1)])]))
    #expect(view.selected() == [IndexPath(item: 5, section: 0)] && view.violations() == [])
  }

  @Test(arguments: Kit.allCases)
  func `a row that is selected stays so where it moves into a section that comes`(
    kit: Kit
  ) async throws {
    let store = MemoryStore([1, 2, 3].map { Post(id: $0) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.id).sectioned(by: \.version) { "v\($0)" },
      window: .zero)
    await results.fetch(.all)
    let view = Driven(kit, results, options: ScreenOptions(edges: .none))
    view.select([view.index(RowPath(section: 0, row: 0))])
    var batch = ChangeBatch<Post>()
    batch.add(Post(id: 1, version: 4), as: .update)
    try await store.write(batch)
    #expect(await eventually { results.sections.count >= 2 })
    #expect(view.selectedIDs() == [1] && view.violations() == [])
  }

  @Test
  func `a Mac's delegate hears of a selection once it is there, and of none between`() {
    let display = ScriptedDisplay([("", (0..<9).map { .row($0) })])
    let table = NSTableView(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let source = MacTableSource(table, display.controller, options: ScreenOptions(batchLimit: 1)) {
      _, _, post in NSTextField(labelWithString: "\(post)")
    }
    let window = NSWindow()
    table.stubWindow = window
    table.selectRowIndexes([3], byExtendingSelection: false)
    display.show(SourceTests.posts([20, 21] + (0..<9)))
    #expect(table.stubSelections == [[3], [5]])
    // Where the numbers are the same, nothing is told.
    display.show(SourceTests.posts([20, 21] + (0..<5) + [30, 31, 32]))
    #expect(table.stubSelections == [[3], [5]] && source.item(at: 5)?.id == 3)
    // What is gone is not selected.
    display.show(SourceTests.posts([20, 21] + [0, 1, 2, 4, 5, 6]))
    #expect(table.selectedRowIndexes == [] && table.stub.violations == [])

    let view = NSCollectionView(frame: table.frame)
    let id = NSUserInterfaceItemIdentifier("post")
    view.register(NSCollectionViewItem.self, forItemWithIdentifier: id)
    let items = MacCollectionSource(view, display.controller, options: ScreenOptions(batchLimit: 2))
    {
      collectionView, path, _ in
      collectionView.makeItem(withIdentifier: id, for: path)
    }
    view.stubWindow = window
    view.selectionIndexPaths = [IndexPath(item: 2, section: 0)]
    display.show(SourceTests.posts([21] + [0, 1, 2, 4, 5, 6]))
    display.show(SourceTests.posts([21] + (0..<9)))
    #expect(view.selectionIndexPaths == [IndexPath(item: 1, section: 0)])
    #expect(view.stubDeselections == 0)
    _ = items
  }
}
