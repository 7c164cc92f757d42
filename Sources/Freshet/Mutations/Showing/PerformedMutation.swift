/// A mutation that an outbox accepted: it is stored, and will be sent.
public struct PerformedMutation: Identifiable, Equatable, Sendable {
  /// The id under which `Outbox.status` lists it until the source has answered.
  public let id: PendingMutation.ID
  /// Whether it inserts an item that no attached list displays.
  ///
  /// The filter or the limit of each list that it is for excludes the item, so the user does not
  /// see it. It is listed in `OutboxStatus.pending` all the same. It is `false` for other edits,
  /// and if no list is attached for the item.
  public let isExcluded: Bool
}

extension Outbox {
  /// Waits until the lists that have the edit of a mutation display it.
  ///
  /// - Returns: whether it is an insertion, and the filters of all lists exclude its item.
  func awaitDisplay(of mutation: OutboxMutation) async -> Bool {
    await awaitUpdates()
    let edits = state.withLock { $0.displayed[mutation.id] ?? [] }
    var isDisplayed = edits.isEmpty
    for edit in edits where await edit.isDisplayed() { isDisplayed = true }
    if isDisplayed || !mutation.isInsertion { return false }
    // Once it is answered, the item may have another id.
    return state.withLock { $0.queue[mutation.id] != nil }
  }
}
