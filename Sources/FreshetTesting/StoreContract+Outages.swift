public import Freshet

extension StoreContract {
  /// A change from outside to what a store reads while queries run, and its repair.
  public struct Outage: Sendable {
    /// An action outside the store, which adds its insertions, updates and deletions to the batch.
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

    /// Creates an outage in which changes cannot arrive: a server stops, a table is missing.
    ///
    /// - Parameters:
    ///   - name: the name that a violation contains.
    ///   - begin: starts the outage.
    ///   - end: ends the outage.
    public static func interruption(
      _ name: String, begin: @escaping Step, end: @escaping Step
    ) -> Outage {
      Outage(name: name, effect: .interruption, begin: begin, end: end)
    }

    /// Creates an outage in which a row no longer decodes.
    ///
    /// Neither step has to add that row to its batch.
    ///
    /// - Parameters:
    ///   - name: the name that a violation contains.
    ///   - number: the number of the row's item.
    ///   - begin: makes the row undecodable.
    ///   - end: makes the row the item again, in version 0.
    /// - Precondition: the number is one from 0 to 4.
    public static func invalidRow(
      _ name: String, of number: Int, begin: @escaping Step, end: @escaping Step
    ) -> Outage {
      precondition((0..<5).contains(number), "The items that are there have the numbers 0 to 4")
      return Outage(name: name, effect: .invalidRow(number: number), begin: begin, end: end)
    }

    /// Creates a change that leaves every row readable, and does not keep changes from arriving.
    ///
    /// Examples are a write by another program, or an added column.
    ///
    /// - Parameters:
    ///   - name: the name that a violation contains.
    ///   - change: makes the change.
    public static func change(_ name: String, _ change: @escaping Step) -> Outage {
      Outage(name: name, effect: .none, begin: change, end: { _ in })
    }
  }

  /// Tests a store while rows are spoiled, tables changed and changes kept from arriving.
  ///
  /// This is about rules S2 and S3.
  ///
  /// Five items with the numbers 0 to 4 are written, in version 0, and each query of the contract
  /// begins. Then each outage is tested in turn:
  ///
  /// - The outage begins. The queries report the problem and keep their rows.
  /// - The outage ends. The queries show the current rows by themselves, and report no problem.
  /// - An item with another number, from 6 on, is written and shown.
  ///
  /// - Parameter makeStore: makes a store without items, and the outages that may happen to it;
  ///   called once.
  /// - Throws: `ContractViolation`, or an error of `write`, `makeStore` or an outage.
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

  /// Checks that queries with rows report an interruption, and keep the rows that did not change.
  private func checkInterruption(
    _ watchers: [StoreWatcher<Store>], _ shown: [[Item.ID: Item]], _ changed: Set<Item.ID>,
    _ rule: String
  ) async throws {
    // A query that shows no rows may not have found the problem with them.
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
