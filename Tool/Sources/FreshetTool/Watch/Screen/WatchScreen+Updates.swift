import Foundation
import Freshet
import FreshetUI

// The replacement of the list on display.
extension WatchScreen {
  /// Shows a list, and keeps the selected row and those around it in place.
  mutating func take(_ list: ScreenList) {
    let isAtHead = top == 0
    let (chosen, first) = (id(at: cursor), id(at: top) ?? id(at: top + 1))
    let (chosenBefore, offset) = (cursor, first.flatMap(index).map { top - $0 } ?? 0)
    self.list = list
    rows = Rows(
      ListLayout(list.list, list.loads, edges: .activeAndEnd), showsTitles: options.hasSections)
    // If the head of the list is on display, it stays on display.
    if !isAtHead, let index = first.flatMap(index) { top = index + offset }
    if isAtHead, chosenBefore <= firstRow {
      cursor = firstRow
    } else if let index = chosen.flatMap(index) {
      cursor = index
    }
  }

  /// The index of the first row that is not a title.
  var firstRow: Int {
    guard rows.count > 1, case .title = rows[0] else { return 0 }
    return 1
  }
}
