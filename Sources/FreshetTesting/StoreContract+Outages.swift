internal import Freshet

extension StoreContract {
  /// Something that others do to what a store reads while queries run, and how it is put right.
  ///
  /// Each closure returns the items that others put meanwhile, past the store.
  public struct Outage: Sendable {
    /// What happens, to others or by others.
    public typealias Step = @Sendable () async throws -> [Item]

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
    /// - Parameters:
    ///   - name: what a violation calls it.
    ///   - number: the number of the row's item, from 0 to 4.
    ///   - begin: spoils the row.
    ///   - end: makes the row be the item again, in version 0.
    public static func invalidRow(
      _ name: String, of number: Int, begin: @escaping Step, end: @escaping Step
    ) -> Outage {
      Outage(name: name, effect: .invalidRow(number: number), begin: begin, end: end)
    }

    /// Something that takes no row, and keeps no change from arriving: a column is added.
    ///
    /// - Parameters:
    ///   - name: what a violation calls it.
    ///   - change: lets it happen.
    public static func change(_ name: String, _ change: @escaping Step) -> Outage {
      Outage(name: name, effect: .none, begin: change, end: { [] })
    }
  }

  /// Puts a store to the test where others spoil rows, change tables and keep changes from arriving
  /// (rules S2 and S3).
  ///
  /// - Parameter makeStore: makes a store without items, and what may happen to it; called once.
  /// - Throws: `ContractViolation`, or what the store or an outage threw.
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
    case .none: rule = "what takes no row changes nothing that is shown"
    }
    for watcher in watchers { try await watcher.shows(model.items, rule) }
    model.put(try await outage.begin())
    switch outage.effect {
    case .interruption:
      // One that shows nothing may not have met what is wrong with the rows.
      for watcher in watchers where !watcher.items.isEmpty {
        let shown = watcher.items
        try await watcher.says("an interruption", rule) { $0.interruption != nil }
        guard watcher.items == shown else {
          throw ContractViolation(rule: rule, found: "rows went or changed: \(watcher.items)")
        }
      }
    case .invalidRow(let number):
      model.delete([item(number, 0).id])
      for watcher in watchers { try await watcher.shows(model.items, rule) }
      try await watchers[0].says("one invalid item", rule) {
        $0.invalidItems == 1 && $0.invalidItem != nil && $0.interruption == nil
      }
      // The others are told of as ever.
      try await write((number + 1) % 5, version, store, &model, watchers, rule)
      model.put([item(number, 0)])
    case .none: break
    }
    model.put(try await outage.end())
    try await write(5 + version, version, store, &model, watchers, rule)
    for watcher in watchers {
      try await watcher.says("nothing that is wrong", rule) {
        $0.interruption == nil && $0.invalidItems == 0 && $0.invalidItem == nil
      }
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
