internal import FreshetLists

/// The rows of a timeline that are shown: all of them, or those below the rows that wait.
struct ShownRows<Item: ListItem>: Sendable {
  var content = OrderedRows<FeedRow<Item>>()
  /// The order of each gap among them.
  var gaps: [Gap.ID: RowOrder] = [:]

  /// The items, without the gaps.
  var items: FeedItems<Item> {
    FeedItems(rows: content.rows, gaps: gaps.values.map(content.index(of:)).sorted())
  }
}

extension Timeline {
  /// What is shown.
  ///
  /// - Complexity: O(log *n* + gaps).
  var shown: ShownRows<Item> {
    guard let fold else { return ShownRows(content: content, gaps: gaps) }
    return ShownRows(content: content.below(fold), gaps: gaps.filter { $0.value >= fold })
  }

  /// The rows that wait above a fold.
  func rows(above fold: RowOrder) -> [(order: RowOrder, row: FeedRow<Item>)] {
    let waiting = 0..<content.index(of: fold)
    return zip(content.orders.slice(waiting), content.rows.slice(waiting)).map { ($0, $1) }
  }

  /// How many items wait above the fold.
  var waitingItems: Int {
    guard let fold else { return 0 }
    return content.index(of: fold) - gaps.count { $0.value < fold }
  }
}

extension OrderedRows {
  /// The rows from an order on.
  func below(_ order: RowOrder) -> OrderedRows {
    var rows = self
    rows.removeFirst(index(of: order))
    return rows
  }
}

extension TimelineEdit {
  /// The part of an edit that is shown.
  func below(_ fold: RowOrder?, since oldFold: RowOrder?) -> TimelineEdit {
    var edit = self
    if let oldFold {
      edit.removed.removeAll { $0.order < oldFold }
      edit.updated.removeAll { $0.order < oldFold }
    }
    if let fold { edit.inserted.removeAll { $0.order < fold } }
    return edit
  }
}
