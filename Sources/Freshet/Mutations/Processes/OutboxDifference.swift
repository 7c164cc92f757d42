/// The changes of what lists display, after the queue of an outbox was read again.
struct OutboxDifference: Sendable {
  /// The mutations that another process performed.
  var added: [OutboxMutation] = []
  /// Those that changed, or that belong on top of a new one.
  var changed: [OutboxMutation] = []
  /// The mutations that the source took.
  var answered: [String] = []
  /// The mutations that were discarded, or that are gone for an unknown reason.
  var undone: [String] = []

  init() {}

  /// - Parameter answers: whether the source took a mutation that was removed, by its id.
  init(from old: OutboxQueue, to new: OutboxQueue, _ answers: [String: Bool]) {
    // Edits apply in the order of their mutations.
    for mutation in new.all.map(\.mutation) {
      if let before = old[mutation.id]?.mutation {
        let isSame = before.json == mutation.json && before.target == mutation.target
        if !added.isEmpty || !isSame { changed.append(mutation) }
      } else {
        added.append(mutation)
      }
    }
    for mutation in old.all.map(\.mutation) where new[mutation.id] == nil {
      // The source shows a new item under the id that it gave to it.
      let hasOtherID = mutation.isInsertion && new.isRenamed(mutation.target)
      if answers[mutation.id] == true, !hasOtherID {
        answered.append(mutation.id)
      } else {
        undone.append(mutation.id)
      }
    }
  }
}
