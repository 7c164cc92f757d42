internal import FreshetLists

/// The part of live results in an identity map.
struct ResultsSharing: Sendable {
  let member: SharedMember

  /// Leaves the map.
  ///
  /// - Returns: the rest of the work, which takes time in proportion to the items.
  func leave(_ machine: ResultsMachine) -> @Sendable () -> Void {
    member.leave { machine.heldIDs }
  }

  /// Returns the newest versions of items that the store reports.
  func resolve(_ items: [AnyItem]) -> [AnyItem] {
    member.learn(items, after: nil, isReport: true)
  }

  /// Notes the changes of the list, and returns what happened in other lists.
  func exchange(_ machine: inout ResultsMachine) -> SharedNews {
    let changed = machine.takeChanged().map { ($0, machine.reported($0)) }
    let isLoading = machine.state.isLoading
    return member.hub.withItems { [number = member.number] items in
      items.note(number, isStoring: false, oldestRequest: isLoading ? 0 : nil)
      for (id, item) in changed {
        if let item { items.hold(item, by: number) } else { items.release(id, by: number) }
      }
      return items.takeNews(for: number)
    }
  }
}
