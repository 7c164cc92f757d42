import Foundation
import Freshet

/// A list with its state, as the screen holds it.
struct ScreenList: Sendable {
  var list = ListSnapshot<WatchScreen.Row>()
  var loads = ListState()
  var refreshedAt: Date?
  var isFromCache = false
  /// How many items there are.
  var count = 0
  /// Whether the source's list has a row, on display or not.
  var has: @Sendable (RowID) -> Bool = { _ in false }
  /// The path of a row.
  var path: @Sendable (WatchScreen.Row.ID) -> RowPath? = { _ in nil }
}

extension ScreenList {
  /// Returns the same rows with the state of another list.
  func standing(as other: ScreenList) -> ScreenList {
    var list = self
    (list.loads, list.refreshedAt) = (other.loads, other.refreshedAt)
    list.isFromCache = other.isFromCache
    return list
  }

  /// Creates a list from the rows of `all` that a filter leaves in `value`.
  init(_ value: ListValue<WatchedItem>, of all: ListValue<WatchedItem>) {
    var loads = value.state
    loads.total = all.state.total
    self.init(
      list: value.list, loads: loads, refreshedAt: value.refreshedAt,
      isFromCache: value.origin == .cache, count: value.items.count,
      has: { all.path(of: $0) != nil }
    ) { id in
      switch id {
      case .item(let id): value.path(of: id)
      case .gap(let gap): value.path(ofGap: gap)
      }
    }
  }
}
