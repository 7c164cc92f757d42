internal import FreshetLists

/// Items that come one by one, in a list whose order is known.
extension Timeline {
  typealias Order = @Sendable (AnyItem, AnyItem) -> Bool

  /// The index where an item belongs: its own where it stands right, or that of the row it belongs
  /// before; `nil` where it belongs into a gap or beyond the rows that are loaded, and
  /// before the first answer.
  ///
  /// Rows that an edit put there are passed over: they may stand anywhere.
  ///
  /// - Complexity: O(log *n*), times the length of a run of such rows or gaps.
  func index(for item: AnyItem, by order: Order) -> Int? {
    let own = index(of: item.id)
    if let own, let old = rows[own].item, !order(item, old), !order(old, item) { return own }
    let index = position(of: item, movingFrom: own, by: order)
    guard isLoaded(at: index) else { return nil }
    // Right behind its own place is its own place.
    return own.map { $0 + 1 } == index ? own : index
  }

  /// The index of the first row that an item belongs before, or of the gap above that row.
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

  /// The rows around the place of an item whose keys may lead past it: another row began or ended
  /// the page, which went or changed.
  ///
  /// Without those keys the way there leads from further up, and reads what is known once more.
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

  /// Whether a run would have an item if the list did.
  func isCovered(_ item: AnyItem, by run: Run, at place: RunPlace, in order: Order) -> Bool {
    if run.items.isEmpty, !run.isEnd { return false }
    let first = run.items.first ?? run.after.flatMap { self.item($0) }
    let isBelow = place == .head || first.map { order($0, item) } ?? false
    return isBelow && (run.isEnd || run.items.last.map { order(item, $0) } ?? false)
  }

  /// Whether the rows that belong before the one at an index are loaded: not between two rows that
  /// are not proven to be neighbours, nor before the first answer.
  ///
  /// Rows that an edit put there say nothing of what is around them.
  private func isLoaded(at index: Int) -> Bool {
    var (above, below) = (index, index)
    while above > 0, isMade(rows[above - 1]) { above -= 1 }
    while below < count, isMade(rows[below]) { below += 1 }
    if above == 0 ? head == .open : rows[above - 1].gap != nil { return false }
    return below == count ? tail == .end : rows[below].gap == nil
  }

  /// Whether an edit put a row there, or may have before another launch, and no answer has included
  /// it.
  private func isMade(_ row: ListRow<AnyItem>) -> Bool {
    guard !unproven.isEmpty, let id = row.item?.id else { return false }
    return !isProven(id) && trace(of: id)?.cause != .event
  }

  /// The items among some rows that an edit put there.
  ///
  /// - Complexity: O(*k*) for *k* rows that no answer included.
  func madeRows(in range: Range<Int>) -> [AnyItem] {
    unprovenIndices.flatMap { $0.clamped(to: range) }
      .compactMap { isMade(rows[$0]) ? rows[$0].item : nil }
  }
}
