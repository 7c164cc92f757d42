import Freshet
import FreshetLists
import FreshetUI

/// The rows of the archive that a page in a browser shows, as a presenter uses a table view.
///
/// The page draws a list of rows of equal heights. Here, all distances are counted in rows.
@MainActor
final class ArchiveScreen: ListSurface {
  /// The index of the first row on screen; its fraction is the part of the row that is hidden.
  private(set) var top = 0.0
  /// The number of rows that fit on screen.
  private(set) var height = 0.0
  /// By how many rows `top` was moved here, rather than by the reader.
  private(set) var shift = 0.0
  /// Whether rows may have appeared on screen since the presenter was last notified.
  private var hasNewRows = false
  /// The number of rows in the list, loaded or not.
  var count: () -> Int = { 0 }
  /// Called when there are other rows to draw.
  var changed: () -> Void = {}

  /// Follows the reader.
  ///
  /// - Parameters:
  ///   - top: the first row, as the page knows it.
  ///   - height: the number of rows that fit on screen.
  ///   - shift: the last shift that the page knows of.
  func scroll(to top: Double, height: Double, knowing shift: Double) {
    self.top = max(0, top + self.shift - shift)
    self.height = height
    hasNewRows = true
    changed()
  }

  /// Returns the rows on screen, if any of them may have appeared since the last call.
  func takeNewRows() -> [RowPath] {
    defer { hasNewRows = false }
    return hasNewRows ? visiblePaths : []
  }

  /// The indices of the rows on screen.
  var visible: Range<Int> {
    let end = min(count(), Int((top + height).rounded(.up)))
    return min(Int(top), end)..<end
  }

  // MARK: - ListSurface

  var isOnScreen: Bool { true }
  var isAtTop: Bool { top == 0 }
  var visiblePaths: [RowPath] { visible.map { RowPath(section: 0, row: $0) } }
  var selectedPaths: [RowPath] { [] }

  func distance(of path: RowPath) -> Double? { Double(path.row) - top }

  func scroll(_ path: RowPath, to distance: Double) {
    let target = max(0, Double(path.row) - distance)
    shift += target - top
    top = target
    changed()
  }

  func select(_ paths: [RowPath]) {}

  func reload(_ show: () -> Void) {
    show()
    hasNewRows = true
    changed()
  }

  func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) {
    show()
    hasNewRows = true
    changed()
  }

  func reconfigure(_ paths: [RowPath]) { changed() }
}
