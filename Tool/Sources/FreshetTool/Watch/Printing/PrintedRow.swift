import Freshet

/// A row that is printed: an item, or the row of a feed that holds one.
protocol PrintedRow: ListItem {
  /// The item; `nil` for a gap, which is not printed.
  var item: WatchedItem? { get }
}

extension WatchedItem: PrintedRow {
  var item: WatchedItem? { self }
}

extension ListRow: PrintedRow where Item == WatchedItem {}
