public import FreshetLists
public import struct Foundation.Date
public import protocol Foundation.LocalizedError

/// A storage of the rows, gaps and page keys of a feed, which survives a relaunch.
///
/// A feed calls its cache off the main actor and one call at a time. The exception is
/// `loadFirst()`, which runs on the thread where the app asks for the first screen. A cache that
/// would have to wait for its first rows returns an incomplete `CachedRows` without rows, and
/// `loadRest()` then returns all rows. <doc:Caches> shows a complete cache, and
/// `FeedCacheContract` of FreshetTesting tests one.
///
/// ```swift
/// let feed = Feed(source, cache: FeedCacheChoice(ValueCache("notes")))
/// ```
public protocol FeedCache<Item>: Sendable {
  /// The rows of the feed.
  associatedtype Item: ListItem

  /// Returns the first rows, enough for a screen; `nil` if nothing is stored.
  ///
  /// - Complexity: bounded: it decodes only these rows (rule P1).
  func loadFirst() -> CachedRows<Item>?

  /// Returns the rows after those that `loadFirst()` returned.
  func loadRest() async -> CachedRows<Item>

  /// Returns rows that a feed evicted to save memory, by their indices among all stored rows.
  ///
  /// - Parameters:
  ///   - range: the indices of the rows.
  ///   - count: the number of rows that the feed expects to be stored.
  /// - Returns: a row for each index, with a gap for each damaged row. It is `nil` if other rows
  ///   are stored; the feed then asks its source.
  /// - Throws: an error if the rows cannot be read now. The load of their gap fails, and may be
  ///   tried again.
  func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Item>.Row]?

  /// Stores one step completely or not at all (rule P2); if `isWhole` is `true`, all rows.
  ///
  /// A step that could not be stored must be stored with the next one, which contains only the
  /// changes since.
  ///
  /// - Complexity: proportional to what the step changed (rule P4).
  /// - Returns: whether it is stored now.
  @discardableResult
  func save(_ commit: FeedCommit<Item>) async -> Bool

  /// Removes everything that is stored of this feed.
  func removeAll() async

  /// Returns the problems since the last call: damage that was found, and writes that failed.
  func takeIssues() -> [CacheIssue]
}

/// A problem of a cache.
///
/// The feed continues to work in every case.
@nonexhaustive
public enum CacheIssue: Error, Equatable, Sendable {
  /// A run of rows could not be read; a gap took its place.
  case damagedRows(count: Int)
  /// The stored feed is damaged, or of another version: at most its first rows are shown.
  case unreadable(reason: String)
  /// A step was not stored: the feed works from memory.
  case notSaved(reason: String)
  /// A row or a page key could not be stored, but the rest was.
  ///
  /// After the next launch, the source is asked for it again.
  case leftOut(reason: String)
}

extension CacheIssue: LocalizedError {
  /// A description of the problem and its consequence.
  public var errorDescription: String? { description }
}

extension CacheIssue: CustomStringConvertible {
  /// A description of the problem and its consequence.
  public var description: String {
    switch self {
    case .damagedRows(let count):
      "\(count) cached rows were damaged and dropped; the gap in their place loads them again."
    case .unreadable(let reason):
      "The cache could not be read, or only its first rows: \(reason). Refresh the list to fill it."
    case .notSaved(let reason):
      "The list could not be cached: \(reason)."
    case .leftOut(let reason): "A part of the list could not be cached: \(reason)."
    }
  }
}

/// Rows as a cache returns them.
public struct CachedRows<Item: ListItem>: Equatable, Sendable {
  /// A row as it is stored: an item or a gap.
  public enum Row: Equatable, Sendable {
    /// An item, with the boundary of a page if one began or ended with the item.
    case item(Item, PageBoundary?)
    /// A place where rows may be missing.
    case gap
  }

  /// The stored rows, in the server's order.
  public var rows: [Row]
  /// The state that was stored beside the rows.
  public var state: CachedState
  /// Whether these are all rows, so that `loadRest()` adds no rows.
  public var isComplete: Bool
  /// The number of all stored rows.
  public var count: Int

  /// Creates the result of a cache: rows, and the stored state of the list.
  public init(
    rows: [Row] = [], state: CachedState = CachedState(), isComplete: Bool = true,
    count: Int? = nil
  ) {
    self.rows = rows
    self.state = state
    self.count = count ?? rows.count
    self.isComplete = isComplete
  }
}

extension CachedRows: Codable where Item: Codable {}
extension CachedRows.Row: Codable where Item: Codable {}

/// The state that a feed stores beside its rows.
public struct CachedState: Equatable, Codable, Sendable {
  /// The state of the list's head.
  public var head: FeedEnd
  /// The state of the list's tail.
  public var tail: FeedEnd
  /// The time when the head of the list was last loaded.
  public var refreshedAt: Date?
  /// The reader's place, as an index among all rows.
  public var anchor: Int?
  /// The rows that news or an edit put at their positions, as indices among all rows.
  ///
  /// No answer contained them at these positions, so rows may be missing around them. The ranges
  /// are ascending, separate and few: rows between two such rows may be included.
  public var unproven: [Range<Int>]
  /// The page that the first rows are, if the source sent a validator with it.
  ///
  /// A cache that may return rows that differ from the stored ones returns them without the page.
  public var page: CachedHeadPage?

  /// Creates a state; without arguments, it is that of a feed about which nothing is known.
  public init(
    head: FeedEnd = .unknown, tail: FeedEnd = .unknown, refreshedAt: Date? = nil,
    anchor: Int? = nil, unproven: [Range<Int>] = [], page: CachedHeadPage? = nil
  ) {
    self.head = head
    self.tail = tail
    self.refreshedAt = refreshedAt
    self.anchor = anchor
    self.unproven = unproven
    self.page = page
  }
}

/// One step of a feed, which is stored completely or not at all.
///
/// Several steps are one if they arrived faster than they could be stored.
///
/// Indices count the stored rows. If a feed evicted rows to save memory, a gap in `rows`
/// represents them: see `unloaded`.
public struct FeedCommit<Item: ListItem>: Sendable {
  /// A gap that represents rows that are stored but not in memory.
  ///
  /// The step does not change these rows.
  public struct Unloaded: Equatable, Sendable {
    /// The index of the gap in `rows`.
    public let row: Int
    /// The number of stored rows that it represents.
    public let count: Int
  }

  /// All rows after the step that are in memory.
  public let rows: RowTree<ListRow<Item>>
  /// The gaps among them that represent evicted rows, ascending.
  ///
  /// - Complexity: O(log *n*) for each.
  public var unloaded: [Unloaded] {
    stored.unloaded.map { Unloaded(row: $0.gap, count: $0.count) }
  }
  /// The indices of the rows in memory among the stored rows.
  let stored: DiskIndexMap
  /// The rows that were deleted, as indices before the step, ascending.
  public let deleted: [Int]
  /// The rows that were inserted, as indices after the step, ascending.
  public let inserted: [Int]
  /// The rows whose contents or keys changed, as indices after the step, ascending.
  public let updated: [Int]
  /// Whether the stored rows are not those that this step started from, so only `rows` count.
  public let isWhole: Bool
  /// Returns the page boundary at an item, if there is one.
  let marks: @Sendable (Item.ID) -> PageBoundary?
  /// The state to store beside the rows.
  public let state: CachedState

  /// Creates a step that a cache is to store.
  public init(
    rows: RowTree<ListRow<Item>>, unloaded: [Unloaded] = [], deleted: [Int] = [],
    inserted: [Int] = [], updated: [Int] = [],
    isWhole: Bool = false, marks: [Item.ID: PageBoundary] = [:], state: CachedState = CachedState()
  ) {
    var stored = DiskIndexMap(unloaded.map { (RowOrder($0.row), $0.count) })
    stored.rows = CountedTree((unloaded.isEmpty ? 0..<0 : 0..<rows.count).lazy.map { RowOrder($0) })
    self.init(
      rows: rows, stored: stored, deleted: deleted, inserted: inserted, updated: updated,
      isWhole: isWhole, marks: { marks[$0] }, state: state)
  }

  init(
    rows: RowTree<ListRow<Item>>, stored: DiskIndexMap, deleted: [Int], inserted: [Int],
    updated: [Int], isWhole: Bool, marks: @escaping @Sendable (Item.ID) -> PageBoundary?,
    state: CachedState
  ) {
    self.rows = rows
    self.stored = stored
    self.deleted = deleted
    self.inserted = inserted
    self.updated = updated
    self.isWhole = isWhole
    self.marks = marks
    self.state = state
  }

  /// Returns the page boundary at an item; `nil` if there is none.
  public func mark(of id: Item.ID) -> PageBoundary? { marks(id) }

  /// The number of rows that are stored after the step.
  public var count: Int { rows.count + stored.surplus }

  /// Whether all stored rows are in memory.
  var isInMemory: Bool { stored.isEmpty }
}

extension FeedCommit where Item == AnyItem {
  /// Returns the step with items of a type.
  func typed<Other>(as _: Other.Type = Other.self) -> FeedCommit<Other> {
    FeedCommit<Other>(
      rows: RowTree(refs: rows.refs), stored: stored, deleted: deleted, inserted: inserted,
      updated: updated, isWhole: isWhole, marks: { [marks] in marks(RowID(Other._key(of: $0))) },
      state: state)
  }
}

extension CachedRows {
  /// The rows with type-erased items.
  var erased: CachedRows<AnyItem> {
    CachedRows<AnyItem>(
      rows: rows.map(\.erased), state: state, isComplete: isComplete, count: count)
  }
}

extension CachedRows where Item == AnyItem {
  /// Returns the rows with items of a type.
  func typed<Other>(as _: Other.Type = Other.self) -> CachedRows<Other> {
    CachedRows<Other>(
      rows: rows.map { $0.typed() }, state: state, isComplete: isComplete, count: count)
  }
}

extension CachedRows.Row where Item == AnyItem {
  func typed<Other>(as _: Other.Type = Other.self) -> CachedRows<Other>.Row {
    switch self {
    case .item(let item, let mark): .item(Other._item(of: item.row), mark)
    case .gap: .gap
    }
  }
}

extension CachedRows.Row {
  var erased: CachedRows<AnyItem>.Row {
    switch self {
    case .item(let item, let mark): .item(AnyItem(item), mark)
    case .gap: .gap
    }
  }
}

/// A choice of the cache of a feed.
///
/// ```swift
/// let feed = FeedController(source, cache: .file("home"))
/// ```
public struct FeedCacheChoice<Item: ListItem>: Sendable {
  let cache: any FeedCache<Item>
  /// The feed in its store, if the cache is one.
  var feed: StoredFeed?

  /// Creates a choice of a custom cache.
  public init(_ cache: some FeedCache<Item>) { self.cache = cache }
}
