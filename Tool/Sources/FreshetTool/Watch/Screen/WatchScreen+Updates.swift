import Foundation
import Freshet

// Another list in place of the one on display.
extension WatchScreen {
  /// Shows a list, with the row at hand and those around it where they were.
  mutating func take(_ list: ScreenList) {
    let isAtHead = top == 0
    let (chosen, first) = (id(at: cursor), id(at: top) ?? id(at: top + 1))
    let (chosenBefore, offset) = (cursor, first.flatMap(index).map { top - $0 } ?? 0)
    self.list = list
    rows = Rows(
      ListScreen(list.list, list.loads, edges: .activeAndEnd), showsTitles: options.hasSections)
    // At the head of the list, the head stays on display.
    if !isAtHead, let index = first.flatMap(index) { top = index + offset }
    if isAtHead, chosenBefore <= firstRow {
      cursor = firstRow
    } else if let index = chosen.flatMap(index) {
      cursor = index
    }
  }

  /// Marks what an update did.
  mutating func mark(_ update: ListUpdate<Row>) {
    marks.note(update, at: now) { [filters] item in filters.allSatisfy { $0.includes(item) } }
    forgetFilters(by: update)
  }

  /// Forgets the filters that a list was no longer made by: one of its rows would not be there.
  ///
  /// Conditions come into force in the order in which they are set.
  private mutating func forgetFilters(by update: ListUpdate<Row>) {
    guard filters.count > 1 else { return }
    let sections = update.changes.insertedSections.lazy.flatMap { update.after.sections[$0].rows }
    let rows = update.changes.insertedRows.lazy.map { update.after[$0] }
    for item in Array(sections.compactMap(\.item)) + Array(rows.compactMap(\.item)) {
      if let last = filters.dropLast().lastIndex(where: { !$0.includes(item) }) {
        filters.removeFirst(last + 1)
      }
      if filters.count == 1 { return }
    }
  }

  /// The first row that is no title.
  var firstRow: Int {
    guard rows.count > 1, case .title = rows[0] else { return 0 }
    return 1
  }
}
