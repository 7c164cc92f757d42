public import Freshet
public import FreshetLists

/// A presenter that shows each step of a list as one batch on a table or collection view.
///
/// A step is shown in the turn of the main actor in which the list publishes it.
///
/// The view's data source answers from `layout`, so the view and `layout` never disagree. The cost
/// of an update depends on the rows that change, not on the number of rows.
///
/// While the user drags a row, and in the turn in which the row is dropped, steps are held back.
/// They are then shown as one batch. A step that is published while the view waits for an answer,
/// or while a batch is performed, is shown after that. Batches are never nested.
@MainActor
public final class ListPresenter<Item: ListItem> {
  /// The list to show: a feed, live results or a list made of others.
  private let list: any LiveList<Item>
  /// The controller of the list, which is kept alive.
  private let controller: AnyObject
  /// The sections and rows that the view shows now.
  public private(set) var layout: ListLayout<Item> { didSet { layoutsShown += 1 } }
  /// The number of times that `layout` was replaced.
  package private(set) var layoutsShown = 0
  /// The options for showing steps, which may change at any time.
  ///
  /// Rows of edges are then inserted or removed at once. If the view is busy, this happens in the
  /// next turn of the main actor.
  public var options: ScreenOptions { didSet { if options != oldValue { showSoon() } } }
  private weak var surface: (any ListSurface)?
  /// The latest value of the list, on screen or not yet.
  private var value: ListValue<Item>
  private var held = PendingUpdates<ListRow<Item>>()
  /// Whether the view shows rows, among placeholders if options ask for them.
  private var isOpen = false
  private var placeholderLoads = PlaceholderLoads()
  /// The items that were about to appear on screen.
  private var near = PrefetchTracker<Item>()
  /// The task that waits until the view can take steps again.
  private(set) var waiting: Task<Void, Never>?
  /// Whether the view must reload because no batch leads to the rows to show.
  ///
  /// An example is a view that shows a dragged row at a place that is not in the list.
  private var mustReload = false
  /// Whether a step is being shown, and whether there is more to show after it.
  private var (isShowing, hasMore) = (false, false)
  /// Whether rows appeared while a step was shown.
  private var hasNewRows = false
  /// The row that keeps its place in the batch that is performed now, and its distance below the
  /// top edge.
  private(set) var placeToKeep: (row: RowPath, distance: Double)?
  /// The number of answers that the view is waiting for.
  private var answers = 0
  /// The time between two checks of whether a row is still being dragged.
  static var patience: Duration { .milliseconds(100) }
  /// The number of rows below the screen that are searched for one that stays.
  private static var rowsBelow: Int { 300 }
  var clock: any Clock<Duration> = ContinuousClock()

  /// Creates a presenter that begins with the current rows of the list.
  ///
  /// - Parameters:
  ///   - controller: the list.
  ///   - surface: the view; held weakly.
  ///   - options: how steps are shown.
  public init(
    _ controller: ListController<some LiveList<Item>>, on surface: some ListSurface,
    options: ScreenOptions = ScreenOptions()
  ) {
    list = controller.list
    self.controller = controller
    self.surface = surface
    self.options = options
    // Reading `current` is not observed, so creating a presenter causes no SwiftUI view to update.
    value = controller.displayed.current
    layout = ListLayout<Item>(value, options, showsPlaceholders: false)
    controller.followers.add(self) { presenter, value, update in presenter.hear(value, update) }
  }

  // MARK: - Calls from the view

  /// Computes an answer for the view, and holds steps back meanwhile.
  ///
  /// The view waits for the answer and cannot be updated until it has it. Steps that are published
  /// meanwhile are shown in the next turn of the main actor.
  package func answering<Answer>(_ answer: () -> Answer) -> Answer {
    answers += 1
    defer { answers -= 1 }
    return answer()
  }

  /// Notifies the list that a row appeared on screen, so that it loads more before the end.
  ///
  /// While a step is shown, a view asks for rows at its old scroll position, which may be near an
  /// edge although the reader is not. The list is then notified of the rows that are visible after
  /// the step.
  public func willDisplay(_ path: RowPath) {
    // Placeholders are shown once the view shows rows.
    if options.showsPlaceholders, !isOpen { wait() }
    switch layout.row(at: path) {
    case .item(let item):
      near.show(item.id)
      if isShowing { hasNewRows = true } else { list.willDisplay(item) }
    case .placeholder(let row): if !isShowing { load(row, at: path) }
    case .gap, .edge, nil: break
    }
  }

  /// Loads rows where a placeholder is on screen, unless that is being done or failed.
  private func load(_ row: PlaceholderRow, at path: RowPath) {
    let index = layout.index(inWholeList: path)
    guard let load = placeholderLoads.load(for: row, at: index, in: value.state) else { return }
    Task { [list] in
      switch load {
      case .row(let index): await list.load(rowAt: index)
      case .previous: await list.loadPrevious()
      case .next: await list.loadNext()
      case .gap(let id, let side): await list.load(Gap(id: id), from: side)
      }
    }
  }

  /// Loads more rows where placeholders are still on screen, as long as rows arrive there.
  private func loadVisiblePlaceholders() {
    guard !layout.placeholders.isEmpty, let surface, surface.isInUse, surface.isOnScreen else {
      return
    }
    var places: Set<PlaceholderRow.Place> = []
    for path in surface.visiblePaths {
      guard case .placeholder(let row)? = layout.row(at: path),
        places.insert(row.place).inserted, placeholderLoads.isDue(row.place, in: value.state)
      else { continue }
      load(row, at: path)
    }
  }

  /// Notifies the list of the visible rows if rows appeared while a step was shown.
  private func willDisplayNewRows() {
    guard hasNewRows else { return }
    let visible = (surface?.visiblePaths ?? []).compactMap { layout.row(at: $0)?.item }
    hasNewRows = visible.isEmpty
    for item in [visible.first, visible.count > 1 ? visible.last : nil] {
      if let item { list.willDisplay(item) }
    }
  }

  /// Notifies the list of rows that are about to appear on screen.
  ///
  /// - Returns: the items at these paths.
  @discardableResult
  public func willDisplay(soon paths: [RowPath]) -> [Item] {
    if let first = paths.min() { willDisplay(first) }
    if let last = paths.max() { willDisplay(last) }
    return paths.compactMap { path in
      guard let item = layout.row(at: path)?.item else { return nil }
      near.add(item, at: path)
      return item
    }
  }

  /// Removes rows from those about to appear, as they will not appear on screen after all.
  ///
  /// - Parameter paths: the paths of the rows when they were about to appear.
  /// - Returns: the items that were at these paths then.
  public func willNotDisplay(_ paths: [RowPath]) -> [Item] {
    paths.compactMap { near.giveUp($0) }
  }

  /// Records that the user dragged a row, which the view shows at its new place already.
  ///
  /// The row stays at the drop position until the next turn of the main actor, in which the view
  /// has completed the drop. From then on it is shown at its place in the list. If the list did not
  /// move the row, it returns to its old place.
  ///
  /// - Parameters:
  ///   - from: the path of the row before the drag.
  ///   - target: the path of the row after the drag.
  ///   - move: notifies the list, with the item and the one above it. An example is
  ///     `moveLocally(_:after:)`.
  public func move(
    _ from: RowPath, to target: RowPath, _ move: (Item, _ after: Item?) -> Void
  ) {
    let before = layout.list
    guard from != target, let item = layout.row(at: from)?.item else { return }
    // The view shows the row at a place that is not in the list: reload it after the drop.
    if layout.target(of: from, to: target) != target { mustReload = true }
    guard let dragged = layout.move(from, to: target) else { return }
    held.drag(dragged.move, from: before, to: layout.list)
    wait()
    move(item, dragged.above)
  }

  /// Loads the missing rows of a gap, or retries the failed load of an edge.
  ///
  /// - Returns: whether the row is a gap or an edge that failed.
  @discardableResult
  public func load(at path: RowPath) -> Bool {
    switch layout.row(at: path) {
    case .gap(let gap, _, _): Task { [list] in await list.load(gap, from: .above) }
    case .edge(let edge) where edge.state.failure != nil: Task { [list] in await list.retry() }
    default: return false
    }
    return true
  }

  // MARK: - Showing steps

  private func hear(_ value: ListValue<Item>, _ update: ListUpdate<Item>?) {
    self.value = value
    if let update { held.add(update.step) }
    placeholderLoads.follow(value.state, isChanged: update != nil)
    showSoon()
  }

  /// Shows pending steps at once, unless a row is being dragged or the view is busy.
  private func showSoon() {
    if surface?.isReordering == true || answers > 0 { wait() }
    if waiting == nil { show() }
  }

  /// Shows pending steps, and then the steps that result from showing them.
  private func show() {
    hasMore = true
    if isShowing { return }
    isShowing = true
    defer {
      isShowing = false
      willDisplayNewRows()
      loadVisiblePlaceholders()
    }
    while hasMore, waiting == nil {
      hasMore = false
      showStep()
    }
  }

  /// Shows pending steps once the view has let go of the dragged row.
  ///
  /// This is not before the next turn of the main actor, as a view reports a drop while it is busy.
  private func wait() {
    guard waiting == nil else { return }
    waiting = Task { [weak self, clock] in
      while self?.surface?.isReordering == true { try? await clock.sleep(for: Self.patience) }
      self?.waiting = nil
      self?.show()
    }
  }

  private func showStep() {
    var step: ListStep<ListRow<Item>>?
    var isKnown = true
    switch held.take() {
    case .none: break
    case .step(let taken): step = taken
    case .unknown: isKnown = false
    }
    guard let surface, surface.isInUse else {
      isOpen = false
      return layout = ListLayout<Item>(value, options, showsPlaceholders: false)
    }
    open(on: surface)
    let next = ListLayout<Item>(value, options, showsPlaceholders: isOpen)
    let (old, new) = (layout.loads, value.state)
    let gaps = new.gaps.filter { id, state in
      old.gaps[id] ?? .idle != state || old.gapSizes[id] != new.gapSizes[id]
    }.keys
    let list = step?.changes ?? ListChanges()
    var changes: ListChanges?
    if isKnown, next.placeholdersChanged(since: layout, list) <= options.batchLimit {
      changes = next.changes(
        since: layout, list, gaps: gaps.sorted().compactMap(value.path(ofGap:)))
    }
    guard let changes, !mustReload else {
      mustReload = false
      return reload(surface, next, changes)
    }
    if changes.isEmpty {
      layout = next
    } else if !surface.isOnScreen || step?.refs.rowsNamed ?? 0 > options.batchLimit {
      reload(surface, next, changes)
    } else {
      perform(changes, surface, next)
    }
  }

  /// Notes whether the view shows rows of the list, which placeholders above must not push away.
  private func open(on surface: any ListSurface) {
    guard options.showsPlaceholders, !layout.list.isEmpty else { return isOpen = false }
    isOpen = isOpen || surface.visiblePaths.contains { layout.listPath(of: $0) != nil }
  }

  private func perform(_ changes: ListChanges, _ surface: any ListSurface, _ next: ListLayout<Item>)
  {
    var batch = changes
    batch.updatedRows = []
    guard !batch.isEmpty else {
      layout = next
      return surface.reconfigure(changes.updatedRows)
    }
    var selected = surface.selectedPaths
    // The view keeps the other rows selected. A removed row may be inserted in another section.
    if surface.keepsSelection { selected = Array(batch.rowsTaken(from: selected)) }
    let items = items(at: selected)
    let place = keptPlace(through: batch, to: next, surface)
    // Rows that slide in above a row that keeps its place would make it jump and return.
    let isStill = place.map { $0.row.before != $0.row.after } ?? false
    defer { placeToKeep = nil }
    surface.perform(batch, isAnimated: options.isAnimated && !isStill) {
      self.layout = next
      self.placeToKeep = place.map { ($0.row.after, $0.distance) }
    }
    if !changes.updatedRows.isEmpty { surface.reconfigure(changes.updatedRows) }
    if let place { surface.scroll(place.row.after, to: place.distance) }
    if !items.isEmpty { surface.select(paths(of: items)) }
  }

  private func reload(_ surface: any ListSurface, _ next: ListLayout<Item>, _ changes: ListChanges?)
  {
    let selected = items(at: surface.selectedPaths)
    let place = keptPlace(through: changes, to: next, surface)
    surface.reload { layout = next }
    if let place { surface.scroll(place.row.after, to: place.distance) }
    surface.select(paths(of: selected))
  }

  /// Returns the row that keeps its place, and its distance below the top edge.
  private func keptPlace(
    through changes: ListChanges?, to next: ListLayout<Item>, _ surface: any ListSurface
  ) -> (row: ScrollAnchor, distance: Double)? {
    // Rows that are shown are not pushed off the screen by the placeholders above them.
    let opens = next.placeholders.contains(.above) && !layout.placeholders.contains(.above)
    switch options.keptPlace {
    case .never where !opens: return nil
    case .whenScrolled where surface.isAtTop && !opens: return nil
    case .always, .whenScrolled, .never: break
    }
    let visible = surface.visiblePaths.filter { layout.row(at: $0) != nil }
    let (seen, edges) = layout.split(visible)
    let below = layout.paths(below: visible.last, atMost: Self.rowsBelow)
    guard
      let row = ScrollAnchor(
        among: seen, edges: edges, below: below, in: changes, { place(of: $0, in: next) }),
      let distance = surface.distance(of: row.seen)
    else { return nil }
    return (row.staying(in: next), distance)
  }

  /// Returns the path of a row of this layout in the next one, which shows the list's latest value.
  private func place(of path: RowPath, in next: ListLayout<Item>) -> RowPath? {
    switch layout.row(at: path) {
    case .item(let item): value.path(of: item.id).map(next.path(ofListRow:))
    case .gap(let gap, _, _):
      layout.placeholders.contains(.gap(gap.id))
        ? next.sameRow(as: path, of: layout)
        : value.path(ofGap: gap.id).map(next.path(ofListRow:))
    case .edge(let edge): next.path(of: edge.id)
    case .placeholder: next.sameRow(as: path, of: layout)
    case nil: nil
    }
  }

  // MARK: - Rows by their ids

  private func items(at paths: [RowPath]) -> [Item] {
    paths.compactMap { layout.row(at: $0)?.item }
  }

  private func paths(of items: [Item]) -> [RowPath] {
    items.compactMap { path(of: $0.id) }
  }

  /// The first item on screen, or `nil` if there is none.
  ///
  /// It is not observed.
  public var topItem: Item? {
    surface?.visiblePaths.lazy.compactMap { self.layout.row(at: $0)?.item }.first
  }

  /// Returns the path at which an item is shown, or `nil` if it is not shown.
  ///
  /// It is not observed.
  ///
  /// - Complexity: that of `path(of:)` of the list.
  public func path(of id: Item.ID) -> RowPath? {
    guard let place = value.path(of: id).flatMap(held.shownPath(of:)) else { return nil }
    let path = layout.path(ofListRow: place)
    return layout.row(at: path)?.item?.id == id ? path : nil
  }
}
