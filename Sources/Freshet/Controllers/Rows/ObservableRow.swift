public import FreshetLists
public import Observation

/// One row of a list: a view that reads it is updated only when that row changes.
///
/// ```swift
/// struct BookCell: View {
///   let row: ObservableRow<Book>  // feed.row(book.id)
///
///   var body: some View {
///     if let book = row.item {
///       Text(book.title).opacity(row.isPending ? 0.5 : 1)
///     }
///   }
/// }
/// ```
///
/// A controller returns the same object to all views of a row, and remembers it for as long as it
/// is held. It looks only at the objects of rows that changed.
@MainActor @Observable
public final class ObservableRow<Item: ListItem>: Identifiable {
  /// The id of the item.
  public nonisolated let id: Item.ID
  /// The item; `nil` while it is not on display.
  public internal(set) var item: Item?
  /// Whether the item has an edit that its source has not confirmed yet.
  public internal(set) var isPending: Bool

  init(id: Item.ID, item: Item?, isPending: Bool) {
    self.id = id
    self.item = item
    self.isPending = isPending
  }

  /// Shows another item, if it differs.
  func show(_ newItem: Item?) {
    if newItem != item { item = newItem }
  }

  func show(isPending newValue: Bool) {
    if newValue != isPending { isPending = newValue }
  }
}
