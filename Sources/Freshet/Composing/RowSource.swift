internal import FreshetLists

/// Where a list that is made of one takes its rows from, and whose rows those are.
///
/// The rows of a list that is itself made of others are taken as they are made: nothing is shown on
/// the way that nobody sees, and a chain of lists takes a change in as one.
struct RowSource<Item: ListItem>: Sendable {
  /// The lists that rows come from and that loads go to.
  let lists: [any LiveList]
  /// How rows are made.
  let rows: DerivedList<Item>.Recipe

  init(_ list: some LiveList<Item>) {
    let made = (list as? FilteredList<Item>)?.list ?? list as? DerivedList<Item>
    if let made, made.sections == nil {
      (lists, rows) = (made.lists, made.recipe)
    } else {
      // Sections decide the order of the rows: they are taken as they are shown.
      lists = [list]
      rows = { ObservedRows(list, wake: $0) }
    }
  }
}
