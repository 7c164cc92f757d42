import FreshetLists

@testable import Freshet
@testable import FreshetUI

/// Looks at a view as a reader does, and complains.
@MainActor
final class Reader {
  struct Kept {
    var (places, placesOutside, followed, selections) = (0, 0, 0, 0)
  }

  let view: Driven
  private(set) var found: [String] = []
  private(set) var kept = Kept()
  private var isOut = false

  init(_ kit: Kit, _ display: ScriptedDisplay, estimate: Double? = nil) {
    view = Driven(kit, display, estimate: estimate)
  }

  private var screen: ListLayout<Post> { view.presenter.layout }

  /// All rows of the screen.
  private var rows: [(name: String, path: RowPath)] {
    (0..<screen.numberOfSections).flatMap { section in
      (0..<screen.numberOfRows(in: section)).compactMap { row in
        let path = RowPath(section: section, row: row)
        return screen.row(at: path).map { (id($0), path) }
      }
    }
  }

  /// Scrolls to so many thousandths of the content.
  func scroll(to part: Int) {
    let end = max(0, view.length() - Driven.height)
    view.scroll((end * Double(part) / 1_000).rounded())
  }

  func select(_ number: Int) {
    let paths = rows.map(\.path).filter { screen.row(at: $0)?.item != nil }
    if !paths.isEmpty { view.select([view.index(paths[number % paths.count])]) }
  }

  func goOut() {
    if isOut { return }
    isOut = true
    view.isInWindow(false)
  }

  func comeBack() {
    guard isOut else { return }
    view.isInWindow(true)
    isOut = false
    check()
  }

  /// What holds at any moment.
  private func check() {
    found += view.violations()
    for cell in view.cells() where screen.row(at: cell.path).map(text) != cell.text {
      found.append("\(cell.path) shows \(cell.text)")
    }
  }

  /// Watches a step.
  func watch(_ changes: ListChanges, _ step: () -> Void) {
    let before = screen
    let seen = rows.filter { row in
      let top = view.distance(row.path)
      return top < Driven.height && bottom(of: row.path) > view.covered(row.path)
    }.map { (name: $0.name, path: $0.path, distance: view.distance($0.path)) }
    let (selected, old) = (Set(view.selectedIDs()), sight())
    step()
    check()
    judgeCells(old, sight(), changes)
    let after = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.path) })
    let wanted = selected.filter { after["\($0)"] != nil }
    if Set(view.selectedIDs()) != wanted {
      found.append("\(view.selectedIDs()) are selected instead of \(wanted)")
    }
    if !wanted.isEmpty { kept.selections += 1 }

    let options = view.presenter.options
    let watches = options.keptPlace == .always || old.offset > 0 && options.keptPlace != .never
    guard watches else { return }
    func isTaken(_ path: RowPath) -> Bool {
      guard let path = before.listPath(of: path) else { return false }
      return changes.deletedSections.contains(path.section) || changes.deletedRows.contains(path)
        || changes.movedRows.contains { $0.from == path }
    }
    // Rows of edges have rows come between them and those of the list.
    let ofList = seen.filter { before.listPath(of: $0.path) != nil }
    var anchor: (row: String, distance: Double)?
    if let stays = ofList.first(where: { after[$0.name] != nil && !isTaken($0.path) }) {
      anchor = (stays.name, stays.distance)
    } else if let goes = ofList.first(where: { after[$0.name] != nil }) {
      anchor = (goes.name, goes.distance)
      kept.followed += 1
    }
    guard let anchor, let path = after[anchor.row] else { return }
    let end = view.length() - Driven.height
    guard view.offset() > 0.5, view.offset() < end - 0.5 else { return }
    let distance = view.distance(path)
    if abs(distance - anchor.distance) > 0.01 {
      found.append("row \(anchor.row) went from \(anchor.distance) to \(distance): \(changes)")
    }
    kept.places += 1
    if isOut { kept.placesOutside += 1 }
  }

  private func bottom(of path: RowPath) -> Double { view.distance(path) + view.height(path) }

  /// Drags a row, which the list moves as well or leaves where it is.
  func drag(in shelf: Shelf, on display: ScriptedDisplay) async {
    let cells = view.cells().map(\.path)
    let items = cells.filter { screen.row(at: $0)?.item != nil }
    let targets = cells.filter { screen.listPath(of: $0) != nil }
    guard let drag = view.drag, !isOut, !items.isEmpty, !targets.isEmpty else { return }
    let from = items[shelf.random(items.count)]
    var target = targets[shelf.random(targets.count)]
    // Where it is taken out, there is one place less.
    if target.section != from.section { target.row = shelf.random(target.row + 1) }
    let selected = Set(view.selectedIDs())
    let isMoved = shelf.random(2) == 0
    view.move = { item, above in
      guard isMoved else { return }
      shelf.move(item.id, after: above?.id)
      display.show(shelf.list)
    }
    drag(from, target) {}
    await view.presenter.waiting?.value
    check()
    if screen.list != display.value.list { found.append("the screen shows other rows") }
    if Set(view.selectedIDs()) != selected { found.append("a drop changed the selection") }
  }

  /// Cells are asked for where rows come on screen or change, and nowhere else.
  private func judgeCells(_ old: Sight, _ new: Sight, _ changes: ListChanges) {
    let isSimple =
      (old.offset == new.offset || view.keepsPlaceInBatch) && old.reloads == new.reloads
      && changes.deletedSections.isEmpty && changes.insertedSections.isEmpty
    guard isSimple, !isOut else { return }
    let came = Set(new.texts.keys).subtracting(old.texts.keys)
    let changed = new.texts.filter { old.texts[$0.key] ?? $0.value != $0.value }
    // A row that comes on screen and changed is asked for twice.
    let twice = changes.updatedRows.count {
      screen.row(at: screen.path(ofListRow: $0)).map { came.contains(id($0)) } ?? false
    }
    let (asked, exact) = (new.asked - old.asked, came.count + changed.count)
    if asked < exact || asked > exact + twice {
      found.append("\(asked) cells were asked for instead of \(exact): \(changes)")
    }
  }

  /// What cells show, and what was asked.
  private struct Sight {
    var texts: [String: String] = [:]
    var (asked, reloads, offset) = (0, 0, 0.0)
  }

  private func sight() -> Sight {
    var sight = Sight(asked: view.asked(), reloads: view.reloads(), offset: view.offset())
    for cell in view.cells() {
      if let row = screen.row(at: cell.path) { sight.texts[id(row)] = cell.text }
    }
    for title in view.titles() { sight.texts[title] = title }
    return sight
  }
}
