public import FreshetLists

/// Shows a list on a table or collection view: each step as one batch, in the turn of the main actor in
/// which the list shows it.
///
/// The view never disagrees with `screen`, which is what its data source answers from. What is done to the
/// view costs the rows that change, not those that are there.
///
/// While the reader drags a row, and in the turn in which it is dropped, steps wait; then they are shown as
/// one batch.
@MainActor
public final class ListPresenter<Listing: DisplayedList> {
  /// What a view shows of the list.
  public typealias Screen = ListScreen<Listing.Update.Value>

  /// What is shown: a feed, live results or a list made of others.
  public let list: Listing
  /// What the view shows now.
  public private(set) var screen: Screen { didSet { screensShown += 1 } }
  /// How often `screen` became another one.
  package private(set) var screensShown = 0
  /// How steps are shown; it may change at any time.
  public var options: ScreenOptions
  private weak var surface: (any ListSurface)?
  /// What the list shows, on screen or not yet.
  private var value: Listing.Update.Value
  private var held = HeldSteps<Listing.Update.Value.Row>()
  /// Waits until the view can take steps again.
  private(set) var waiting: Task<Void, Never>?
  /// Whether no batch leads to what is to be shown: the view has a row where none can be, say.
  private var mustReload = false
  /// How long a look at whether the row is still being dragged is away from the next.
  static var patience: Duration { .milliseconds(100) }
  var clock: any Clock<Duration> = ContinuousClock()

  /// Begins with what the list shows.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - surface: the view; not kept alive.
  ///   - options: how steps are shown.
  public init(
    _ list: Listing, on surface: some ListSurface, options: ScreenOptions = ScreenOptions()
  ) {
    self.list = list
    self.surface = surface
    self.options = options
    // Who makes a view of a list does not look at it: nothing is made anew for that.
    value = list.displayed.current
    screen = Screen(
      value.list, value.loads, edges: options.edges(ofListWithRows: !value.list.isEmpty))
    list.followers.add(self) { presenter, value, update in presenter.hear(value, update) }
  }

  // MARK: - What the view says

  /// Tells the list which row came on screen, so that more is asked for before the end is reached.
  public func willDisplay(_ path: RowPath) {
    if let item = screen.row(at: path)?.item { list.willDisplay(item) }
  }

  /// Tells the list which rows are about to come on screen.
  ///
  /// - Returns: the items that stand there.
  @discardableResult
  public func willDisplay(soon paths: [RowPath]) -> [Listing.Item] {
    if let first = paths.min() { willDisplay(first) }
    if let last = paths.max() { willDisplay(last) }
    return paths.compactMap { screen.row(at: $0)?.item }
  }

  /// Takes in that the reader dragged a row elsewhere, which the view shows already.
  ///
  /// The row is shown where it was dropped until the view has taken that in, in the next turn of the main actor:
  /// from then on where the list shows it. Where the list did not move it, it goes back.
  ///
  /// - Parameters:
  ///   - from: where the row stood.
  ///   - target: where it stands now.
  ///   - move: tells the list, with the item and the one above it: `FeedController.move(_:after:)`, say.
  public func move(
    _ from: RowPath, to target: RowPath, _ move: (Listing.Item, _ after: Listing.Item?) -> Void
  ) {
    let before = screen.list
    guard from != target, let item = screen.row(at: from)?.item else { return }
    // The view shows it where no row of the list can be, and says so once it has let go of it.
    if screen.listPath(of: target) == nil { mustReload = true }
    guard let dragged = screen.move(from, to: target) else { return }
    held.drag(dragged.move, from: before, to: screen.list)
    wait()
    move(item, dragged.above)
  }

  /// Loads what a row stands for: the rows of a gap, or what failed at an edge.
  ///
  /// - Returns: whether the row stands for anything of the kind.
  @discardableResult
  public func load(at path: RowPath) -> Bool {
    switch screen.row(at: path) {
    case .gap(let gap, _): Task { [list] in await list.load(gap, from: .above) }
    case .edge(let edge) where edge.state.failure != nil: list.retry()
    default: return false
    }
    return true
  }

  // MARK: - Showing steps

  private func hear(_ value: Listing.Update.Value, _ update: Listing.Update?) {
    self.value = value
    if let update { held.add(update.list) }
    if surface?.isReordering == true { wait() }
    if waiting == nil { show() }
  }

  /// Shows what is held once the view has let go of the row that is dragged: not before the next turn of the
  /// main actor, as a view says that a row was dropped while it is at work.
  private func wait() {
    guard waiting == nil else { return }
    waiting = Task { [weak self, clock] in
      while self?.surface?.isReordering == true { try? await clock.sleep(for: Self.patience) }
      self?.waiting = nil
      self?.show()
    }
  }

  private func show() {
    var step: ListUpdate<Listing.Update.Value.Row>?
    switch held.take() {
    case .none: break
    case .step(let taken): step = taken
    case .unknown: mustReload = true
    }
    let next = Screen(
      value.list, value.loads, edges: options.edges(ofListWithRows: !value.list.isEmpty))
    guard let surface, surface.isInUse else { return screen = next }
    let gaps = value.loads.gaps.filter { screen.loads.gaps[$0.key] ?? .idle != $0.value }.keys
    let changes = next.changes(
      since: screen, step?.changes ?? ListChanges(),
      gaps: gaps.sorted().compactMap(value.path(ofGap:)))
    if mustReload {
      mustReload = false
      reload(surface, next)
    } else if changes.isEmpty {
      screen = next
    } else if !surface.isOnScreen || step?.rowsNamed ?? 0 > options.batchLimit {
      reload(surface, next)
    } else {
      perform(changes, surface, next)
    }
  }

  private func perform(_ changes: ListChanges, _ surface: any ListSurface, _ next: Screen) {
    var batch = changes
    batch.updatedRows = []
    guard !batch.isEmpty else {
      screen = next
      return surface.reconfigure(changes.updatedRows)
    }
    let selected = items(
      at: surface.keepsSelection
        ? selectedPaths(in: changes.deletedSections, surface) : surface.selectedPaths)
    let place = keepsPlace(surface) ? keptRow(in: batch, surface) : nil
    // What slides in above a row that stays put would make it jump, and come back.
    let isStill = place.map { $0.before != $0.after } ?? false
    surface.perform(batch, isAnimated: options.isAnimated && !isStill) { self.screen = next }
    if !changes.updatedRows.isEmpty { surface.reconfigure(changes.updatedRows) }
    if let place { surface.scroll(place.after, to: place.distance) }
    select(selected, surface)
  }

  private func reload(_ surface: any ListSurface, _ next: Screen) {
    let (selected, old) = (items(at: surface.selectedPaths), screen)
    let visible = keepsPlace(surface) ? surface.visiblePaths : []
    let distances = visible.map { surface.distance(of: $0) }
    surface.reload { screen = next }
    func newPath(_ path: RowPath) -> RowPath? {
      old.row(at: path)?.item.flatMap { self.path(of: $0.id) }
    }
    // Where none of the rows on screen is left, the next one below takes their place.
    let below = old.paths(below: visible.last, atMost: options.batchLimit)
    if let place = zip(visible, distances).lazy.compactMap({ row in
      newPath(row.0).map { (path: $0, distance: row.1) }
    }).first ?? below.lazy.compactMap(newPath).first.map({ (path: $0, distance: distances[0]) }),
      let distance = place.distance
    {
      surface.scroll(place.path, to: distance)
    }
    select(selected, surface)
  }

  /// The row that keeps its place in a batch: the first on screen that stays.
  ///
  /// Where none does, the next one below takes the place of the first.
  private func keptRow(
    in batch: ListChanges, _ surface: any ListSurface
  ) -> (before: RowPath, after: RowPath, distance: Double)? {
    let (rows, visible) = (StayingRows(batch), surface.visiblePaths)
    guard let first = visible.first, let last = visible.last else { return nil }
    let seen = rows.firstStaying(visible)
    guard
      let place = seen ?? rows.firstStaying(screen.paths(below: last, atMost: options.batchLimit)),
      let distance = surface.distance(of: seen?.before ?? first)
    else { return nil }
    return (place.before, place.after, distance)
  }

  private func keepsPlace(_ surface: any ListSurface) -> Bool {
    switch options.keptPlace {
    case .always: true
    case .never: false
    case .whenScrolled: !surface.isAtTop
    }
  }

  // MARK: - Rows by their ids

  /// A view keeps what is selected through a batch, but for rows whose section goes: they may be in another.
  private func selectedPaths(in sections: [Int], _ surface: any ListSurface) -> [RowPath] {
    if sections.isEmpty { return [] }
    let gone = Set(sections)
    return surface.selectedPaths.filter { gone.contains($0.section) }
  }

  private func items(at paths: [RowPath]) -> [Listing.Item] {
    paths.compactMap { screen.row(at: $0)?.item }
  }

  private func select(_ items: [Listing.Item], _ surface: any ListSurface) {
    let paths = items.compactMap { path(of: $0.id) }
    if !paths.isEmpty { surface.select(paths) }
  }

  /// The first item on screen; `nil` where there is none.
  ///
  /// It is not observed.
  public var topItem: Listing.Item? {
    surface?.visiblePaths.lazy.compactMap { self.screen.row(at: $0)?.item }.first
  }

  /// Where an item is shown; `nil` where it is not.
  ///
  /// It is not observed.
  ///
  /// - Complexity: that of `path(of:)` of the list.
  public func path(of id: Listing.Item.ID) -> RowPath? {
    guard let place = value.path(of: id).flatMap(held.shownPath(of:)) else { return nil }
    let path = screen.path(ofListRow: place)
    return screen.row(at: path)?.item?.id == id ? path : nil
  }
}
