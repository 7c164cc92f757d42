public import Freshet

extension StoreContract {
  /// Something that others do to what a store reads while queries run, and how it is put right.
  public struct Outage: Sendable {
    /// An action outside the store, which adds to the batch what it inserts, changes and deletes.
    public typealias Step = @Sendable (_ changes: inout ChangeBatch<Item>) async throws -> Void

    enum Effect: Sendable {
      case interruption
      case invalidRow(number: Int)
      case none
    }

    let name: String
    let effect: Effect
    let begin: Step
    let end: Step

    /// Changes cannot arrive: a server stops, a table is gone.
    ///
    /// - Parameters:
    ///   - name: what a violation calls it.
    ///   - begin: lets it happen.
    ///   - end: puts it right again.
    public static func interruption(
      _ name: String, begin: @escaping Step, end: @escaping Step
    ) -> Outage {
      Outage(name: name, effect: .interruption, begin: begin, end: end)
    }

    /// A row no longer decodes.
    ///
    /// Neither step has to add that row to its batch.
    ///
    /// - Parameters:
    ///   - name: what a violation calls it.
    ///   - number: the number of the row's item.
    ///   - begin: spoils the row.
    ///   - end: makes the row be the item again, in version 0.
    /// - Precondition: the number is one from 0 to 4.
    public static func invalidRow(
      _ name: String, of number: Int, begin: @escaping Step, end: @escaping Step
    ) -> Outage {
      precondition((0..<5).contains(number), "The items that are there have the numbers 0 to 4")
      return Outage(name: name, effect: .invalidRow(number: number), begin: begin, end: end)
    }

    /// Something that leaves every row readable, and keeps no change from arriving: a write of
    /// another program, a column that is added.
    ///
    /// - Parameters:
    ///   - name: what a violation calls it.
    ///   - change: lets it happen.
    public static func change(_ name: String, _ change: @escaping Step) -> Outage {
      Outage(name: name, effect: .none, begin: change, end: { _ in })
    }
  }

  /// Puts a store to the test where others spoil rows, change tables and keep changes from arriving
  /// (rules S2 and S3).
  ///
  /// Five items with the numbers 0 to 4 are written, in version 0, and each query of the contract
  /// begins. Then, one outage after the other: it begins; the queries say what is wrong and keep
  /// their rows; it ends; the queries show by themselves what there is, and say that nothing is
  /// wrong; an item with another number, from 6 on, is written and shown.
  ///
  /// - Parameter makeStore: makes a store without items, and what may happen to it; called once.
  /// - Throws: `ContractViolation`, or what `write`, `makeStore` or an outage threw.
  public func checkOutages(
    makeStore: () async throws -> (store: Store, outages: [Outage])
  ) async throws {
    let (store, outages) = try await makeStore()
    var model = Model(item: item)
    model.put((0..<5).map { item($0, 0) })
    try await store.write(inserting: model.items)
    try await withWatchers(store, selections) { watchers in
      for (version, outage) in outages.enumerated() {
        do {
          try await check(outage, version + 1, store, &model, watchers)
        } catch let violation as ContractViolation {
          throw ContractViolation(rule: violation.rule, found: "\(outage.name): \(violation.found)")
        }
      }
    }
  }

  private func check(
    _ outage: Outage, _ version: Int, _ store: Store, _ model: inout Model,
    _ watchers: [StoreWatcher<Store>]
  ) async throws {
    let rule: String
    switch outage.effect {
    case .interruption: rule = "while changes cannot arrive the query says why, and keeps its rows"
    case .invalidRow: rule = "a row that does not decode is left out until it does"
    case .none: rule = "what leaves every row readable shows"
    }
    for watcher in watchers { try await watcher.shows(model.items, rule) }
    let shown = watchers.map(\.items)
    var changes = ChangeBatch<Item>()
    try await outage.begin(&changes)
    model.apply(changes)
    switch outage.effect {
    case .interruption:
      let changed = Set(changes.upserted.map(\.id) + changes.deleted)
      try await checkInterruption(watchers, shown, changed, rule)
    case .invalidRow(let number):
      let item = item(number, 0)
      model.delete([item.id])
      for watcher in watchers { try await watcher.shows(model.items, rule) }
      try await watchers[0].says("one invalid item", rule) {
        $0.invalidItems == 1 && $0.invalidItem != nil && $0.interruption == nil
      }
      // Changes of other rows still arrive.
      try await write((number + 1) % 5, version, store, &model, watchers, rule)
      model.put([item])
    case .none: break
    }
    changes = ChangeBatch()
    try await outage.end(&changes)
    model.apply(changes)
    for watcher in watchers {
      try await watcher.shows(model.items, rule)
      try await watcher.says("nothing that is wrong", rule) {
        $0.interruption == nil && $0.invalidItems == 0 && $0.invalidItem == nil
      }
    }
    try await write(5 + version, version, store, &model, watchers, rule)
  }

  /// All queries that show rows report an interruption, and keep those that did not change.
  private func checkInterruption(
    _ watchers: [StoreWatcher<Store>], _ shown: [[Item.ID: Item]], _ changed: Set<Item.ID>,
    _ rule: String
  ) async throws {
    // One that shows nothing may not have met what is wrong with the rows.
    for (watcher, shown) in zip(watchers, shown) where !shown.isEmpty {
      try await watcher.says("an interruption", rule) { $0.interruption != nil }
      let items = watcher.items
      guard
        items.filter({ !changed.contains($0.key) }) == shown.filter({ !changed.contains($0.key) })
      else { throw ContractViolation(rule: rule, found: "rows went or changed: \(items)") }
    }
  }

  private func write(
    _ number: Int, _ version: Int, _ store: Store, _ model: inout Model,
    _ watchers: [StoreWatcher<Store>], _ rule: String
  ) async throws {
    let item = item(number, version)
    try await store.write(updating: [item])
    model.put([item])
    for watcher in watchers { try await watcher.shows(model.items, rule) }
  }
}
