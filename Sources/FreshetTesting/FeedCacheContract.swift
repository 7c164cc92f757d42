public import Freshet
public import FreshetLists

/// The requirements on a cache of feeds, as a test for any cache.
///
/// ```swift
/// let contract = FeedCacheContract { Note(id: $0, text: "version \($1)") }
/// var storages = 0
/// try await contract.check {
///   storages += 1  // a place where nothing is stored
///   let name = "storage \(storages)"
///   return { ValueCache<Note>(name) }
/// }
/// ```
///
/// Random histories of a feed are generated from a seed, which a violation names.
public struct FeedCacheContract<Item: ListItem>: Sendable {
  private let item: @Sendable (_ number: Int, _ version: Int) -> Item

  /// Creates a contract that makes items by number and version.
  ///
  /// - Parameter item: makes an item: equal numbers give equal ids, and equal versions equal
  ///   contents.
  public init(item: @escaping @Sendable (_ number: Int, _ version: Int) -> Item) {
    self.item = item
  }

  /// Tests a cache against every rule of the contract.
  ///
  /// - Parameters:
  ///   - seed: the seed of the random histories.
  ///   - rounds: the number of random histories.
  ///   - makeStorage: makes an empty storage, and returns a closure that opens a cache there, as
  ///     the next launch of an app does.
  /// - Throws: `ContractViolation`, or the error of `makeStorage`.
  public func check<Cache: FeedCache<Item>>(
    seed: Int = 1, rounds: Int = 20, makeStorage: () async throws -> () -> Cache
  ) async throws {
    try await isEmptyAtFirst(try await makeStorage())
    try await keepsWhatIsNotInMemory(try await makeStorage())
    for round in 0..<rounds {
      do {
        try await keepsHistory(try await makeStorage(), seed: seed + round)
      } catch let violation as ContractViolation {
        throw ContractViolation(
          rule: violation.rule, found: "\(violation.found); seed \(seed + round)")
      }
    }
  }

  // MARK: - The rules

  private func isEmptyAtFirst<Cache: FeedCache<Item>>(_ open: () -> Cache) async throws {
    let rule = "where nothing is stored there are no rows"
    let cache = open()
    let stored = await Self.rows(of: cache)
    guard stored.rows.isEmpty else { throw ContractViolation(rule: rule, found: "\(stored.rows)") }
  }

  /// Checks that rows, gaps and the known ends are stored at every launch, whatever happened.
  private func keepsHistory<Cache: FeedCache<Item>>(_ open: () -> Cache, seed: Int) async throws {
    var generator = SeededGenerator(seed: seed)
    let paging = ScriptedPaging.allCases[abs(seed) % ScriptedPaging.allCases.count]
    let server = ScriptedServer((0..<40).map { item($0, 0) })
    var feed: Feed? = Self.feed(server, paging, open())
    for step in 1...24 {
      change(server, step, &generator)
      if generator.oneIn(4) {
        // At another launch, the previous feed no longer writes.
        weak let last = feed
        feed = nil
        guard await eventually({ last == nil }) else {
          throw ContractViolation(
            rule: "a feed that nothing uses is released", found: "its cache keeps it")
        }
        feed = Self.feed(server, paging, open())
      }
      guard let feed else { return }
      await load(feed, &generator)
      await feed.flush()
      try await Self.expect(feed, in: open())
    }
    if let feed { try await forgets(feed, open) }
  }

  private func load(_ feed: Feed<Item>, _ generator: inout SeededGenerator) async {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: await feed.refresh()
    case 1: await feed.refresh(.all)
    case 2:
      await feed.loadCache()
      if let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
    case 3: await feed.loadCache()
    default: await feed.loadNext()
    }
  }

  private func change(
    _ server: ScriptedServer<Item>, _ step: Int, _ generator: inout SeededGenerator
  ) {
    let count = server.items.count
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: server.insert(item(100 + step, 0), at: 0)
    case 1: server.insert(item(100 + step, 0), at: Int.random(in: 0...count, using: &generator))
    case 2: server.items.randomElement(using: &generator).map { server.delete($0.id) }
    case 3: server.update(item(Int.random(in: 0..<40, using: &generator), step))
    case 4:
      for number in 0..<12 { server.insert(item(1_000 * step + number, 0), at: 0) }
    default: break
    }
  }

  private func forgets<Cache: FeedCache<Item>>(_ feed: Feed<Item>, _ open: () -> Cache) async throws
  {
    await feed.clearCache()
    let stored = await Self.rows(of: open())
    guard stored.rows.isEmpty else {
      throw ContractViolation(rule: "what is cleared is gone", found: "\(stored.rows)")
    }
  }

  /// Checks that stored rows stay when the feed evicts them from memory.
  ///
  /// A step does not mention such rows, so they stay as they are.
  private func keepsWhatIsNotInMemory<Cache: FeedCache<Item>>(_ open: () -> Cache) async throws {
    let rule = "rows that are not in memory stay as they are stored"
    let server = ScriptedServer((0..<120).map { item($0, 0) })
    do {
      let feed = Self.feed(server, .keyset, open(), maximumRows: 20)
      while server.requests.count < 30, await feed.loadNext() == .idle {
        feed.anchor = feed.value.items.last?.id
      }
      server.insert(item(1_000, 0), at: 0)
      server.update(item(1, 1))
      await feed.refresh()
      await feed.flush()
    }
    let stored = await Self.rows(of: open())
    let items = stored.rows.compactMap(Self.item)
    guard items == server.items, stored.rows.count == items.count else {
      throw ContractViolation(
        rule: rule,
        found: "\(items.count) of \(server.items.count) items in \(stored.rows.count) rows")
    }
  }

  // MARK: - Looking

  private static func feed(
    _ server: ScriptedServer<Item>, _ paging: ScriptedPaging, _ cache: some FeedCache<Item>,
    maximumRows: Int? = nil
  ) -> Feed<Item> {
    Feed(
      server.source(paging), cache: FeedCacheChoice(cache),
      configuration: FeedConfiguration(
        pageSize: 5, prefetchDistance: 0, maximumRows: maximumRows))
  }

  /// Returns all rows, as a feed reads them.
  private static func rows(of cache: some FeedCache<Item>) async -> CachedRows<Item> {
    guard let first = cache.loadFirst() else { return CachedRows() }
    guard !first.isComplete else { return first }
    var all = await cache.loadRest()
    all.rows = first.rows + all.rows
    return all
  }

  private static func item(_ row: CachedRows<Item>.Row) -> Item? {
    if case .item(let item, _) = row { item } else { nil }
  }

  /// Returns the items of all rows, with `nil` for gaps.
  private static func outline(_ value: ListValue<Item>) -> [Item?] { value.rows.map(\.item) }

  /// Checks that a cache has the rows of a feed, and finds them by position.
  private static func expect(_ feed: Feed<Item>, in cache: some FeedCache<Item>) async throws {
    let stored = await rows(of: cache)
    let outline = stored.rows.map(item)
    guard outline == Self.outline(feed.value) else {
      throw ContractViolation(
        rule: "what a feed shows is stored", found: "\(outline) is not \(Self.outline(feed.value))")
    }
    let count = stored.rows.count
    guard let part = try await cache.load(count / 3..<count, of: count) else { return }
    let rule =
      "rows are found by their place, and only as long as they are as many as the feed takes"
    guard part == Array(stored.rows[(count / 3)...]) else {
      throw ContractViolation(rule: rule, found: "\(part)")
    }
    guard try await cache.load(0..<1, of: count + 1) == nil else {
      throw ContractViolation(rule: rule, found: "rows of a list that is longer")
    }
  }
}
