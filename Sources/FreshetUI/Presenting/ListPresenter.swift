public import Freshet
public import FreshetLists

/// Shows a list on a table or collection view: each step as one batch, in the turn of the main
/// actor in which the list shows it.
///
/// The view never disagrees with `layout`, which is what its data source answers from. What is done
/// to the view costs the rows that change, not those that are there.
///
/// While the reader drags a row, and in the turn in which it is dropped, steps wait; then they are
/// shown as one batch. What happens because the view asks for something, or while a batch is
/// performed, shows after that: no batch is part of another.
@MainActor
public final class ListPresenter<Item: ListItem> {
  /// What is shown: a feed, live results or a list made of others.
  private let list: any LiveList<Item>
  /// Keeps the controller of the list.
  private let controller: AnyObject
  /// What the view shows now.
  public private(set) var layout: ListLayout<Item> { didSet { layoutsShown += 1 } }
  /// How often `layout` became another one.
  package private(set) var layoutsShown = 0
  /// How steps are shown, which may change at any time: rows of edges come and go at once, or in
  /// the next turn of the main actor where the view is at work.
  public var options: ScreenOptions { didSet { if options != oldValue { showSoon() } } }
  private weak var surface: (any ListSurface)?
  /// What the list shows, on screen or not yet.
  private var value: ListValue<Item>
  private var held = PendingUpdates<ListRow<Item>>()
  /// The items that were about to come on screen.
  private var near = PrefetchTracker<Item>()
  /// Waits until the view can take steps again.
  private(set) var waiting: Task<Void, Never>?
  /// Whether no batch leads to what is to be shown: the view has a row where none can be, say.
  private var mustReload = false
  /// Whether something is being shown, and whether there is more to show by now.
  private var (isShowing, hasMore) = (false, false)
  /// How many answers the view waits for.
  private var answers = 0
  /// How long a look at whether the row is still being dragged is away from the next.
  static var patience: Duration { .milliseconds(100) }
  /// How many rows below the screen are looked at for one that stays.
  private static var rowsBelow: Int { 300 }
  var clock: any Clock<Duration> = ContinuousClock()

  /// Begins with what the list shows.
  ///
  /// - Parameters:
  ///   - controller: the list.
  ///   - surface: the view; not kept alive.
  ///   - options: how steps are shown.
  public init(
    _ controller: ListController<some LiveList<Item>>, on surface: some ListSurface,
    options: ScreenOptions = ScreenOptions()
  ) {
    list = controller.list
    self.controller = controller
    self.surface = surface
    self.options = options
    // Who makes a view of a list does not look at it: nothing is made anew for that.
    value = controller.displayed.current
    layout = ListLayout<Item>(
      value.list, value.state, edges: options.edges(ofListWithRows: !value.list.isEmpty))
    controller.followers.add(self) { presenter, value, update in presenter.hear(value, update) }
  }

  // MARK: - What the view says

  /// Answers the view, which waits for it and can be told of nothing meanwhile: steps that come
  /// show in the next turn of the main actor.
  package func answering<Answer>(_ answer: () -> Answer) -> Answer {
    answers += 1
    defer { answers -= 1 }
    return answer()
  }

  /// Tells the list which row came on screen, so that more is asked for before the end is reached.
  public func willDisplay(_ path: RowPath) {
    guard let item = layout.row(at: path)?.item else { return }
    near.show(item.id)
    list.willDisplay(item)
  }

  /// Tells the list which rows are about to come on screen.
  ///
  /// - Returns: the items that stand there.
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

  /// Takes in which rows will not come on screen after all.
  ///
  /// - Parameter paths: where they stood when they were about to.
  /// - Returns: the items that stood there then.
  public func willNotDisplay(_ paths: [RowPath]) -> [Item] {
    paths.compactMap { near.giveUp($0) }
  }

  /// Takes in that the reader dragged a row elsewhere, which the view shows already.
  ///
  /// The row is shown where it was dropped until the view has taken that in, in the next turn of
  /// the main actor: from then on where the list shows it. Where the list did not move it, it goes
  /// back.
  ///
  /// - Parameters:
  ///   - from: where the row stood.
  ///   - target: where it stands now.
  ///   - move: tells the list, with the item and the one above it: `moveLocally(_:after:)`,
  ///     say.
  public func move(
    _ from: RowPath, to target: RowPath, _ move: (Item, _ after: Item?) -> Void
  ) {
    let before = layout.list
    guard from != target, let item = layout.row(at: from)?.item else { return }
    // The view shows it where no row of the list can be, and says so once it has let go of it.
    if layout.listPath(of: target) == nil { mustReload = true }
    guard let dragged = layout.move(from, to: target) else { return }
    held.drag(dragged.move, from: before, to: layout.list)
    wait()
    move(item, dragged.above)
  }

  /// Loads what a row stands for: the rows of a gap, or what failed at an edge.
  ///
  /// - Returns: whether the row stands for anything of the kind.
  @discardableResult
  public func load(at path: RowPath) -> Bool {
    switch layout.row(at: path) {
    case .gap(let gap, _): Task { [list] in await list.load(gap, from: .above) }
    case .edge(let edge) where edge.state.failure != nil: Task { [list] in await list.retry() }
    default: return false
    }
    return true
  }

  // MARK: - Showing steps

  private func hear(_ value: ListValue<Item>, _ update: ListUpdate<Item>?) {
    self.value = value
    if let update { held.add(update.step) }
    showSoon()
  }

  /// Shows what there is to show: at once, unless a row is being dragged, or the view is at work.
  private func showSoon() {
    if surface?.isReordering == true || answers > 0 { wait() }
    if waiting == nil { show() }
  }

  /// Shows what there is to show, and then what came because of that.
  private func show() {
    hasMore = true
    if isShowing { return }
    isShowing = true
    defer { isShowing = false }
    while hasMore, waiting == nil {
      hasMore = false
      showStep()
    }
  }

  /// Shows what is held once the view has let go of the row that is dragged: not before the next
  /// turn of the main actor, as a view says that a row was dropped while it is at work.
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
    let next = ListLayout<Item>(
      value.list, value.state, edges: options.edges(ofListWithRows: !value.list.isEmpty))
    guard let surface, surface.isInUse else { return layout = next }
    let gaps = value.state.gaps.filter { layout.loads.gaps[$0.key] ?? .idle != $0.value }.keys
    let changes = next.changes(
      since: layout, step?.changes ?? ListChanges(),
      gaps: gaps.sorted().compactMap(value.path(ofGap:)))
    if mustReload || !isKnown {
      mustReload = false
      reload(surface, next, isKnown ? changes : nil)
    } else if changes.isEmpty {
      layout = next
    } else if !surface.isOnScreen || step?.refs.rowsNamed ?? 0 > options.batchLimit {
      reload(surface, next, changes)
    } else {
      perform(changes, surface, next)
    }
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
    // The view keeps the others itself. One that goes may come again in another section.
    if surface.keepsSelection { selected = Array(batch.rowsTaken(from: selected)) }
    let items = items(at: selected)
    let place = keptPlace(through: batch, to: next, surface)
    // What slides in above a row that stays put would make it jump, and come back.
    let isStill = place.map { $0.row.before != $0.row.after } ?? false
    surface.perform(batch, isAnimated: options.isAnimated && !isStill) { self.layout = next }
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

  /// The row that keeps its place, and how far below the top edge it belongs.
  private func keptPlace(
    through changes: ListChanges?, to next: ListLayout<Item>, _ surface: any ListSurface
  ) -> (row: ScrollAnchor, distance: Double)? {
    switch options.keptPlace {
    case .never: return nil
    case .whenScrolled where surface.isAtTop: return nil
    case .always, .whenScrolled: break
    }
    let visible = surface.visiblePaths.filter { layout.row(at: $0) != nil }
    let (seen, edges) = layout.split(visible)
    let below = layout.paths(below: visible.last, atMost: Self.rowsBelow)
    guard
      let row = ScrollAnchor(
        among: seen, edges: edges, below: below, in: changes, { place(of: $0, in: next) }),
      let distance = surface.distance(of: row.seen)
    else { return nil }
    return (row, distance)
  }

  /// Where a row of this screen stands in the next one, which shows what the list does.
  private func place(of path: RowPath, in next: ListLayout<Item>) -> RowPath? {
    switch layout.row(at: path) {
    case .item(let item): value.path(of: item.id).map(next.path(ofListRow:))
    case .gap(let gap, _): value.path(ofGap: gap.id).map(next.path(ofListRow:))
    case .edge(let edge): next.path(of: edge.id)
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

  /// The first item on screen; `nil` where there is none.
  ///
  /// It is not observed.
  public var topItem: Item? {
    surface?.visiblePaths.lazy.compactMap { self.layout.row(at: $0)?.item }.first
  }

  /// Where an item is shown; `nil` where it is not.
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
