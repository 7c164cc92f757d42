internal import FreshetLists

/// What live results decide, as a pure value: which batch counts, what goes when a fetch begins
/// anew.
struct ResultsMachine<Item: ListItem>: Sendable {
  var list: SortedList<Item>
  private var contents = ListContents()
  /// Which fetch is running: what belongs to an earlier one has no effect (rule R2).
  private(set) var fetch = 0
  /// The items that the running fetch found so far; `nil` where none can be missing: its initial
  /// results are there, or nothing was shown before.
  private var found: Set<Item.ID>?
  /// Whether the first results take the place of all that is shown.
  private var replaces = false
  /// Whether it is a preview: nothing that is fetched changes it.
  private(set) var isFixed = false

  /// All that is shown, as one value.
  var value: ResultsValue<Item> { ResultsValue(contents) }

  /// The status of the last fetch.
  var state: ResultsState { contents.fetch.state }

  init(arrangement: Arrangement<Item>) { list = SortedList(arrangement: arrangement) }

  /// A fetch begins.
  ///
  /// - Parameter isSame: whether it asks for the same as the one before: then what is shown stays
  ///   until it is complete, else until its first results.
  mutating func begin(isSame: Bool, arrangement: Arrangement<Item>?) -> ResultsUpdate<Item>? {
    if isFixed { return nil }
    fetch += 1
    contents.fetch.state = .loading
    contents.fetch.progress = nil
    contents.fetch.interruption = nil
    (contents.fetch.invalidItems, contents.fetch.firstInvalidItem) = (0, nil)
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
    contents.fetch.progress = status.progress
    contents.fetch.interruption = status.interruption
    contents.fetch.invalidItems = status.invalidItems
    contents.fetch.firstInvalidItem = status.invalidItem
    let upserted = batch.latest
    var removed = batch.deleted
    found?.formUnion(upserted.lazy.map(\.id))
    if let found, status.isComplete || replaces && !batch.isEmpty {
      removed += list.ids.lazy.filter { !found.contains($0) }
      self.found = nil
      replaces = false
    }
    if status.isComplete { contents.fetch.state = .loaded }
    return update(list.change(upserting: upserted, removing: removed))
  }

  /// The query returned, or failed.
  mutating func end(_ error: (any Error)?, of fetch: Int) {
    guard fetch == self.fetch, !isFixed, let error else { return }
    contents.fetch.state = .failed(error)
    contents.fetch.progress = nil
    contents.fetch.interruption = nil
    found = nil
  }

  /// The query is stopped: what is shown stays, and what it says from now on has no effect (rule
  /// R2).
  mutating func stop() {
    fetch += 1
    if contents.fetch.state.isLoading {
      contents.fetch.state = list.count == 0 ? .initial : .loaded
    }
    contents.fetch.progress = nil
    contents.fetch.interruption = nil
    found = nil
  }

  /// The items are laid out in another way.
  mutating func arrange(_ arrangement: Arrangement<Item>) -> ResultsUpdate<Item>? {
    update(list.arrange(arrangement))
  }

  /// Shows items that no store sent, in a state that nothing led to and nothing fetched changes.
  mutating func show(_ items: [Item], in state: ResultsState) -> ResultsUpdate<Item>? {
    isFixed = true
    contents.fetch.state = state
    return update(list.change(upserting: items))
  }

  private mutating func update(_ update: ListUpdate<Item>?) -> ResultsUpdate<Item>? {
    contents.isCut = list.isCut
    contents.places = list.index
    guard let update else { return nil }
    contents.list = update.after.refs
    contents.step += 1
    return ResultsUpdate(list: update, value: value)
  }
}
