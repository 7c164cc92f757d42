internal import FreshetLists

/// An index of the gaps by the orders of their rows.
struct GapIndex: Sendable {
  private var orders: [Gap.ID: RowOrder] = [:]
  /// The same orders, ascending.
  private(set) var ascending = CountedTree<RowOrder>()

  /// The order of a gap; `nil` if there is no such gap.
  ///
  /// - Complexity: O(1) to read, O(log *n*) to change.
  subscript(gap: Gap.ID) -> RowOrder? {
    get {
      WorkCount.note()
      return orders[gap]
    }
    set {
      if let old = orders[gap] { ascending.remove(at: place(of: old)) }
      if let newValue { ascending.insert(newValue, at: place(of: newValue)) }
      orders[gap] = newValue
    }
  }

  var count: Int { orders.count }
  var isEmpty: Bool { orders.isEmpty }
  /// The gaps, in no particular order.
  var keys: Dictionary<Gap.ID, RowOrder>.Keys {
    WorkCount.note(count)
    return orders.keys
  }

  /// Returns the order of the first gap at or after an order.
  ///
  /// - Complexity: O(log *n*).
  func first(from order: RowOrder) -> RowOrder? {
    let place = place(of: order)
    return place < ascending.count ? ascending[place] : nil
  }

  /// Returns which of the gaps, counted from the first one, have orders in a range.
  ///
  /// - Complexity: O(log *n*).
  func places(in range: ClosedRange<RowOrder>) -> Range<Int> {
    WorkCount.note()
    return place(of: range.lowerBound)..<ascending.partitioningIndex { $0 > range.upperBound }
  }

  private func place(of order: RowOrder) -> Int { ascending.partitioningIndex { $0 >= order } }
}

extension Timeline {
  /// Returns how many gaps there are among rows.
  ///
  /// - Complexity: O(log *n*).
  func gapCount(in rows: Range<Int>) -> Int {
    if rows.isEmpty || gaps.isEmpty { return 0 }
    return gaps.places(in: content.orders[rows.lowerBound]...content.orders[rows.upperBound - 1])
      .count
  }

  /// Returns the last gap above an index, with its index.
  ///
  /// - Complexity: O(log *n*).
  func lastGap(above index: Int) -> (gap: Gap, index: Int)? {
    if index <= 0 || gaps.isEmpty { return nil }
    let orders = gaps.ascending
    let places = gaps.places(in: orders[0]...max(orders[0], content.orders[index - 1]))
    guard let place = places.last else { return nil }
    let row = content.index(of: orders[place])
    return row < index ? rows[row].gap.map { ($0, row) } : nil
  }

  /// Returns the gaps among rows, with their indices.
  ///
  /// - Complexity: O(*k* log *n*) for *k* gaps.
  func gaps(in rows: Range<Int>) -> [(gap: Gap, index: Int)] {
    if rows.isEmpty || gaps.isEmpty { return [] }
    let range = content.orders[rows.lowerBound]...content.orders[rows.upperBound - 1]
    return gaps.places(in: range).compactMap { place in
      WorkCount.note()
      let index = content.index(of: gaps.ascending[place])
      return self.rows[index].gap.map { ($0, index) }
    }
  }

  /// Removes gaps that are not needed.
  ///
  /// Two gaps without a row between them are one gap. A gap at either end only shows that the end
  /// is open, so it is not needed. A gap that represents rows on disk stays.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows changed: all other gaps keep their neighbours.
  mutating func dropNeedlessGaps(_ edit: inout TimelineEdit) {
    var end = count
    while end > 0, rows[end - 1].isEmptyGap { end -= 1 }
    var needless = Set(end..<count)
    for index in placesBesideChanges(edit) where index < end && rows[index].isEmptyGap {
      if index == 0 || rows[index - 1].gap != nil { needless.insert(index) }
    }
    if needless.isEmpty { return }
    if needless.contains(0), end > 0 { setEnds(.open, nil, &edit) }
    if end < count { setEnds(nil, .open, &edit) }
    drop(needless.sorted().map { (content.orders[$0], rows[$0]) }, &edit)
  }

  /// Returns the indices of the rows that changed or follow a row that did.
  private func placesBesideChanges(_ edit: TimelineEdit) -> Set<Int> {
    if gaps.isEmpty { return [] }
    var places = Set(edit.removed.lazy.map { content.index(of: $0.order) })
    places.formUnion(edit.updated.lazy.map { content.index(of: $0.order) })
    for (order, _) in edit.inserted {
      let index = content.index(of: order)
      places.formUnion([index, index + 1])
    }
    return places
  }
}

extension ListRow {
  /// Whether the row is a gap that represents nothing on disk.
  fileprivate var isEmptyGap: Bool { gap.map { !$0.isStored } ?? false }
}
