import FreshetLists

@testable import Freshet
@testable import FreshetUI

/// A view that notes what is asked of it: rows are 10 high, four are visible.
@MainActor
final class NotedSurface: ListSurface {
  var isOnScreen = true
  var isReordering = false
  var isInUse = true
  var offset = 0.0
  var selectedPaths: [RowPath] = []
  var calls: [String] = []
  var rows: () -> [RowPath] = { [] }
  /// What happens while a batch is performed.
  var onPerform: () -> Void = {}
  private var isPerforming = false

  var isAtTop: Bool { offset <= 0 }
  var visiblePaths: [RowPath] { Array(rows().dropFirst(Int(offset / 10)).prefix(4)) }
  func distance(of path: RowPath) -> Double? {
    rows().firstIndex(of: path).map { Double($0) * 10 - offset }
  }
  func scroll(_ path: RowPath, to distance: Double) {
    guard let index = rows().firstIndex(of: path) else { return }
    offset = Double(index) * 10 - distance
  }
  func select(_ paths: [RowPath]) { selectedPaths += paths }
  func reload(_ show: () -> Void) {
    selectedPaths = []
    show()
    calls.append("reload")
  }
  func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void) {
    let gone = Set(changes.deletedSections)
    selectedPaths.removeAll { gone.contains($0.section) }
    if isPerforming { calls.append("a batch in a batch") }
    isPerforming = true
    show()
    onPerform()
    isPerforming = false
    calls.append("\(isAnimated ? "animate" : "perform") \(changes)")
  }
  func reconfigure(_ paths: [RowPath]) { calls.append("reconfigure \(paths)") }

  /// Shows a list on this view.
  func present(
    _ list: ScriptedDisplay, _ options: ScreenOptions = ScreenOptions()
  ) -> ListPresenter<Post> {
    let presenter = ListPresenter(list.controller, on: self, options: options)
    rows = { [unowned presenter] in
      let screen = presenter.layout
      return (0..<screen.numberOfSections).flatMap { section in
        (0..<screen.numberOfRows(in: section)).map { RowPath(section: section, row: $0) }
      }
    }
    return presenter
  }
}
