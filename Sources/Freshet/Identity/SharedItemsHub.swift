internal import FreshetLists

/// The shell around `SharedItems`: its lock, and the lists to wake.
///
/// Lists post to each other through it. Under its lock run the user's closures that compare and
/// merge items, and no other code of lists.
final class SharedItemsHub: Sendable {
  private struct State {
    var items: SharedItems
    /// What wakes each list.
    var lists: [SharedItems.Member: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>
  /// The feeds that keep their rows in stores.
  let feeds = StoredFeeds()

  init(_ items: SharedItems) { state = Locked(State(items: items)) }

  /// Adds a list.
  ///
  /// - Parameter wake: makes the list take its news in; called on any thread.
  func join(_ wake: @escaping @Sendable () -> Void) -> SharedItems.Member {
    state.withLock { state in
      let member = state.items.addMember()
      state.lists[member] = wake
      return member
    }
  }

  /// Removes a list; its items are to be released afterwards.
  func leave(_ member: SharedItems.Member) {
    state.withLock { state in
      state.lists[member] = nil
      state.items.remove(member)
    }
  }

  /// Notes that a list no longer holds some items.
  func release(_ ids: [RowID], by member: SharedItems.Member) {
    applyInBatches(ids) { items, id in items.release(id, by: member) }
  }

  /// Applies a function to each value.
  ///
  /// The lock is released after every 1,024 values, so that other lists can run.
  @discardableResult
  func applyInBatches<Value: Sendable, Answer: Sendable>(
    _ values: [Value], _ body: (inout SharedItems, Value) -> Answer
  ) -> [Answer] {
    var answers: [Answer] = []
    answers.reserveCapacity(values.count)
    for start in stride(from: 0, to: values.count, by: 1024) {
      state.withLock { state in
        for value in values[start..<min(start + 1024, values.count)] {
          answers.append(body(&state.items, value))
        }
      }
    }
    return answers
  }

  /// Changes or reads the items.
  func withItems<Answer: Sendable>(
    _ body: (inout sending SharedItems) -> sending Answer
  ) -> Answer {
    state.withLock { body(&$0.items) }
  }

  /// Wakes the lists that have something to take in.
  func wake() {
    let lists = state.withLock { state in
      state.items.takeAnnounced().compactMap { state.lists[$0] }
    }
    for list in lists { list() }
  }

  // MARK: - News that belongs to no list

  func item(_ id: RowID) -> AnyItem? { withItems { $0.item(id) } }

  func report(_ item: AnyItem) {
    withItems { items in
      _ = items.learn(
        item, at: SharedItems.Moment(request: items.lastRequest, list: nil), by: nil)
    }
    wake()
  }

  func delete(_ id: RowID) {
    withItems { $0.delete(id, by: nil) }
    wake()
  }
}
