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

  /// Counts a fetch among the requests of all lists, and returns its number.
  func beginRequest() -> Int { member.hub.withItems { $0.beginRequest(of: member.number) } }

  /// Returns the newest versions of items of the store, without those that are deleted.
  ///
  /// - Parameters:
  ///   - reported: the items that changed in the store; the others are results of the fetch.
  ///   - last: the last request of any list before the first of these changes was received.
  ///   - request: the number of the fetch.
  func resolve(
    _ items: [AnyItem], reported: Set<RowID>, after last: Int, inAnswerTo request: Int
  ) -> [AnyItem] {
    let report = SharedItems.Moment(request: last, list: nil)
    let answer = SharedItems.Moment(request: request, list: member.number)
    return member.hub.applyInBatches(items) { [number = member.number] shared, item in
      shared.learn(item, at: reported.contains(item.id) ? report : answer, by: number)
    }.compactMap(\.self)
  }

  /// Notes the changes of the list, and returns what happened in other lists.
  func exchange(_ machine: inout ResultsMachine) -> SharedNews {
    let holdings = machine.takeChanged().compactMap { machine.holding(of: $0) }
    let awaited = machine.state.isLoading ? machine.requestNumber : nil
    member.record(holdings, isStoring: false)
    return member.hub.withItems { [number = member.number] items in
      items.setState(of: number, isStoring: false, oldestRequest: awaited)
      return items.takeNews(for: number)
    }
  }
}
