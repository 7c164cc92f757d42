import AppKit
import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

@MainActor @Suite(.timeLimit(.minutes(5)))
struct SourceTests {
  static func posts(_ ids: some Sequence<Int>) -> ListSnapshot<ListRow<Post>> {
    ScriptedDisplay.list([("", ids.map { .row($0) })])
  }

  @Test(arguments: Kit.allCases)
  func `a view complains where changes are not what happened`(kit: Kit) {
    let lies: [(inout ListChanges) -> Void] = [
      { $0.insertedRows.removeFirst() },
      { $0.deletedRows.append(RowPath(section: 0, row: 5)) },
      { $0.insertedRows.append(RowPath(section: 0, row: 99)) },
    ]
    for lie in lies {
      let display = ScriptedDisplay([("", (0..<9).map { .row($0) })])
      let view = Driven(kit, display)
      display.show(Self.posts([20, 21] + (0..<9)))
      #expect(view.violations() == [])
      display.show(Self.posts([22, 23, 20, 21] + (0..<9)), lying: lie)
      #expect(view.violations() != [])
    }
  }

  @Test
  func `a table complains of a row that is reloaded and moved, or asked for off the books`() {
    let display = ScriptedDisplay([("", (0..<9).map { .row($0) })])
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 200), style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    view.performBatchUpdates {
      view.reloadRows(at: [IndexPath(row: 0, section: 0)], with: .none)
      view.moveRow(at: IndexPath(row: 0, section: 0), to: IndexPath(row: 1, section: 0))
    }
    #expect(view.stub.violations.count == 1)
    // This source makes a new cell for each row, also where one is configured anew.
    view.reconfigureRows(at: [IndexPath(row: 0, section: 0)])
    #expect(view.stub.violations.count == 2)
    _ = source
  }

  @Test(arguments: Kit.allCases)
  func `C4: one change in 100,000 rows of a feed configures one cell`(kit: Kit) async throws {
    let feed = FeedController<Post> { (_: PageRequest<Int>) in
      Page((0..<100_000).map { Post(id: $0) }, next: nil)
    }
    await feed.refresh()
    let view = Driven(kit, feed)
    let asked = view.asked()
    #expect(asked < 20)
    try await feed.update(2, optimistically: { $0.version = 1 }) {}
    #expect(view.asked() == asked + 1 && view.cells()[2].text == "2v1")
    // One that nobody sees costs none.
    try await feed.update(70_000, optimistically: { $0.version = 1 }) {}
    #expect(view.asked() == asked + 1)
    #expect(view.violations() == [])
  }

  @Test(arguments: Kit.allCases)
  func `C4: one write in 100,000 live results configures one cell`(kit: Kit) async throws {
    let store = MemoryStore((0..<100_000).map { Post(id: $0) })
    let results = ResultsController(store: store, arrangement: .sorted(by: \.id), window: .zero)
    await results.fetch(.all)
    let view = Driven(kit, results)
    let asked = view.asked()
    var batch = ChangeBatch<Post>()
    batch.add(Post(id: 3, version: 1), as: .update)
    try await store.write(batch)
    #expect(await eventually { results.fetchedObjects[3].version != 0 })
    #expect(view.asked() == asked + 1 && view.violations() == [])
  }

  @Test
  func `an index is asked for anew where sections come`() {
    let display = ScriptedDisplay([("anna", [.row(1)]), ("bo", [.row(2)])])
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 200), style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    #expect(source.sectionIndexTitles(for: view) == nil)
    source.indexTitle = { $0.prefix(1).uppercased() }
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    #expect(source.sectionIndexTitles(for: view) == ["A", "B"])
    #expect(source.tableView(view, titleForHeaderInSection: 1) == "bo")
    display.show(
      ScriptedDisplay.list([("anna", [.row(1)]), ("asta", [.row(3)]), ("bo", [.row(2)])]))
    #expect(view.stubIndexReloads == 1)
    #expect(source.tableView(view, sectionForSectionIndexTitle: "B", at: 1) == 2)
  }

  @Test
  func `rows that come near are told of before they show`() {
    let display = ScriptedDisplay([("", (0..<50).map { .row($0) })])
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    var near: [Int] = []
    var left: [Int] = []
    source.prefetch = { near += $0.map(\.id) }
    source.cancelPrefetching = { left += $0.map(\.id) }
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    #expect(near == [3, 4] && display.onScreen == [0, 1, 2, 3, 4])
    view.contentOffset.y = 1_000
    #expect(left.contains(3) && display.onScreen.max() ?? 0 > 24)
  }

  @Test
  func `items that will not show are those that were about to, whatever stands there now`() {
    let display = ScriptedDisplay([("", (0..<50).map { .row($0) })])
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    var near: Set<Int> = []
    var (left, unasked): ([Int], [Int]) = ([], [])
    source.prefetch = { near.formUnion($0.map(\.id)) }
    source.cancelPrefetching = { items in
      left += items.map(\.id)
      unasked += items.map(\.id).filter { near.remove($0) == nil }
    }
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    view.contentOffset.y = 1_000
    left = []
    display.show(Self.posts([60, 61, 62] + (0..<50)))
    view.contentOffset.y = 0
    #expect(!left.isEmpty && unasked == [])
  }

  @Test
  func `gaps and edges have a line of text where the app has no cell for them`() {
    var state = ListState()
    state.next = .failed(.source(ScriptedError()))
    state.gaps[1] = .loading
    let display = ScriptedDisplay([("", [.row(1), .row(-1)])], state: state)
    let frame = CGRect(x: 0, y: 0, width: 100, height: 200)
    let view = UITableView(frame: frame, style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    let window = UIWindow(frame: frame)
    window.addSubview(view)
    let lines = view.visibleCells.map {
      ($0.contentConfiguration as? UIListContentConfiguration)?.text
    }
    #expect(lines.count == 3 && lines[1] == "Loading…" && lines[2] != nil)
    let collection = UICollectionView(
      frame: frame, collectionViewLayout: UICollectionViewCompositionalLayout())
    let other = CollectionSource(collection, display.controller) { _, _, _ in UICollectionViewCell()
    }
    window.addSubview(collection)
    let line = collection.cellForItem(at: IndexPath(item: 1, section: 0))?.contentConfiguration
    #expect((line as? UIListContentConfiguration)?.text == "Loading…")
    #expect(collection.stub.violations == [])
    _ = (source, other)
  }

  @Test
  func `a table reconfigures the default cell of a gap in place`() {
    let rows: [(String, [ListRow<Post>])] = [("", [.row(1), .row(-1)])]
    var state = ListState()
    state.gaps[1] = .idle
    let display = ScriptedDisplay(rows, state: state)
    let frame = CGRect(x: 0, y: 0, width: 100, height: 200)
    let view = UITableView(frame: frame, style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    let window = UIWindow(frame: frame)
    window.addSubview(view)
    state.gaps[1] = .loading
    display.show(ScriptedDisplay.list(rows), state: state)
    let cell = view.cellForRow(at: IndexPath(row: 1, section: 0))
    #expect((cell?.contentConfiguration as? UIListContentConfiguration)?.text == "Loading…")
    #expect(view.stub.reconfigured == 1 && view.stub.violations == [])
    _ = source
  }

  @Test
  func `a Mac's collection shows gaps, edges and headers without views of the app's`() {
    var state = ListState()
    state.gaps[1] = .loading
    let display = ScriptedDisplay([("a", [.row(1), .row(-1)]), ("b", [.row(2)])], state: state)
    let view = NSCollectionView(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let id = NSUserInterfaceItemIdentifier("post")
    view.register(NSCollectionViewItem.self, forItemWithIdentifier: id)
    let source = MacCollectionSource(view, display.controller) { view, path, _ in
      view.makeItem(withIdentifier: id, for: path)
    }
    let window = NSWindow()
    view.stubWindow = window
    #expect(view.item(at: IndexPath(item: 1, section: 0)) != nil)
    for section in 0...1 {
      let header = source.collectionView(
        view, viewForSupplementaryElementOfKind: "header",
        at: IndexPath(item: 0, section: section))
      #expect((header.subviews.first as? NSTextField)?.stringValue == ["a", "b"][section])
    }
    #expect(view.stub.violations == [])
  }

  @Test
  func `a diffable snapshot says the same as an update`() {
    let before = Self.posts(0..<4)
    let after = ScriptedDisplay.list([("a", [.row(1), .row(2, 1)]), ("b", [.row(-1)])])
    let update = ListStep(from: before, to: after)
    let snapshot = UIKit.NSDiffableDataSourceSnapshot<String, ListRow<Post>.ID>(of: update)
    #expect(snapshot.sectionIdentifiers == ["a", "b"])
    #expect(snapshot.itemIdentifiers == [.item(1), .item(2), .gap(1)])
    let next = ListStep(
      from: after, to: ScriptedDisplay.list([("a", [.row(1), .row(2, 2)]), ("b", [.row(-1)])]))
    #expect(
      UIKit.NSDiffableDataSourceSnapshot<String, ListRow<Post>.ID>(of: next)
        .reconfiguredItemIdentifiers == [.item(2)])
  }

  @Test
  func `a list and its view go when nobody holds them`() async {
    let feed = FeedController<Post> { (_: PageRequest<Int>) in Page([Post(id: 1)], next: nil) }
    weak var source: TableSource<Post>?
    let view = UITableView(frame: .zero, style: .plain)
    do {
      let made = TableSource(view, feed) { _, _, _ in UITableViewCell() }
      source = made
    }
    #expect(source == nil)
    await feed.refresh()
    #expect(view.stub.violations == [])
  }
}
