import FreshetLists
import Testing

@testable import Freshet
@testable import FreshetUI

/// Looks at a view before and after each step of a list, and says what is wrong.
@MainActor
final class Witness<List: LiveList> where List.Item == Post {
  private struct Sight {
    var rows: [String: String] = [:]
    var first: (id: String, path: RowPath, distance: Double)?
    var offset = 0.0
    var asked = 0
    var reloads = 0
  }

  private let list: ListController<List>
  private var view: Driven?
  private var before = Sight()
  private(set) var found: [String] = []
  private(set) var steps = 0
  /// How many steps kept a row where it is while rows came and went above it.
  private(set) var kept = 0

  /// Follows the list before the view does, and after it.
  init(_ kit: Kit, _ list: ListController<List>) {
    self.list = list
    let early = Early()
    list.followers.add(self) { witness, _, _ in witness.look() }
    let view = Driven(kit, list)
    self.view = view
    list.followers.add(early) { [unowned self] _, _, update in judge(update) }
    self.early = early
  }

  private final class Early {}
  private var early: Early?

  var driven: Driven {
    guard let view else { fatalError("There is a view from the beginning") }
    return view
  }

  private func sight() -> Sight {
    let cells = driven.cells()
    let screen = driven.presenter.layout
    var sight = Sight(
      offset: driven.offset(), asked: driven.asked(), reloads: driven.reloads())
    for cell in cells {
      guard let row = screen.row(at: cell.path) else { continue }
      sight.rows[id(row)] = cell.text
      let isSeen = driven.distance(cell.path) + driven.height(cell.path) > driven.covered(cell.path)
      if isSeen, sight.first == nil {
        sight.first = (id(row), cell.path, driven.distance(cell.path))
      }
    }
    for title in driven.titles() { sight.rows[title] = title }
    return sight
  }

  private func look() { before = sight() }

  private func judge(_ update: ListUpdate<Post>?) {
    // What happens while a row is dragged shows when it is dropped.
    if driven.presenter.waiting != nil { return }
    steps += 1
    check()
    let after = sight()
    let (old, new) = (Set(before.rows.keys), Set(after.rows.keys))
    judgePlace(after, update)
    let asked = after.asked - before.asked
    let changed = new.filter { before.rows[$0] != nil && before.rows[$0] != after.rows[$0] }
    let changes = update?.changes ?? ListChanges()
    let isSimple =
      before.offset == after.offset && before.reloads == after.reloads
      && changes.deletedSections.isEmpty && changes.insertedSections.isEmpty
    let exact = new.subtracting(old).count + changed.count
    // A row that comes on screen and changed is asked for twice.
    let most =
      isSimple ? exact + newlyVisibleUpdates(changes, new.subtracting(old)) : exact + 3 * 12
    if asked > most { found.append("\(asked) cells were asked for where \(most) would do") }
    if isSimple, asked < exact { found.append("\(asked) cells were asked for of \(exact)") }
  }

  private func newlyVisibleUpdates(_ changes: ListChanges, _ rows: Set<String>) -> Int {
    changes.updatedRows.count {
      let screen = driven.presenter.layout
      return screen.row(at: screen.path(ofListRow: $0)).map { rows.contains(id($0)) } ?? false
    }
  }

  /// The first row on screen stays where it is, unless it goes, moves, or the content ends.
  private func judgePlace(_ after: Sight, _ update: ListUpdate<Post>?) {
    guard before.offset > 0, let first = before.first, let update else { return }
    let end = driven.length() - Driven.height
    guard after.offset > 0.5, after.offset < end - 0.5 else { return }
    let changes = update.step.changes
    guard let post = Int(first.id), let place = list.path(of: post),
      !changes.movedRows.contains(where: { $0.to == place }),
      !changes.insertedRows.contains(place), !changes.insertedSections.contains(place.section)
    else { return }
    let distance = driven.distance(driven.presenter.layout.path(ofListRow: place))
    if abs(distance - first.distance) > 0.01 {
      found.append("row \(first.id) went from \(first.distance) to \(distance): \(changes)")
    }
    if after.offset != before.offset { kept += 1 }
  }

  /// What holds at any moment: the view shows what the list shows, by the rules.
  func check() {
    found += driven.violations()
    let screen = driven.presenter.layout
    for cell in driven.cells() where screen.row(at: cell.path).map(text) != cell.text {
      found.append("\(cell.path) shows \(cell.text)")
    }
    if screen.list != list.value.list { found.append("the screen shows other rows") }
  }
}
