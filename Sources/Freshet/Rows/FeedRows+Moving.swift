internal import FreshetLists
internal import struct Foundation.Date

/// A move of an item that is not loaded yet, or that is to be after such an item.
struct UnplacedMove: Sendable {
  let id: RowID
  let other: RowID?
}

// Moves by hand that are sent to the source.
extension FeedRows {
  /// Shows a move while it is sent.
  ///
  /// In a list whose order is known, the item stays at its position.
  ///
  /// - Returns: `nil` if it is shown once the items are loaded, such as after a relaunch.
  mutating func begin(
    _ move: UnplacedMove, token: Int, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    guard isPlaceable(move) else {
      unplacedMoves[token] = move
      return nil
    }
    if order == nil {
      let slot = presentation.slot(behind: move.other, in: timeline)
      presentation.overlay.place(move.id, at: slot)
    }
    presentation.overlay.edits.begin(
      PendingEdits.Edit(
        token: token, change: .move(as: nil), isPlaced: order == nil, since: requests.newest,
        cause: .edit),
      of: move.id)
    return change(.edit, at: now)
  }

  /// Removes and returns the moves whose items are loaded by now, the first one first.
  ///
  /// - Complexity: O(1) if there are none.
  mutating func takePlaceableMoves() -> [(token: Int, move: UnplacedMove)] {
    if unplacedMoves.isEmpty { return [] }
    let ready = unplacedMoves.filter { isPlaceable($0.value) }.sorted { $0.key < $1.key }
    for (token, _) in ready { unplacedMoves[token] = nil }
    return ready.map { (token: $0.key, move: $0.value) }
  }

  private func isPlaceable(_ move: UnplacedMove) -> Bool {
    guard move.id != move.other else { return false }
    return [move.id, move.other].allSatisfy { id in
      id.map { presentation.overlay.index(of: $0, in: timeline) != nil } ?? true
    }
  }
}
