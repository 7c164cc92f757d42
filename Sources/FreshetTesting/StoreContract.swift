public import Freshet

/// The requirements on a store that takes changes, as a test for any such store.
///
/// ```swift
/// let contract = StoreContract<TodoStore>(
///   asking: nil, or: [.init("home") { $0.list == "home" }]
/// ) { number, version in
///   Todo(
///     id: number, list: (number + version).isMultiple(of: 2) ? "home" : "work", title: "\(version)")
/// }
/// try await contract.check { TodoStore(server: TodoServer()) }
/// ```
///
/// Random changes are generated from a seed, which a violation names.
public struct StoreContract<Store: WritableDataStore>: Sendable {
  /// The type of the store's rows.
  public typealias Item = Store.Item

  /// A request for some of the items.
  public struct Selection: Sendable {
    let request: Store.Request
    let isIncluded: @Sendable (Item) -> Bool

    /// Creates a selection of items by a request.
    ///
    /// - Parameters:
    ///   - request: the request for the items.
    ///   - isIncluded: returns whether the request includes an item.
    public init(_ request: Store.Request, isIncluded: @escaping @Sendable (Item) -> Bool) {
      self.request = request
      self.isIncluded = isIncluded
    }
  }

  let selections: [Selection]
  let item: @Sendable (_ number: Int, _ version: Int) -> Item
  let invalid: Item?
  private let patience: Duration

  /// Creates a contract for stores of one type.
  ///
  /// - Parameters:
  ///   - all: the request for every item.
  ///   - some: requests for some of the items.
  ///   - invalid: an item that the store cannot take, if there is one.
  ///   - patience: how long a store may take to report a change.
  ///   - item: makes an item: equal numbers give equal ids, and equal versions equal contents.
  public init(
    asking all: Store.Request, or some: [Selection] = [], refusing invalid: Item? = nil,
    patience: Duration = .seconds(60),
    item: @escaping @Sendable (_ number: Int, _ version: Int) -> Item
  ) {
    selections = [Selection(all) { _ in true }] + some
    self.invalid = invalid
    self.patience = patience
    self.item = item
  }

  /// Tests a store against every rule of the contract.
  ///
  /// - Parameters:
  ///   - seed: the seed of the random changes.
  ///   - rounds: the number of random histories.
  ///   - makeStore: makes a store without items; called once for each rule and history.
  /// - Throws: `ContractViolation`, or the error of the store.
  public func check(
    seed: Int = 1, rounds: Int = 10, makeStore: () async throws -> Store
  ) async throws {
    try await putsItems(try await makeStore())
    try await tellsEveryQuery(try await makeStore())
    if let invalid { try await takesAllOrNothing(try await makeStore(), invalid) }
    try await stops(try await makeStore())
    for round in 0..<rounds {
      do {
        try await losesNothing(try await makeStore(), seed: seed + round)
      } catch let violation as ContractViolation {
        throw ContractViolation(
          rule: violation.rule, found: "\(violation.found); seed \(seed + round)")
      }
    }
  }

  // MARK: - The rules

  private func putsItems(_ store: Store) async throws {
    let rule = "an insertion or update puts an item, a deletion takes it if it is there"
    try await store.write(inserting: [item(1, 0), item(2, 0)])
    try await store.write(
      inserting: [item(1, 1)], updating: [item(3, 0)], deleting: [Self.id(item(9, 0))])
    try await store.write(updating: [item(2, 1)], deleting: [Self.id(item(3, 0))])
    try await watching(store) { try await $0.shows([item(1, 1), item(2, 1)], rule) }
  }

  private func tellsEveryQuery(_ store: Store) async throws {
    let rule = "every running query is told of what it asks for, and of nothing else"
    var model = Model(item: item)
    model.put((0..<20).map { item($0, 0) })
    try await store.write(inserting: model.items)
    for selection in selections {
      for item in model.items {
        let says = store.isIncluded(item, in: selection.request)
        guard says == nil || says == selection.isIncluded(item) else {
          throw ContractViolation(
            rule: "what a store says of an item and a request is what the request asks for",
            found: "\(String(describing: says)) of \(item)")
        }
      }
    }
    try await withWatchers(store, selections) { watchers in
      for watcher in watchers { try await watcher.shows(model.items, rule) }
      for version in 1...3 {
        let changed = (0..<20).filter { $0 % 4 == version }.map { item($0, version) }
        model.put(changed)
        try await store.write(updating: changed)
        for watcher in watchers { try await watcher.shows(model.items, rule) }
      }
      let deleted = model.items.prefix(5).map(Self.id)
      model.delete(deleted)
      try await store.write(deleting: deleted)
      for watcher in watchers { try await watcher.shows(model.items, rule) }
    }
  }

  private func takesAllOrNothing(_ store: Store, _ invalid: Item) async throws {
    let rule = "a write makes all of its changes or none"
    try await store.write(inserting: [item(1, 0)])
    do {
      try await store.write(inserting: [item(2, 0), invalid], deleting: [Self.id(item(1, 0))])
      throw ContractViolation(rule: rule, found: "an invalid item was taken")
    } catch let violation as ContractViolation {
      throw violation
    } catch {}
    try await watching(store) { try await $0.shows([item(1, 0)], rule) }
  }

  private func stops(_ store: Store) async throws {
    let rule = "a query whose task is cancelled returns, and the others go on"
    try await watching(store) { other in
      let watcher = StoreWatcher(store, selections[0], patience)
      try await watcher.shows([], rule)
      try await watcher.stop(rule)
      try await store.write(inserting: [item(1, 0)])
      try await other.shows([item(1, 0)], rule)
      guard watcher.items.isEmpty else {
        throw ContractViolation(rule: rule, found: "it was told of a change after that")
      }
    }
  }

  /// Checks that queries which begin during writes miss no change, and agree in the end.
  private func losesNothing(_ store: Store, seed: Int) async throws {
    let rule = "no change is lost, whenever a query begins"
    let batches = histories(seed)
    try await withThrowingTaskGroup(of: StoreWatcher<Store>.self) { group in
      for selection in selections + selections {
        group.addTask { StoreWatcher(store, selection, patience) }
      }
      var generator = SeededGenerator(seed: seed)
      var model = Model(item: item)
      for batch in batches {
        model.apply(batch)
        try await store.write(batch)
        if generator.oneIn(4) {
          let selection = selections.randomElement(using: &generator) ?? selections[0]
          group.addTask { StoreWatcher(store, selection, patience) }
        }
      }
      for try await watcher in group {
        try await watcher.shows(model.items, rule)
        try await watcher.stop(rule)
      }
    }
  }

  private func histories(_ seed: Int) -> [ChangeBatch<Item>] {
    var generator = SeededGenerator(seed: seed)
    return (0..<30).map { version in
      var batch = ChangeBatch<Item>()
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let number = Int.random(in: 0..<25, using: &generator)
        if generator.oneIn(3) {
          batch.addDeletion(of: Self.id(item(number, 0)))
        } else {
          batch.add(item(number, version), as: generator.oneIn(2) ? .insert : .update)
        }
      }
      return batch
    }
  }

  // MARK: - Watching

  private static func id(_ item: Item) -> Item.ID { item.id }

  func watching(
    _ store: Store, _ body: (StoreWatcher<Store>) async throws -> Void
  ) async throws {
    try await withWatchers(store, [selections[0]]) { try await body($0[0]) }
  }

  func withWatchers(
    _ store: Store, _ selections: [Selection], _ body: ([StoreWatcher<Store>]) async throws -> Void
  ) async throws {
    let watchers = selections.map { StoreWatcher(store, $0, patience) }
    try await body(watchers)
    for watcher in watchers { try await watcher.stop("a query stops") }
  }

  /// The items that a store should hold.
  struct Model {
    let item: @Sendable (Int, Int) -> Item
    private(set) var byID: [Item.ID: Item] = [:]
    var items: [Item] { Array(byID.values) }

    init(item: @escaping @Sendable (Int, Int) -> Item) { self.item = item }

    mutating func put(_ items: [Item]) { for item in items { byID[item.id] = item } }
    mutating func delete(_ ids: [Item.ID]) { for id in ids { byID[id] = nil } }
    mutating func apply(_ batch: ChangeBatch<Item>) {
      put(batch.upserted)
      delete(batch.deleted)
    }
  }
}
