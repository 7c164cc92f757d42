internal import FreshetLists

/// The rows of a feed that shares its items, as far as its identity map has to know of them.
struct SharedRows: Sendable {
  /// The changes of the rows that the map has not followed yet.
  private var changes: [RowChange] = []
  /// The items of answers and events that are not in the timeline yet.
  ///
  /// The map holds them, so that no older version takes their place meanwhile.
  private var arrived: Set<RowID> = []
  /// The items of the last answer, which may wait for more pages before they are shown.
  private var answered: [RowID] = []

  /// Whether the map holds items that are not in the timeline.
  var isAwaiting: Bool { !arrived.isEmpty }

  mutating func note(_ change: RowChange) { changes.append(change) }

  mutating func note(arrived ids: [RowID]) {
    arrived.formUnion(ids)
    answered += ids
  }

  /// Returns the items of the answers since the last call.
  mutating func takeAnswered() -> [RowID] {
    defer { answered = [] }
    return answered
  }

  /// Returns the changes since the last call.
  mutating func takeChanges() -> [RowChange] {
    defer { changes = [] }
    return changes
  }

  /// Returns the items that arrived, and that are not awaited any more.
  mutating func takeArrived(unless isAwaited: (RowID) -> Bool) -> [RowID] {
    let gone = arrived.filter { !isAwaited($0) }
    arrived.subtract(gone)
    return Array(gone)
  }

  /// Returns the items that the map holds besides those in the timeline.
  var ids: Set<RowID> { arrived }
}
