public import FreshetLists
public import Observation

/// One row as a view sees it: who reads it hears of changes of that row, whatever becomes of the
/// others.
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
/// A controller gives the same handle to all who ask for a row, remembers it for as long as
/// somebody holds it, and looks only at the handles of rows that changed.
@MainActor @Observable
public final class ObservableRow<Item: ListItem>: Identifiable {
  /// The id of the item.
  public nonisolated let id: Item.ID
  /// The item; `nil` while it is not on display.
  public internal(set) var item: Item?
  /// Whether there is an edit of it that its source has not taken yet.
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
