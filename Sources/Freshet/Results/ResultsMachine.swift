internal import FreshetLists

/// What live results decide, as a pure value: which batch counts, what goes when a fetch begins anew.
struct ResultsMachine<Item: ListItem>: Sendable {
  var list: ArrangedList<Item>
  private(set) var value = ResultsValue<Item>()
  /// Which fetch is running: what belongs to an earlier one has no effect (rule R2).
  private(set) var fetch = 0
  /// The items that the running fetch did not find so far; `nil` once its initial results are there.
  private var missing: Set<Item.ID>?
  /// Whether the first results take the place of all that is shown.
  private var replaces = false

  init(arrangement: Arrangement<Item>) { list = ArrangedList(arrangement: arrangement) }

  /// A fetch begins.
  ///
  /// - Parameter isSame: whether it asks for the same as the one before: then what is shown stays
  ///   until it is complete, else until its first results.
  mutating func begin(isSame: Bool, arrangement: Arrangement<Item>?) -> ResultsUpdate<Item>? {
    fetch += 1
    value.state = .loading
    value.progress = nil
    value.interruption = nil
    missing = Set(list.ids)
    replaces = !isSame
    guard let arrangement else { return nil }
    return update(list.arrange(arrangement))
  }

  /// Changes arrived.
  mutating func take(
    _ batch: ChangeBatch<Item>, _ status: QueryStatus, of fetch: Int
  ) -> ResultsUpdate<Item>? {
    guard fetch == self.fetch else { return nil }
    value.progress = status.progress
    value.interruption = status.interruption
    let upserted = batch.upserted
    var removed = batch.deleted
    missing?.subtract(upserted.lazy.map(\.id))
    if let missing, status.isComplete || replaces && !batch.isEmpty {
      removed += missing
      self.missing = status.isComplete ? nil : []
      replaces = false
    }
    if status.isComplete { value.state = .loaded }
    return update(list.change(upserting: upserted, removing: removed))
  }

  /// The query returned, or failed.
  mutating func end(_ error: (any Error)?, of fetch: Int) {
    guard fetch == self.fetch, let error else { return }
    value.state = .failed(error)
    value.progress = nil
    value.interruption = nil
    missing = nil
    replaces = false
  }

  /// The query was stopped: what is shown stays, and is as complete as it is.
  mutating func stop(_ fetch: Int) {
    guard fetch == self.fetch else { return }
    if value.state.isLoading { value.state = list.count == 0 ? .initial : .loaded }
    value.progress = nil
    value.interruption = nil
    missing = nil
    replaces = false
  }

  /// The items are laid out in another way.
  mutating func arrange(_ arrangement: Arrangement<Item>) -> ResultsUpdate<Item>? {
    update(list.arrange(arrangement))
  }

  private mutating func update(_ update: ListUpdate<Item>?) -> ResultsUpdate<Item>? {
    value.isCut = list.isCut
    guard let update else { return nil }
    value.list = update.after
    value.step += 1
    return ResultsUpdate(list: update, value: value)
  }
}
