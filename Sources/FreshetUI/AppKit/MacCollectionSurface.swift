#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  internal import AppKit
  internal import Freshet
  internal import FreshetLists

  /// An `NSCollectionView` on which a list is shown.
  @MainActor
  final class MacCollectionSurface: DataSourceSurface {
    private weak var view: NSCollectionView?
    /// The distance the content was pulled beyond an end before its last change.
    private var pull = 0.0
    /// The data source that answers the view for the list.
    weak var source: (any ListDataSource)?

    init(_ view: NSCollectionView) { self.view = view }

    var isInUse: Bool {
      guard let view else { return false }
      return source?.isInUse(
        as: view.dataSource,
        sections: { $0.sectionCount(in: view) },
        rows: { $0.collectionView(view, numberOfItemsInSection: 0) }) ?? false
    }

    var isOnScreen: Bool { view?.window != nil }

    var isAtTop: Bool { view.map { $0.visibleTop <= $0.bounds.minY } ?? true }

    var visiblePaths: [RowPath] {
      guard let view else { return [] }
      return (isOnScreen ? Array(view.indexPathsForVisibleItems()) : laidOutPaths).filter {
        view.layoutAttributesForItem(at: $0).map { $0.frame.maxY > view.visibleTop } ?? false
      }.map { RowPath($0) }.sorted()
    }

    /// The items that would be visible.
    ///
    /// A view that was reloaded has no items until it is on screen.
    private var laidOutPaths: [IndexPath] {
      // A layout answers for the rows it has prepared. The view prepares it before it answers.
      guard let view, let layout = view.collectionViewLayout, let first = view.firstPath,
        view.layoutAttributesForItem(at: first) != nil
      else { return [] }
      return layout.layoutAttributesForElements(in: view.visibleRect)
        .filter { $0.representedElementCategory == .item }.compactMap(\.indexPath)
    }

    var selectedPaths: [RowPath] { (view?.selectionIndexPaths ?? []).map { RowPath($0) }.sorted() }

    // AppKit does not document what a batch does to the selection.
    var keepsSelection: Bool { false }

    func distance(of path: RowPath) -> Double? {
      guard let view, let place = view.layoutAttributesForItem(at: IndexPath(path)) else {
        return nil
      }
      return place.frame.minY - view.scrollOrigin
    }

    func scroll(_ path: RowPath, to distance: Double) {
      guard let view else { return }
      view.show(at: distance, pulledBy: pull) {
        view.layoutAttributesForItem(at: IndexPath(path))?.frame.minY
      }
    }

    func select(_ paths: [RowPath]) {
      view?.selectItems(at: Set(paths.map { IndexPath($0) }), scrollPosition: [])
    }

    /// Clears the selection without notifying the delegate.
    ///
    /// `deselectAll(_:)` is an action of the user: it asks the delegate and notifies it.
    private func forgetSelection() {
      if view?.selectionIndexPaths.isEmpty == false { view?.selectionIndexPaths = [] }
    }

    func reload(_ show: () -> Void) {
      forgetSelection()
      if hasRows { pull = view?.pull ?? 0 }
      reload(show) { view?.reloadData() }
    }

    func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) {
      guard let view else { return show() }
      pull = view.pull
      forgetSelection()
      let performer = isAnimated ? view.animator() : view
      performer.performBatchUpdates({
        show()
        view.deleteSections(IndexSet(changes.deletedSections))
        view.insertSections(IndexSet(changes.insertedSections))
        view.deleteItems(at: Set(changes.deletedRows.map { IndexPath($0) }))
        view.insertItems(at: Set(changes.insertedRows.map { IndexPath($0) }))
        for move in changes.movedRows {
          view.moveItem(at: IndexPath(move.from), to: IndexPath(move.to))
        }
      })
    }

    func reconfigure(_ paths: [RowPath]) {
      guard let view else { return }
      let selected = view.selectionIndexPaths
      view.reloadItems(at: Set(paths.map { IndexPath($0) }))
      if view.selectionIndexPaths != selected { view.selectionIndexPaths = selected }
    }
  }

  extension NSCollectionView {
    /// The path of the first item, or `nil` if there is none.
    fileprivate var firstPath: IndexPath? {
      (0..<numberOfSections).first { numberOfItems(inSection: $0) > 0 }
        .map { IndexPath(item: 0, section: $0) }
    }
  }

  extension NSCollectionViewDataSource {
    /// Returns the number of sections that the data source reports.
    @MainActor fileprivate func sectionCount(in view: NSCollectionView) -> Int {
      #if canImport(ObjectiveC)
        numberOfSections?(in: view) ?? 1
      #else
        numberOfSections(in: view)
      #endif
    }
  }
#endif
