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
    /// Resumes a caller once all changes before are performed.
    case notify(CheckedContinuation<Void, Never>)
  }

  private var changes: [Change] = []
  private var isAtWork = false
  /// The edits that were replaced and are being undone, by numbers.
  private(set) var undoing: [Int: Task<Void, Never>] = [:]
  private var lastUndo = 0

  mutating func add(_ change: Change) { changes.append(change) }

  /// Notes that replaced edits are being undone.
  ///
  /// - Parameter undo: returns the task that undoes them, and then notes its end by its number.
  mutating func beginUndo(_ undo: (_ number: Int) -> Task<Void, Never>) {
    lastUndo += 1
    undoing[lastUndo] = undo(lastUndo)
  }

  mutating func endUndo(_ number: Int) { undoing[number] = nil }

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
          if old.isEmpty { continue }
          state.withLock { state in
            state.displays.beginUndo { number in
              Task { [weak self] in
                for edit in old { await edit.undo() }
                self?.state.withLock { $0.displays.endUndo(number) }
              }
            }
          }
        case .notify(let caller): caller.resume()
        }
      }
    }
  }

  /// Returns once the lists were given all changes before, and no longer have replaced edits.
  func awaitUpdates() async {
    await withCheckedContinuation { caller in
      state.withLock { $0.displays.add(.notify(caller)) }
      updateLists()
    }
    for undo in state.withLock({ $0.displays.undoing.values }) { await undo.value }
  }

  /// Displays a mutation as it is now, on top of the edits that are on display.
  func displayAgain(_ mutation: OutboxMutation) {
    state.withLock { $0.displays.add(.renew(mutation)) }
    updateLists()
  }
}
