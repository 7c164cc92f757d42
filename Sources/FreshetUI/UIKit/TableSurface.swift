#if canImport(UIKit) && !os(watchOS)
  internal import Freshet
  internal import FreshetLists
  internal import UIKit

  /// A `UITableView` on which a list is shown.
  @MainActor
  final class TableSurface: DataSourceSurface {
    private weak var view: UITableView?
    var hasIndex = false
    /// The distance the content was pulled beyond an end before its last change.
    private var pull = 0.0
    /// The data source that answers the view for the list.
    weak var source: (any ListDataSource)?

    init(_ view: UITableView) { self.view = view }

    var isInUse: Bool {
      guard let view else { return false }
      return source?.isInUse(
        as: view.dataSource,
        sections: { $0.sectionCount(in: view) },
        rows: { $0.tableView(view, numberOfRowsInSection: 0) }) ?? false
    }

    var isOnScreen: Bool { view?.window != nil }

    var isReordering: Bool { view?.hasUncommittedUpdates ?? false }

    var isAtTop: Bool { view.map { $0.contentOffset.y <= -$0.adjustedContentInset.top } ?? true }

    var visiblePaths: [RowPath] {
      guard let view else { return [] }
      // Rows are found by position: after a reload, there are no cells until the view is on screen.
      let visible = CGRect(origin: view.contentOffset, size: view.bounds.size)
      return (view.indexPathsForRows(in: visible) ?? [])
        .filter { view.rectForRow(at: $0).maxY > view.visibleTop }.map { RowPath($0) }
    }

    var selectedPaths: [RowPath] { (view?.indexPathsForSelectedRows ?? []).map { RowPath($0) } }

    func distance(of path: RowPath) -> Double? {
      view.map { $0.rectForRow(at: IndexPath(path)).minY - $0.contentOffset.y }
    }

    func scroll(_ path: RowPath, to distance: Double) {
      guard let view else { return }
      view.show(at: { distance }, pulledBy: pull, ofContent: { view.contentSize.height }) {
        view.rectForRow(at: IndexPath(path)).minY
      }
    }

    func select(_ paths: [RowPath]) {
      for path in paths {
        view?.selectRow(at: IndexPath(path), animated: false, scrollPosition: .none)
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
          view.deleteSections(IndexSet(changes.deletedSections), with: .automatic)
          view.insertSections(IndexSet(changes.insertedSections), with: .automatic)
          view.deleteRows(at: changes.deletedRows.map { IndexPath($0) }, with: .automatic)
          view.insertRows(at: changes.insertedRows.map { IndexPath($0) }, with: .automatic)
          for move in changes.movedRows {
            view.moveRow(at: IndexPath(move.from), to: IndexPath(move.to))
          }
        }
      }
      let hasOtherSections = !changes.deletedSections.isEmpty || !changes.insertedSections.isEmpty
      if hasIndex, hasOtherSections { view.reloadSectionIndexTitles() }
    }

    func reconfigure(_ paths: [RowPath]) {
      view?.reconfigureRows(at: paths.map { IndexPath($0) })
    }
  }

  extension UIScrollView {
    /// The top of the visible area, below bars.
    var visibleTop: CGFloat { contentOffset.y + adjustedContentInset.top }

    /// Returns the range in which the view can scroll, with content of a given height.
    func scrollBounds(ofContent height: CGFloat) -> ScrollBounds {
      ScrollBounds(
        content: height, visible: bounds.height, top: adjustedContentInset.top,
        bottom: adjustedContentInset.bottom)
    }

    /// The distance that the user pulls the content beyond an end.
    var pull: Double { scrollBounds(ofContent: contentSize.height).pull(at: contentOffset.y) }

    /// Scrolls so that a row begins at a distance below the top edge.
    ///
    /// Rows get their real heights once they are laid out, and the row may move as they do. The
    /// view then scrolls again. It stays pulled beyond an end as far as it was.
    ///
    /// - Parameters:
    ///   - distance: returns the distance, which may depend on a header that sizes itself.
    ///   - pull: how far the view is pulled beyond an end.
    ///   - content: returns the height of the content.
    ///   - row: returns where the row begins; `nil` if there is no such row.
    func show(
      at distance: () -> Double, pulledBy pull: Double = 0, ofContent content: () -> CGFloat,
      _ row: () -> CGFloat?
    ) {
      for _ in 0..<ScrollBounds.attempts {
        // The cells at the new offset appear as part of the step.
        if window != nil { layoutIfNeeded() }
        guard let row = row() else { return }
        let offset = scrollBounds(ofContent: content()).offset(
          showing: row, at: distance(), from: contentOffset.y, pulledBy: pull)
        let before = contentOffset.y
        guard let offset else { return }
        contentOffset.y = offset
        // A view may round to pixels, and then be as near as it can be.
        if abs(contentOffset.y - before) < 0.01 { return }
      }
    }
  }

  extension UIView {
    /// Performs an action, with or without animation.
    static func performing(animated isAnimated: Bool, _ action: () -> Void) {
      if isAnimated { action() } else { performWithoutAnimation(action) }
    }
  }

  extension UITableViewDataSource {
    /// Returns the number of sections that the data source reports.
    fileprivate func sectionCount(in view: UITableView) -> Int {
      #if canImport(ObjectiveC)
        numberOfSections?(in: view) ?? 1
      #else
        numberOfSections(in: view)
      #endif
    }
  }
#endif
