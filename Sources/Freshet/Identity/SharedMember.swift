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

  /// Takes in what the list learned of items, and returns their newest versions.
  ///
  /// - Parameter request: the last request that was made before; `nil` for that of any list.
  func learn(_ items: [AnyItem], after request: Int?, isReport: Bool) -> [AnyItem] {
    hub.withItems { shared in
      let moment = SharedItems.Moment(request: request ?? shared.lastRequest, isReport: isReport)
      return items.map { shared.learn($0, at: moment, by: number) }
    }
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
