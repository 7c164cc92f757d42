internal import FreshetLists

extension DerivedList {
  /// Loads the rows around a row of the whole list, such as where the user dragged a scroll bar.
  ///
  /// The index counts all rows of this list from its head: items of the source list, loaded or not,
  /// and separators between loaded items. A list that does not know how many rows are not loaded
  /// (`state.rowsAbove`), such as one with a filter, loads rows after its last one, if the index is
  /// not that of a loaded row. An empty list loads its head first.
  ///
  /// - Returns: the state of the gap or the edge that has the row, or had it; `idle` if the row is
  ///   loaded.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState {
    // What the source list has loaded meanwhile is taken in first: the row may be loaded by then.
    await eventQueue.ask { _ in }
    if value.rows.isEmpty {
      let state = await loadNext()
      if value.place(ofRowAt: index) == nil { return state }
    }
    guard let place = value.place(ofRowAt: index) else { return await loadNearest(toRowAt: index) }
    return await load(place)
  }
}

/// A list that loads rows by their places, which are the same in its source list.
private protocol PlacedRows: LiveList {
  func load(_ place: RowPlace) async -> LoadState
}

extension DerivedList: PlacedRows {
  fileprivate func load(_ place: RowPlace) async -> LoadState {
    guard lists.count == 1 else { return await loadNearest(to: place) }
    let outcome: LoadState
    if let list = lists[0] as? any PlacedRows {
      outcome = await list.load(place)
    } else if let row = lists[0].index(ofRow: place) {
      outcome = await lists[0].load(rowAt: row)
    } else {
      return await loadNearest(to: place)
    }
    await eventQueue.ask { _ in }
    return outcome
  }
}

extension LiveList {
  /// Returns the index of a row that is not loaded in the whole list, in the order of its source.
  ///
  /// It is `nil` if it is unknown how many rows are not loaded.
  fileprivate func index(ofRow place: RowPlace) -> Int? {
    let value = value
    guard let above = value.state.rowsAbove?.count else { return nil }
    if case .above(let row) = place { return row }
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
    guard case .below(let row) = place else { return nil }
    return index + rows.count - shown + row
  }
}
