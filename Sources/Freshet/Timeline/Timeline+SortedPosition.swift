internal import FreshetLists

/// Items that are inserted one by one, in a list whose order is known.
extension Timeline {
  typealias Order = @Sendable (AnyItem, AnyItem) -> Bool

  /// Returns the index at which an item belongs: its own if right, or that of the next row.
  ///
  /// It is `nil` if the item belongs into a gap or beyond the loaded rows, or if no answer has
  /// arrived yet. Rows that an edit inserted are passed over, because they may be anywhere.
  ///
  /// - Complexity: O(log *n*), times the length of a run of such rows or gaps.
  func index(for item: AnyItem, by order: Order) -> Int? {
    let own = index(of: item.id)
    if let own, let old = rows[own].item, !order(item, old), !order(old, item) { return own }
    let index = position(of: item, movingFrom: own, by: order)
    guard isLoaded(at: index) else { return nil }
    // The index right after its own place is its own place.
    return own.map { $0 + 1 } == index ? own : index
  }

  /// Returns the index of the first row that an item belongs before, or of the gap above that row.
  private func position(of item: AnyItem, movingFrom own: Int?, by order: Order) -> Int {
    var (low, high) = (0, count)
    if let own, let old = rows[own].item, !isMade(rows[own]) {
      if order(item, old) { high = own } else { low = own + 1 }
    }
    while low < high {
      let middle = (low + high) / 2
      let next = (middle..<high).first { rows[$0].item != nil && !isMade(rows[$0]) }
      if let next, let row = rows[next].item, !order(item, row) {
        low = next + 1
      } else {
        high = middle
      }
    }
    while low < count, let row = rows[low].item, isMade(rows[low]), order(row, item) { low += 1 }
    return low
  }

  /// Returns the rows around an item's place whose page keys may lead past it.
  ///
  /// The row that began or ended their page was another one, which was removed or changed. Without
  /// those keys, the place is reached from further up, and some known rows are read again.
  func inexactKeys(
    around item: AnyItem, by order: Order
  ) -> (next: [RowID], previous: [RowID]) {
    let own = index(of: item.id)
    if let own, let old = rows[own].item, !order(item, old), !order(old, item) { return ([], []) }
    let index = position(of: item, movingFrom: own, by: order)
    var (above, below) = (index - 1, index)
    while above > 0, isMade(rows[above]) { above -= 1 }
    while below < count, rows[below].gap != nil || isMade(rows[below]) { below += 1 }
    func ids(_ range: Range<Int>, _ isInexact: (RowID) -> Bool) -> [RowID] {
      range.clamped(to: 0..<count).compactMap { itemID(at: $0) }.filter(isInexact)
    }
    return (
      ids(above..<below) { marks[$0].map { $0.next != nil && !$0.isNextExact } ?? false },
      ids((above + 1)..<(below + 1)) {
        marks[$0].map { $0.previous != nil && !$0.isPreviousExact } ?? false
      }
    )
  }

  /// Returns whether a run would include an item if the list had it.
  func isCovered(_ item: AnyItem, by run: Run, at place: RunPlace, in order: Order) -> Bool {
    if run.items.isEmpty, !run.isEnd { return false }
    let first = run.items.first ?? run.after.flatMap { self.item($0) }
    let isBelow = place == .head || first.map { order($0, item) } ?? false
    return isBelow && (run.isEnd || run.items.last.map { order(item, $0) } ?? false)
  }

  /// Returns whether the rows that belong before the row at an index are loaded.
  ///
  /// They are not loaded between two rows that are not proven neighbours, or if no answer has
  /// arrived yet. Rows that an edit inserted are no evidence of the rows around them.
  private func isLoaded(at index: Int) -> Bool {
    var (above, below) = (index, index)
    while above > 0, isMade(rows[above - 1]) { above -= 1 }
    while below < count, isMade(rows[below]) { below += 1 }
    if above == 0 ? head == .open : rows[above - 1].gap != nil { return false }
    return below == count ? tail == .end : rows[below].gap == nil
  }

  /// Returns whether an edit inserted a row, and no answer has included it.
  ///
  /// It is also `true` for a row that an edit may have inserted before a relaunch.
  private func isMade(_ row: ListRow<AnyItem>) -> Bool {
    guard !unproven.isEmpty, let id = row.item?.id else { return false }
    return !isProven(id) && trace(of: id)?.cause != .event
  }

  /// Returns the items among some rows that an edit inserted there.
  ///
  /// - Complexity: O(*k*) for *k* rows that no answer included.
  func madeRows(in range: Range<Int>) -> [AnyItem] {
    unprovenIndices.flatMap { $0.clamped(to: range) }
      .compactMap { isMade(rows[$0]) ? rows[$0].item : nil }
  }
}
