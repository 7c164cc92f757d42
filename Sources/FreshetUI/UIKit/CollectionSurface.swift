#if canImport(UIKit) && !os(watchOS)
  internal import Freshet
  internal import FreshetLists
  internal import UIKit

  /// A `UICollectionView` on which a list is shown.
  @MainActor
  final class CollectionSurface: DataSourceSurface {
    private weak var view: UICollectionView?
    /// The distance the content was pulled beyond an end before its last change.
    private var pull = 0.0
    /// The data source that answers the view for the list.
    weak var source: (any ListDataSource)?

    init(_ view: UICollectionView) { self.view = view }

    var isInUse: Bool {
      guard let view else { return false }
      return source?.isInUse(
        as: view.dataSource,
        sections: { $0.sectionCount(in: view) },
        rows: { $0.collectionView(view, numberOfItemsInSection: 0) }) ?? false
    }

    var isOnScreen: Bool { view?.window != nil }

    var isReordering: Bool { view?.hasUncommittedUpdates ?? false }

    var isAtTop: Bool { view.map { $0.contentOffset.y <= -$0.adjustedContentInset.top } ?? true }

    var visiblePaths: [RowPath] {
      guard let view else { return [] }
      var headers: [Int: CGRect?] = [:]
      return (isOnScreen ? view.indexPathsForVisibleItems : laidOutPaths).filter { path in
        let header = headers[path.section] ?? view.pinnedHeader(ofSection: path.section)
        headers[path.section] = header
        guard let item = view.layoutAttributesForItem(at: path)?.frame else { return false }
        let isBelow = header.map { $0.minX < item.maxX && item.minX < $0.maxX } ?? false
        return item.maxY > (isBelow ? header?.maxY ?? 0 : view.visibleTop)
      }.map { RowPath($0) }.sorted()
    }

    /// The items that would be visible.
    ///
    /// A view that was reloaded has no cells until it is on screen.
    private var laidOutPaths: [IndexPath] {
      // A layout answers for the rows it has prepared. The view prepares it before it answers.
      guard let view, let first = view.firstPath, view.layoutAttributesForItem(at: first) != nil
      else { return [] }
      let visible = CGRect(origin: view.contentOffset, size: view.bounds.size)
      return (view.collectionViewLayout.layoutAttributesForElements(in: visible) ?? [])
        .filter { $0.representedElementCategory == .cell }.map(\.indexPath)
    }

    var selectedPaths: [RowPath] { (view?.indexPathsForSelectedItems ?? []).map { RowPath($0) } }

    func distance(of path: RowPath) -> Double? {
      guard let view, let place = view.layoutAttributesForItem(at: IndexPath(path)) else {
        return nil
      }
      return place.frame.minY - view.contentOffset.y
    }

    func scroll(_ path: RowPath, to distance: Double) {
      view?.show(IndexPath(path), at: distance, pulledBy: pull)
    }

    /// Returns the offset at which a row of a batch keeps its place, before it is laid out.
    func offset(showing path: RowPath, at distance: Double) -> CGFloat? {
      guard let view,
        let place = view.collectionViewLayout.layoutAttributesForItem(at: IndexPath(path))
      else { return nil }
      return view.scrollBounds(ofContent: view.laidOutHeight).offset(
        showing: place.frame.minY, at: distance, pulledBy: pull)
    }

    func select(_ paths: [RowPath]) {
      for path in paths {
        view?.selectItem(at: IndexPath(path), animated: false, scrollPosition: [])
      }
    }

    func reload(_ show: () -> Void) {
      if hasRows { pull = view?.pull ?? 0 }
      reload(show) { view?.reloadData() }
    }

    func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) {
      guard let view else { return show() }
      pull = view.pull
      // A view that has not counted its rows since it was reloaded would count the new ones.
      _ = view.numberOfSections
      UIView.performing(animated: isAnimated) {
        view.performBatchUpdates {
          show()
          view.deleteSections(IndexSet(changes.deletedSections))
          view.insertSections(IndexSet(changes.insertedSections))
          view.deleteItems(at: changes.deletedRows.map { IndexPath($0) })
          view.insertItems(at: changes.insertedRows.map { IndexPath($0) })
          for move in changes.movedRows {
            view.moveItem(at: IndexPath(move.from), to: IndexPath(move.to))
          }
        }
      }
    }

    func reconfigure(_ paths: [RowPath]) {
      view?.reconfigureItems(at: paths.map { IndexPath($0) })
    }
  }

  extension UICollectionView {
    /// The height of the content as the layout has it, which the view takes over as it is laid out.
    fileprivate var laidOutHeight: CGFloat { collectionViewLayout.collectionViewContentSize.height }

    /// Scrolls so that an item begins at a distance below the top edge.
    func show(
      _ path: IndexPath, at distance: @autoclosure () -> Double, pulledBy pull: Double = 0
    ) {
      show(at: distance, pulledBy: pull, ofContent: { laidOutHeight }) {
        layoutAttributesForItem(at: path)?.frame.minY
      }
    }

    /// The path of the first item, or `nil` if there is none.
    fileprivate var firstPath: IndexPath? {
      (0..<numberOfSections).first { numberOfItems(inSection: $0) > 0 }
        .map { IndexPath(item: 0, section: $0) }
    }

    /// Returns where the header of a section is, if it is at the top of the visible area.
    fileprivate func pinnedHeader(ofSection section: Int) -> CGRect? {
      let header = supplementaryView(
        forElementKind: UICollectionView.elementKindSectionHeader,
        at: IndexPath(item: 0, section: section))
      return header.flatMap {
        $0.frame.minY <= visibleTop && $0.frame.maxY > visibleTop ? $0.frame : nil
      }
    }
  }

  extension UICollectionViewDataSource {
    /// Returns the number of sections that the data source reports.
    fileprivate func sectionCount(in view: UICollectionView) -> Int {
      #if canImport(ObjectiveC)
        numberOfSections?(in: view) ?? 1
      #else
        numberOfSections(in: view)
      #endif
    }
  }
#endif
