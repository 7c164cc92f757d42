internal import FreshetLists

/// What live results decide, as a pure value: which batch counts, what goes when a fetch begins
/// anew.
struct ResultsMachine<Item: ListItem>: Sendable {
  var list: SortedList<Item>
  private(set) var value = ResultsValue<Item>()
  /// Which fetch is running: what belongs to an earlier one has no effect (rule R2).
  private(set) var fetch = 0
  /// The items that the running fetch found so far; `nil` where none can be missing: its initial
  /// results are there, or nothing was shown before.
  private var found: Set<Item.ID>?
  /// Whether the first results take the place of all that is shown.
  private var replaces = false
  /// Whether it is a preview: nothing that is fetched changes it.
  private(set) var isFixed = false

  init(arrangement: Arrangement<Item>) { list = SortedList(arrangement: arrangement) }

  /// A fetch begins.
  ///
  /// - Parameter isSame: whether it asks for the same as the one before: then what is shown stays
  ///   until it is complete, else until its first results.
  mutating func begin(isSame: Bool, arrangement: Arrangement<Item>?) -> ResultsUpdate<Item>? {
    if isFixed { return nil }
    fetch += 1
    value.state = .loading
    value.progress = nil
    value.interruption = nil
    (value.invalidItems, value.invalidItem) = (0, nil)
    found = list.count == 0 ? nil : []
    // What was shown before this query and the one like it before goes, however often it is asked
    // for.
    replaces = list.count > 0 && (!isSame || replaces)
    guard let arrangement else { return nil }
    return update(list.arrange(arrangement))
  }

  /// Changes arrived.
  mutating func receive(
    _ batch: ChangeBatch<Item>, _ status: QueryStatus, of fetch: Int
  ) -> ResultsUpdate<Item>? {
    guard fetch == self.fetch, !isFixed else { return nil }
    value.progress = status.progress
    value.interruption = status.interruption
    (value.invalidItems, value.invalidItem) = (status.invalidItems, status.invalidItem)
    let upserted = batch.latest
    var removed = batch.deleted
    found?.formUnion(upserted.lazy.map(\.id))
    if let found, status.isComplete || replaces && !batch.isEmpty {
      removed += list.ids.lazy.filter { !found.contains($0) }
      self.found = nil
      replaces = false
    }
    if status.isComplete { value.state = .loaded }
    return update(list.change(upserting: upserted, removing: removed))
  }

  /// The query returned, or failed.
  mutating func end(_ error: (any Error)?, of fetch: Int) {
    guard fetch == self.fetch, !isFixed, let error else { return }
    value.state = .failed(error)
    value.progress = nil
    value.interruption = nil
    found = nil
  }

  /// The query is stopped: what is shown stays, and what it says from now on has no effect (rule
  /// R2).
  mutating func stop() {
    fetch += 1
    if value.state.isLoading { value.state = list.count == 0 ? .initial : .loaded }
    value.progress = nil
    value.interruption = nil
    found = nil
  }

  /// The items are laid out in another way.
  mutating func arrange(_ arrangement: Arrangement<Item>) -> ResultsUpdate<Item>? {
    update(list.arrange(arrangement))
  }

  /// Shows items that no store sent, in a state that nothing led to and nothing fetched changes.
  mutating func show(_ items: [Item], in state: ResultsState) -> ResultsUpdate<Item>? {
    isFixed = true
    value.state = state
    return update(list.change(upserting: items))
  }

  private mutating func update(_ update: ListUpdate<Item>?) -> ResultsUpdate<Item>? {
    value.isCut = list.isCut
    value.places = list.index
    guard let update else { return nil }
    value.list = update.after
    value.step += 1
    return ResultsUpdate(list: update, value: value)
  }
}
