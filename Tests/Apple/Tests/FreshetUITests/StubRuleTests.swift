import AppKit
import StubViews
import Testing
import UIKit

/// The rules of real views that the stand-ins hold their users to: each is broken once.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct StubRuleTests {
  /// A data source with a number of rows, for all kinds of views.
  private final class Source: NSObject, UITableViewDataSource, UICollectionViewDataSource,
    UICollectionViewDelegate
  {
    var rows = 10
    /// The times that a view counted the rows.
    var counts = 0
    var offset: CGFloat?

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      counts += 1
      return rows
    }

    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell { UITableViewCell() }

    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      counts += 1
      return rows
    }

    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell() }

    func collectionView(
      _ collectionView: UICollectionView,
      targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
    ) -> CGPoint { CGPoint(x: 0, y: offset ?? proposedContentOffset.y) }
  }

  private let source = Source()
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))

  private func collection() -> UICollectionView {
    let layout = UICollectionViewCompositionalLayout()
    let view = UICollectionView(frame: window.frame, collectionViewLayout: layout)
    view.dataSource = source
    view.delegate = source
    return view
  }

  @Test
  func `a view that is in no window does not count its rows before they are asked for`() {
    let view = collection()
    view.reloadData()
    #expect(source.counts == 0)
    #expect(view.numberOfSections == 1 && source.counts == 1)
    view.reloadData()
    #expect(source.counts == 1)
  }

  @Test
  func `rows that were not counted before a batch are counted with its changes`() {
    let view = collection()
    view.performBatchUpdates {
      source.rows = 11
      view.insertItems(at: [IndexPath(item: 0, section: 0)])
    }
    #expect(view.stub.violations.count == 1)
  }

  @Test
  func `a layout is not asked before the view prepared it`() {
    let view = collection()
    _ = view.collectionViewLayout.layoutAttributesForElements(in: view.bounds)
    #expect(view.stub.violations == ["a layout that is not prepared is asked"])
  }

  @Test
  func `an item that does not exist has no attributes`() {
    let view = collection()
    _ = view.layoutAttributesForItem(at: IndexPath(item: 10, section: 0))
    #expect(view.stub.violations.count == 1)
  }

  @Test
  func `the delegate says where a batch is laid out`() {
    let view = collection()
    window.addSubview(view)
    let asked = view.stub.cellsAsked
    source.offset = 44
    view.performBatchUpdates {
      source.rows = 11
      view.insertItems(at: [IndexPath(item: 0, section: 0)])
    }
    #expect(view.contentOffset.y == 44 && view.stub.cellsAsked == asked)
    #expect(view.stub.violations == [])
  }

  @Test
  func `rows that size themselves have a guessed height until they come on screen`() {
    let view = collection()
    view.stub.estimate = 100
    view.reloadData()
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame.minY == 100)
    window.addSubview(view)
    #expect(view.layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame.minY == 44)
    // Those further down are guessed still.
    #expect(view.contentSize.height == 720)
  }

  @Test
  func `content that ends above the screen is scrolled back, unless a finger holds it`() {
    let view = UITableView(frame: window.frame, style: .plain)
    view.dataSource = source
    window.addSubview(view)
    view.contentOffset.y = 240
    source.rows = 6
    view.reloadData()
    #expect(view.contentOffset.y == 64)
    view.contentOffset.y = 90
    view.reloadData()
    #expect(view.contentOffset.y == 90)
  }

  @Test
  func `content at the top stays below a bar that grows`() {
    let view = collection()
    view.stubSafeArea.top = 100
    #expect(view.contentOffset.y == -100 && view.adjustedContentInset.top == 100)
    view.contentOffset.y = 0
    view.stubSafeArea.top = 50
    #expect(view.contentOffset.y == 0)
  }
}
