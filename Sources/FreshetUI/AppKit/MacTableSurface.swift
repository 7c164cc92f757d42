#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  internal import AppKit
  internal import Freshet
  internal import FreshetLists

  /// An `NSTableView` on which a list is shown.
  @MainActor
  final class MacTableSurface<Item: ListItem>: DataSourceSurface {
    private weak var view: NSTableView?
    /// The distance the content was pulled beyond an end before its last change.
    private var pull = 0.0
    /// Whether the table was reloaded and its selection is not set again yet.
    ///
    /// A reloaded table keeps the indices of selected rows, whatever rows are there then. The
    /// delegate is notified if the selection differs in the end, but of no selection in between.
    private var isReloaded = false
    /// The data source that answers the view for the list.
    weak var source: (any ListDataSource)?
    /// The rows of the table as one flat sequence.
    var rows: () -> FlatLayout<Item>
    /// Shows the present content of a row in its view, and returns whether the view can do that.
    var update: ((NSView, RowPath) -> Bool)?

    init(_ view: NSTableView) {
      self.view = view
      rows = { FlatLayout(ListLayout(), showsTitles: false) }
    }

    var isInUse: Bool {
      guard let view else { return false }
      return source?.isInUse(
        as: view.dataSource, sections: { _ in 1 }, rows: { $0.rowCount(in: view) }) ?? false
    }

    var isOnScreen: Bool { view?.window != nil }

    var isAtTop: Bool { view.map { $0.visibleTop <= $0.bounds.minY } ?? true }

    var visiblePaths: [RowPath] {
      guard let view else { return [] }
      let visible = Range(view.rows(in: view.visibleRect)) ?? 0..<0
      let rows = rows()
      return paths(visible).filter { path in
        view.rect(ofRow: rows.index(of: path)).maxY > view.visibleTop + titleHeight(above: path)
      }
    }

    /// Returns the height of the section title that floats above a row; 0 if none does.
    func titleHeight(above path: RowPath) -> CGFloat {
      guard let view, view.floatsGroupRows, let title = rows().title(above: path) else { return 0 }
      return view.rect(ofRow: title).height
    }

    var selectedPaths: [RowPath] { paths(view?.selectedRowIndexes ?? []) }

    private func paths(_ indexes: some Sequence<Int>) -> [RowPath] {
      let rows = rows()
      return indexes.compactMap { index in
        guard index < rows.count, case .row(let path) = rows[index] else { return nil }
        return path
      }
    }

    func distance(of path: RowPath) -> Double? {
      view.map { $0.rect(ofRow: rows().index(of: path)).minY - $0.scrollOrigin }
    }

    func scroll(_ path: RowPath, to distance: Double) {
      guard let view else { return }
      let row = rows().index(of: path)
      view.show(at: distance, pulledBy: pull) { view.rect(ofRow: row).minY }
    }

    func select(_ paths: [RowPath]) {
      let rows = rows()
      view?.selectRowIndexes(
        IndexSet(paths.map(rows.index(of:))), byExtendingSelection: !isReloaded)
      isReloaded = false
    }

    func reload(_ show: () -> Void) {
      isReloaded = true
      if hasRows { pull = view?.pull ?? 0 }
      reload(show) { view?.reloadData() }
    }

    func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) {
      let before = rows()
      pull = view?.pull ?? 0
      // A table that has not counted its rows since it was reloaded would count the new ones.
      _ = view?.numberOfRows
      show()
      guard let view else { return }
      let steps = FlatSteps(changes, from: before, to: rows())
      let animation: NSTableView.AnimationOptions = isAnimated ? .effectFade : []
      view.beginUpdates()
      view.removeRows(at: IndexSet(steps.removed), withAnimation: animation)
      for move in steps.moves { view.moveRow(at: move.from, to: move.to) }
      view.insertRows(at: IndexSet(steps.inserted), withAnimation: animation)
      view.endUpdates()
    }

    func reconfigure(_ paths: [RowPath]) {
      guard let view else { return }
      let rows = rows()
      let visible = Range(view.rows(in: view.visibleRect)) ?? 0..<0
      var (changed, others) = (IndexSet(), IndexSet())
      for path in paths {
        let row = rows.index(of: path)
        // A row that is not on screen is measured when it appears.
        if visible.contains(row) { changed.insert(row) }
        let old = view.view(atColumn: 0, row: row, makeIfNecessary: false)
        if let old, update?(old, path) == true { continue }
        others.insert(row)
      }
      if !others.isEmpty {
        view.reloadData(
          forRowIndexes: others, columnIndexes: IndexSet(0..<view.numberOfColumns))
      }
      // The table would keep the old heights. It animates new ones unless that takes no time.
      NSAnimationContext.beginGrouping()
      NSAnimationContext.current.duration = 0
      view.noteHeightOfRows(withIndexesChanged: changed)
      NSAnimationContext.endGrouping()
    }
  }

  extension NSTableViewDataSource {
    /// Returns the number of rows that the data source reports.
    @MainActor fileprivate func rowCount(in view: NSTableView) -> Int {
      #if canImport(ObjectiveC)
        numberOfRows?(in: view) ?? 0
      #else
        numberOfRows(in: view)
      #endif
    }
  }

  extension NSView {
    /// The scroll position; negative if the view begins below a bar.
    var scrollOrigin: CGFloat { enclosingScrollView?.contentView.bounds.minY ?? visibleRect.minY }

    /// The top of the visible area, below bars.
    var visibleTop: CGFloat { scrollOrigin + (enclosingScrollView?.contentInsets.top ?? 0) }

    /// The distance that the user pulls the content beyond an end.
    var pull: Double { scrollBounds.pull(at: scrollOrigin) }

    /// Scrolls so that a row begins at a distance below the top edge.
    ///
    /// Rows get their real heights once they are laid out, and the row may move as they do. The
    /// view then scrolls again. It stays pulled beyond an end as far as it was.
    ///
    /// - Parameter row: returns where the row begins; `nil` if there is no such row.
    func show(
      at distance: @autoclosure () -> Double, pulledBy pull: Double = 0, _ row: () -> CGFloat?
    ) {
      for _ in 0..<ScrollBounds.attempts {
        if window != nil { layoutSubtreeIfNeeded() }
        guard let row = row() else { return }
        let offset = scrollBounds.offset(
          showing: row, at: distance(), from: scrollOrigin, pulledBy: pull)
        let before = scrollOrigin
        guard let offset else { return }
        scroll(CGPoint(x: visibleRect.minX, y: offset))
        // A view may round to pixels, and then be as near as it can be.
        if abs(scrollOrigin - before) < 0.01 { return }
      }
    }

    /// The range in which the view can scroll.
    var scrollBounds: ScrollBounds {
      guard let scroll = enclosingScrollView else {
        return ScrollBounds(content: bounds.height, visible: visibleRect.height)
      }
      return ScrollBounds(
        content: bounds.height, visible: scroll.contentView.bounds.height,
        top: scroll.contentInsets.top, bottom: scroll.contentInsets.bottom)
    }
  }
#endif
