internal import FreshetLists

/// The part of live results in an identity map.
struct ResultsSharing: Sendable {
  let member: SharedMember
  /// The store of the results; `nil` if it has no identity.
  let store: ObjectIdentifier?

  init(member: SharedMember, store: any Sendable) {
    self.member = member
    self.store = StoredFeed.identifier(of: store)
  }

  /// Returns whether a feed of the map has this name in the store, so that the map knows what the
  /// feed writes.
  func isEcho(of feed: String) -> Bool {
    store.map { member.hub.feeds.contains(StoredFeed(store: $0, name: feed)) } ?? false
  }

  /// Leaves the map.
  ///
  /// - Returns: the rest of the work, which takes time in proportion to the items.
  func leave(_ machine: ResultsMachine) -> @Sendable () -> Void {
    member.leave { machine.heldIDs }
  }

  /// Counts a fetch among the requests of all lists.
  ///
  /// - Parameter feeds: the feeds of the map that keep their rows in the store.
  func beginRequest(beside feeds: [StoredFeeds.Registration] = []) -> StoreFetch {
    member.hub.withItems { $0.beginRequest(of: member.number, beside: feeds.map(\.member)) }
  }

  /// The feeds of the map that keep their rows in the store.
  var feeds: [StoredFeeds.Registration] { store.map(member.hub.feeds.feeds) ?? [] }

  /// Returns the newest versions of items of the store, without those that are deleted.
  ///
  /// - Parameters:
  ///   - changes: the results of the fetch, and the later changes in the store.
  ///   - later: the later changes alone.
  ///   - last: the last request of any list before the first of these changes was received.
  ///   - fetch: the fetch.
  func resolve<Item>(
    _ changes: ChangeBatch<Item>, later: ChangeBatch<Item>, after last: Int, in fetch: StoreFetch
  ) -> [AnyItem] {
    let report = SharedItems.Moment(request: last, list: nil)
    let reported = Set(later.latest.lazy.map(\.id))
    let items = changes.latest.map { (id: $0.id, item: AnyItem($0)) }
    return member.hub.applyInBatches(items) { [number = member.number] shared, version in
      let (id, item) = version
      let moment =
        // The map knows what its feeds wrote, and as of which moment.
        changes.isEcho(id)
        ? .unknown
        : reported.contains(id) && !later.isEcho(id) ? report : shared.moment(of: item, in: fetch)
      return shared.learn(item, at: moment, by: number)
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
