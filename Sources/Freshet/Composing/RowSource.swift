internal import FreshetLists

/// The source of the rows of a list that is derived from one list.
///
/// If that list is derived itself and has no sections, its rows are taken directly from its recipe.
/// The intermediate list is not built, and a chain of lists handles a change in one pass.
struct RowSource<Item: ListItem>: Sendable {
  /// The lists that supply the rows and receive the loads.
  let lists: [any LiveList]
  /// The closure that builds the rows.
  let rows: DerivedList<Item>.Recipe

  init(_ list: some LiveList<Item>) {
    let made = (list as? FilteredList<Item>)?.list ?? list as? DerivedList<Item>
    if let made, made.sections == nil {
      (lists, rows) = (made.lists, made.recipe)
    } else {
      // Sections decide the order of the rows, so they are read as the list publishes them.
      lists = [list]
      rows = { ObservedRows(list, wake: $0) }
    }
  }
}
