import Foundation
import Freshet
import FreshetUI

// Another list in place of the one on display.
extension WatchScreen {
  /// Shows a list, with the row at hand and those around it where they were.
  mutating func take(_ list: ScreenList) {
    let isAtHead = top == 0
    let (chosen, first) = (id(at: cursor), id(at: top) ?? id(at: top + 1))
    let (chosenBefore, offset) = (cursor, first.flatMap(index).map { top - $0 } ?? 0)
    self.list = list
    rows = Rows(
      ListLayout(list.list, list.loads, edges: .activeAndEnd), showsTitles: options.hasSections)
    // At the head of the list, the head stays on display.
    if !isAtHead, let index = first.flatMap(index) { top = index + offset }
    if isAtHead, chosenBefore <= firstRow {
      cursor = firstRow
    } else if let index = chosen.flatMap(index) {
      cursor = index
    }
  }

  /// The first row that is no title.
  var firstRow: Int {
    guard rows.count > 1, case .title = rows[0] else { return 0 }
    return 1
  }
}
