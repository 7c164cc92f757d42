internal import FreshetLists

/// What a list is to take in from the other lists of its identity map.
struct SharedNews: Sendable {
  /// What happened to an edit or an item in another list.
  enum Notice: Sendable {
    case begin(OptimisticEdit, token: Int)
    /// The source took an edit, after which the item is known like this.
    case confirm(Int, as: AnyItem?)
    case undo(Int)
    /// The source deleted an item, after a request.
    case delete(RowID, token: Int)
  }

  /// The notices in their order.
  var notices: [Notice] = []
  /// The newest versions of items, each with the last request made before.
  var items: [FeedRows.News] = []

  var isEmpty: Bool { notices.isEmpty && items.isEmpty }
}
