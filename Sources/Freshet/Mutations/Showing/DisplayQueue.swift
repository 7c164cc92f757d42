/// The changes of what lists display, performed one at a time in the order of the mutations.
///
/// They are added under the lock that numbers the mutations, and performed without it. So the edits
/// of two threads are displayed in the order in which they are sent.
struct DisplayQueue: Sendable {
  enum Change: Sendable {
    /// Displays mutations in lists.
    case show([OutboxMutation], in: [AttachedList])
    /// Displays a mutation as it is now, on top of the edits that are on display.
    case renew(OutboxMutation)
  }

  private var changes: [Change] = []
  private var isAtWork = false

  mutating func add(_ change: Change) { changes.append(change) }

  /// Returns whether the caller has to perform the changes: no other thread does it.
  mutating func begin() -> Bool {
    if isAtWork || changes.isEmpty { return false }
    isAtWork = true
    return true
  }

  /// Takes the changes to perform next; none end the work.
  mutating func take() -> [Change] {
    isAtWork = !changes.isEmpty
    defer { changes = [] }
    return changes
  }
}

extension Outbox {
  /// Performs the changes of what lists display.
  ///
  /// If another thread does that already, it performs those of the caller, too.
  func updateLists() {
    guard state.withLock({ $0.displays.begin() }) else { return }
    while true {
      let changes = state.withLock { $0.displays.take() }
      if changes.isEmpty { return }
      for change in changes {
        switch change {
        case .show(let mutations, let lists):
          for mutation in mutations { display(mutation, in: lists) }
        case .renew(let mutation):
          let old = takeDisplayed(mutation.id)
          display(mutation, in: state.withLock { $0.lists })
          Task { for edit in old { await edit.undo() } }
        }
      }
    }
  }

  /// Displays a mutation as it is now, on top of the edits that are on display.
  func displayAgain(_ mutation: OutboxMutation) {
    state.withLock { $0.displays.add(.renew(mutation)) }
    updateLists()
  }
}
