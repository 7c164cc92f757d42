import AppKit
import FreshetLists
import FreshetTesting
import Testing
import UIKit

@testable import Freshet
@testable import FreshetUI

/// A view that shows one list, then another.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct SharedViewTests {
  static let frame = CGRect(x: 0, y: 0, width: 100, height: 200)

  @Test
  func `a table is its last source's, and the first one's again when it is given back`() {
    let (first, second) = (
      ScriptedDisplay([("", [.row(1), .row(2)])]), ScriptedDisplay([("", [.row(9)])])
    )
    let view = UITableView(frame: Self.frame, style: .plain)
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    let source = TableSource(view, first.controller) { _, _, _ in UITableViewCell() }
    let other = TableSource(view, second.controller) { _, _, _ in UITableViewCell() }
    first.show(SourceTests.posts([1, 2, 3]))
    #expect(view.numberOfRows(inSection: 0) == 1 && view.stub.violations == [])
    view.dataSource = source
    second.show(SourceTests.posts([9, 10]))
    first.show(SourceTests.posts([1, 2, 3, 4]))
    #expect(view.numberOfRows(inSection: 0) == 4 && view.stub.violations == [])
    // A table without a data source has no rows.
    view.dataSource = nil
    first.show(SourceTests.posts([1]))
    #expect(view.stub.violations == [] && source.presenter.layout.list == first.value.list)
    _ = other
  }

  @Test
  func `a collection is its last source's`() {
    let (first, second) = (
      ScriptedDisplay([("", [.row(1), .row(2)])]), ScriptedDisplay([("", [.row(9)])])
    )
    let view = UICollectionView(
      frame: Self.frame, collectionViewLayout: UICollectionViewCompositionalLayout())
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    let source = CollectionSource(view, first.controller) { _, _, _ in UICollectionViewCell() }
    let other = CollectionSource(view, second.controller) { _, _, _ in UICollectionViewCell() }
    first.show(SourceTests.posts([1, 2, 3]))
    #expect(view.numberOfItems(inSection: 0) == 1 && view.stub.violations == [])
    _ = (source, other)
  }

  @Test
  func `a Mac's table is its last source's`() {
    let (first, second) = (
      ScriptedDisplay([("", [.row(1), .row(2)])]), ScriptedDisplay([("", [.row(9)])])
    )
    let view = NSTableView(frame: Self.frame)
    let window = NSWindow()
    view.stubWindow = window
    let source = MacTableSource(view, first.controller) { _, _, _ in
      NSTextField(labelWithString: "")
    }
    let other = MacTableSource(view, second.controller) { _, _, _ in
      NSTextField(labelWithString: "")
    }
    first.show(SourceTests.posts([1, 2, 3]))
    #expect(view.numberOfRows == 1 && view.stub.violations == [])
    _ = (source, other)
  }

  /// What an app does that answers something itself.
  @MainActor
  private final class Forwarder: NSObject, UITableViewDataSource {
    let source: TableSource<Post>

    init(_ source: TableSource<Post>) { self.source = source }

    func numberOfSections(in tableView: UITableView) -> Int {
      source.numberOfSections(in: tableView)
    }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      source.tableView(tableView, numberOfRowsInSection: section)
    }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { source.tableView(tableView, cellForRowAt: indexPath) }
    func tableView(
      _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? { "own" }
  }

  @Test
  func `a data source of the app's that forwards gets the steps of the list`() {
    let display = ScriptedDisplay([("", [.row(1), .row(2)])])
    let view = UITableView(frame: Self.frame, style: .plain)
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    let forwarder = Forwarder(
      TableSource(view, display.controller) { _, _, _ in UITableViewCell() })
    view.dataSource = forwarder
    let batches = view.stub.batches
    display.show(SourceTests.posts([1, 2, 3]))
    #expect(view.numberOfRows(inSection: 0) == 3 && view.stub.batches == batches + 1)
    #expect(view.stub.violations == [])
  }

  @Test
  func `a data source of the app's that forwards to one source leaves the others alone`() {
    let (first, second) = (
      ScriptedDisplay([("", [.row(1), .row(2)])]), ScriptedDisplay([("", [.row(9)])])
    )
    let view = UITableView(frame: Self.frame, style: .plain)
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    let one = Forwarder(TableSource(view, first.controller) { _, _, _ in UITableViewCell() })
    let other = Forwarder(TableSource(view, second.controller) { _, _, _ in UITableViewCell() })
    view.dataSource = other
    first.show(SourceTests.posts([1, 2, 3]))
    second.show(SourceTests.posts([9, 10]))
    #expect(view.numberOfRows(inSection: 0) == 2 && view.stub.violations == [])
    // The view is given back, by way of the app's object again.
    view.dataSource = one
    second.show(SourceTests.posts([9]))
    first.show(SourceTests.posts([1, 2, 3, 4]))
    #expect(view.numberOfRows(inSection: 0) == 4 && view.stub.violations == [])
    // Nothing is there to forward a question about: it is known all the same.
    first.show(ScriptedDisplay.list([]))
    second.show(SourceTests.posts([9, 10]))
    first.show(SourceTests.posts([1]))
    #expect(view.numberOfRows(inSection: 0) == 1 && view.stub.violations == [])
  }

  /// What a data source of AppKit does that answers something itself.
  @MainActor
  private final class MacForwarder: NSObject, NSTableViewDataSource, NSCollectionViewDataSource {
    let table: (any NSTableViewDataSource)?
    let collection: (any NSCollectionViewDataSource)?

    init(
      _ table: (any NSTableViewDataSource)? = nil, _ collection: (any NSCollectionViewDataSource)?
    ) {
      self.table = table
      self.collection = collection
    }

    func numberOfRows(in tableView: NSTableView) -> Int {
      table?.numberOfRows(in: tableView) ?? 0
    }
    func numberOfSections(in collectionView: NSCollectionView) -> Int {
      collection?.numberOfSections(in: collectionView) ?? 0
    }
    func collectionView(
      _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
    ) -> Int { collection?.collectionView(collectionView, numberOfItemsInSection: section) ?? 0 }
    func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      collection?.collectionView(collectionView, itemForRepresentedObjectAt: indexPath)
        ?? NSCollectionViewItem()
    }
  }

  @Test
  func `on a Mac, too, the view is that of the source that is forwarded to`() {
    let (first, second) = (
      ScriptedDisplay([("", [.row(1), .row(2)])]), ScriptedDisplay([("", [.row(9)])])
    )
    let table = NSTableView(frame: Self.frame)
    let sources = [first.controller, second.controller].map {
      MacTableSource(table, $0) { _, _, _ in NSTextField(labelWithString: "") }
    }
    let tableForwarder = MacForwarder(sources[1], nil)
    table.dataSource = tableForwarder
    let view = NSCollectionView(frame: Self.frame)
    let id = NSUserInterfaceItemIdentifier("post")
    view.register(NSCollectionViewItem.self, forItemWithIdentifier: id)
    let items = [first.controller, second.controller].map {
      MacCollectionSource(view, $0) { view, path, _ in
        view.makeItem(withIdentifier: id, for: path)
      }
    }
    let forwarder = MacForwarder(nil, items[1])
    view.dataSource = forwarder
    let window = NSWindow()
    (table.stubWindow, view.stubWindow) = (window, window)
    first.show(SourceTests.posts([1, 2, 3]))
    second.show(SourceTests.posts([9, 10]))
    #expect(table.numberOfRows == 2 && table.stub.violations == [])
    #expect(view.stub.sections.first?.count == 2 && view.stub.violations == [])
  }

  @Test
  func `a source whose view shows another list does not tell its own of rows that come near`() {
    let (first, second) = (
      ScriptedDisplay([("", (0..<50).map { .row($0) })]),
      ScriptedDisplay([("", (50..<90).map { .row($0) })])
    )
    let view = UITableView(frame: Self.frame, style: .plain)
    let source = TableSource(view, first.controller) { _, _, _ in UITableViewCell() }
    let other = TableSource(view, second.controller) { _, _, _ in UITableViewCell() }
    var told: [Int] = []
    other.prefetch = { told += $0.map(\.id) }
    other.cancelPrefetching = { told += $0.map(\.id) }
    // Given back, but for rows that come near.
    view.dataSource = source
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    view.contentOffset.y = 1_000
    #expect(told == [] && second.onScreen == [] && view.stub.violations == [])
    view.prefetchDataSource = source
    view.contentOffset.y = 0
    #expect(!first.onScreen.isEmpty)
  }

  @Test
  func `a view that leaves its window and returns shows what came meanwhile`() {
    let display = ScriptedDisplay([("", (0..<30).map { .row($0) })])
    let view = UITableView(frame: Self.frame, style: .plain)
    view.register(TableCell.self, forCellReuseIdentifier: "post")
    let window = UIWindow(frame: Self.frame)
    window.addSubview(view)
    let source = TableSource(view, display.controller) { view, path, post in
      let cell = view.dequeueReusableCell(withIdentifier: "post", for: path)
      (cell as? TableCell)?.text = "\(post)"
      return cell
    }
    view.contentOffset.y = 100
    let batches = view.stub.batches
    view.removeFromSuperview()
    display.show(SourceTests.posts([40, 41] + (0..<30)))
    #expect(view.stub.batches == batches)
    window.addSubview(view)
    let texts = view.visibleCells.compactMap { ($0 as? TableCell)?.text }
    #expect(texts.first == "2" && view.stub.violations == [])
    _ = source
  }

  @Test
  func `a row that is dragged among those of an edge is shown next to them`() {
    var state = ListState()
    state.next = .failed(.source(ScriptedError()))
    let display = ScriptedDisplay([("", [.row(1), .row(2)])], state: state)
    let view = UITableView(frame: Self.frame, style: .plain)
    let source = TableSource(view, display.controller) { _, _, _ in UITableViewCell() }
    let target = source.tableView(
      view, targetIndexPathForMoveFromRowAt: IndexPath(row: 0, section: 0),
      toProposedIndexPath: IndexPath(row: 0, section: 1))
    #expect(target == IndexPath(row: 1, section: 0))
    let collection = UICollectionView(
      frame: Self.frame, collectionViewLayout: UICollectionViewCompositionalLayout())
    let items = CollectionSource(collection, display.controller) { _, _, _ in UICollectionViewCell()
    }
    let place = items.collectionView(
      collection, targetIndexPathForMoveOfItemFromOriginalIndexPath: IndexPath(item: 1, section: 0),
      atCurrentIndexPath: IndexPath(item: 1, section: 0),
      toProposedIndexPath: IndexPath(item: 0, section: 1))
    #expect(place == IndexPath(item: 1, section: 0))
  }
}
