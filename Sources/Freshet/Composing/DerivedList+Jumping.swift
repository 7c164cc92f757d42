internal import FreshetLists

extension DerivedList {
  /// Loads the rows around a row of the whole list, such as where the user dragged a scroll bar.
  ///
  /// The index counts all rows of this list from its head: items of the source list, loaded or not,
  /// and separators between loaded items. A list with a filter does not know how many rows are not
  /// loaded (`state.rowsAbove`). It loads rows after its last one, if the index is beyond that.
  ///
  /// - Returns: the state of the gap or the edge that has the row, or had it; `idle` if the row is
  ///   loaded.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState {
    if lists.count == 1, lists[0].rowsShown == 0 { await lists[0].loadNext() }
    guard lists.count == 1, let place = value.place(ofRowAt: index),
      let row = lists[0].index(ofRow: place)
    else { return await loadNearest(toRowAt: index) }
    let outcome = await lists[0].load(rowAt: row)
    await eventQueue.ask { _ in }
    return outcome
  }
}

extension LiveList {
  /// Returns the index of a row in the whole list, in the order of its source.
  ///
  /// It is `nil` if it is unknown how many rows are not loaded.
  fileprivate func index(ofRow place: RowPlace) -> Int? {
    let value = publisher.value
    guard let above = value.state.rowsAbove?.count else { return nil }
    let rows = value.sourceRows
    var index = above
    var shown = 0
    for gap in value.contents.gaps {
      guard let id = rows[gap].gap?.id, let size = value.state.gapSizes[id]?.count else {
        return nil
      }
      index += gap - shown
      if case .gap(id, let row) = place { return index + min(row, max(0, size - 1)) }
      index += size
      shown = gap + 1
    }
    return switch place {
    case .above(let row): row
    case .below(let row): index + rows.count - shown + row
    case .gap, .loaded: nil
    }
  }
}
