import Freshet
import FreshetLists
import FreshetUI

/// One changed row on its way to a screen, beside a walk of all ids.
@MainActor
func screens() async -> [Figure] {
  var table = Table(
    "A list on screen",
    """
    One row changes: from the event in the feed until its view is told which row to configure anew. The \
    walk is what a list of views or a diffable data source does with each update: it takes down all ids, \
    and looks up which of them it has had.
    """, ["Freshet", "a walk of all ids"])
  for count in [1_000, 10_000, 100_000, 1_000_000] { await change(of: count, &table) }
  return table.figures
}

@MainActor
private func change(of count: Int, _ table: inout Table) async {
  let feed = Feed<Row>.preview(rows(0..<count).map { .item($0) })
  let controller = FeedController(feed)
  let surface = CountingSurface()
  let presenter = ListPresenter(controller, on: surface)
  var shown = KnownIDs(controller.items)
  var round = 0
  let repeats = 20
  let rounds = count > 100_000 ? 3 : 7
  var times: (ours: [Duration], theirs: [Duration]) = ([], [])
  for _ in 0..<rounds {
    let start = Measure.computing.now
    for _ in 0..<repeats {
      round += 1
      var row = Row(round &* 7_919 % count)
      row.title = "title \(round)"
      feed.receive(.upsert(row))
      await surface.told(round)
    }
    let between = Measure.computing.now
    shown.update(to: controller.items)
    times.ours.append((between - start) / repeats)
    times.theirs.append(Measure.computing.now - between)
  }
  let ours = times.ours.sorted()[rounds / 2]
  let theirs = times.theirs.sorted()[rounds / 2]
  precondition(surface.configured == round && presenter.layout.list.count == count)
  table.add(
    "one row changes", rows: count,
    [("Freshet", ours), ("a walk of all ids", theirs)])
}

/// The ids that are on display, as a snapshot of a diffable data source keeps them.
private struct KnownIDs {
  private var places: [String: Int] = [:]

  init(_ items: LoadedItems<Row>) { update(to: items) }

  mutating func update(to items: LoadedItems<Row>) {
    var next: [String: Int] = [:]
    next.reserveCapacity(items.count)
    var moved = 0
    for (place, item) in items.enumerated() {
      next[item.id] = place
      if places[item.id] != place { moved += 1 }
    }
    precondition(places.isEmpty || moved == 0)
    places = next
  }
}

/// A view with ten rows on screen, which counts what it is told.
private final class CountingSurface: ListSurface {
  private(set) var configured = 0
  private var waiting: CheckedContinuation<Void, Never>?

  /// Waits until so many rows were configured anew.
  func told(_ count: Int) async {
    if configured < count { await withCheckedContinuation { waiting = $0 } }
  }

  var isOnScreen: Bool { true }
  var isAtTop: Bool { false }
  var visiblePaths: [RowPath] { (500..<510).map { RowPath(section: 0, row: $0) } }
  var selectedPaths: [RowPath] { [] }
  func distance(of path: RowPath) -> Double? { Double(path.row - 500) * 44 }
  func scroll(_ path: RowPath, to distance: Double) {}
  func select(_ paths: [RowPath]) {}
  func reload(_ show: () -> Void) { show() }
  func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) { show() }
  func reconfigure(_ paths: [RowPath]) {
    configured += paths.count
    waiting?.resume()
    waiting = nil
  }
}
