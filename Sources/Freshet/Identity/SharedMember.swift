internal import FreshetLists

/// The part of one list in an identity map.
struct SharedMember: Sendable {
  let hub: SharedItemsHub
  let number: SharedItems.Member

  /// Joins an identity map.
  ///
  /// - Parameter wake: makes the list take its news in; called on any thread.
  init(_ hub: SharedItemsHub, wake: @escaping @Sendable () -> Void) {
    self.hub = hub
    number = hub.join(wake)
  }

  /// Leaves the map.
  ///
  /// - Parameter ids: returns the items that the list holds.
  /// - Returns: the rest of the work, which takes time in proportion to the items.
  func leave(releasing ids: @escaping @Sendable () -> [RowID]) -> @Sendable () -> Void {
    hub.leave(number)
    return { hub.release(ids(), by: number) }
  }

  /// Returns a number for an edit or a piece of news, which no list of the map has used.
  func newNumber() -> Int { hub.withItems { $0.newNumber() } }

  /// The last request of any list of the map.
  var lastRequest: Int { hub.withItems(\.lastRequest) }

  /// Wakes the other lists that have something to take in.
  func wakeOthers() { hub.wake() }

  /// Takes in the items of an answer, and returns their newest versions.
  ///
  /// An item that the source has deleted since is `nil`.
  func learn(_ items: [AnyItem], inAnswerTo request: Int) -> [AnyItem?] {
    let moment = SharedItems.Moment(request: request, list: number)
    return hub.applyInBatches(items) { shared, item in shared.learn(item, at: moment, by: number) }
  }

  /// Takes in an item that the source reported, and returns its newest version.
  ///
  /// - Parameter request: the last request that any list had made before.
  func learn(_ item: AnyItem, after request: Int) -> AnyItem {
    let moment = SharedItems.Moment(request: request, list: nil)
    return hub.withItems { $0.learn(item, at: moment, by: number) } ?? item
  }

  /// Records what the list holds of items.
  ///
  /// Other lists may run in between. Until the state of the list is set, it takes in each item that
  /// they learn.
  func record(_ holdings: [SharedItems.Holding], isStoring: Bool) {
    if isStoring || holdings.count > 1 { hub.withItems { $0.receiveAllItems(number) } }
    hub.applyInBatches(holdings) { items, holding in items.record(holding, of: number) }
  }

  /// Removes an item that the source deleted from the other lists.
  func delete(_ id: RowID) { hub.withItems { $0.delete(id, by: number) } }

  // MARK: - Edits

  /// Shows an edit in the other lists, too.
  func begin(_ edit: OptimisticEdit, token: Int) {
    hub.withItems { $0.begin(edit, token: token, by: number) }
  }

  /// Ends an edit that the source confirmed.
  ///
  /// - Parameter outcome: the item after the edit.
  func confirm(_ token: Int, as outcome: ConfirmedEdit) {
    hub.withItems { $0.confirm(token, as: outcome, by: number) }
  }

  /// Ends an edit that the source rejected.
  func undo(_ token: Int) { hub.withItems { $0.undo(token) } }
}
