internal import FreshetLists

/// Where a row of the whole list is: loaded, or its offset in the rows that are not loaded, above
/// the list, in a gap, or below the list.
///
/// Unlike an index, it is the same in a list and in those that show its items with separators.
enum RowPlace {
  case loaded
  case above(Int)
  case gap(Gap.ID, Int)
  case below(Int)
}

extension ListValue {
  /// Returns the place of the row at an index of the whole list, as it is shown.
  ///
  /// It is `nil` if it is unknown how many rows are not loaded.
  ///
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  func place(ofRowAt index: Int) -> RowPlace? {
    let index = min(index, RowTotal.limit)
    guard let above = state.rowsAbove?.count, state.newItems == 0, index >= 0 else { return nil }
    if index < above { return .above(index) }
    let gaps = state.gaps.keys.compactMap { id in
      path(ofGap: id).map { (id: id, row: list.rowsAbove($0.section) + $0.row) }
    }
    // The index of the next row, counting each gap by its size.
    var rows = above
    var shown = 0
    for gap in gaps.sorted(by: { $0.row < $1.row }) {
      guard let size = state.gapSizes[gap.id]?.count else { return nil }
      rows += gap.row - shown
      if index < rows { return .loaded }
      if index < rows + size { return .gap(gap.id, index - rows) }
      rows += size
      shown = gap.row + 1
    }
    rows += list.count - shown
    return index < rows ? .loaded : .below(index - rows)
  }
}

extension LiveList {
  /// Loads rows from the nearest loaded one to a row of the whole list.
  ///
  /// A list that does not know how many rows are not loaded loads rows after the last one, if the
  /// index is beyond it.
  ///
  /// - Returns: the state of the gap or the edge that has the row, or had it; `idle` if the row is
  ///   loaded.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState { await loadNearest(toRowAt: index) }

  func loadNearest(toRowAt index: Int) async -> LoadState {
    let value = value
    if let place = value.place(ofRowAt: index) { return await loadNearest(to: place) }
    return index < value.rows.count ? .idle : await loadNext()
  }

  func loadNearest(to place: RowPlace) async -> LoadState {
    switch place {
    case .loaded: return .idle
    case .above: return await loadPrevious()
    case .gap(let id, let row):
      let isNearTop = row < (value.state.gapSizes[id]?.count ?? 0) / 2
      return await load(Gap(id: id), from: isNearTop ? .above : .below)
    case .below: return await loadNext()
    }
  }
}
