public import FreshetLists
public import struct Foundation.Date
public import protocol Foundation.LocalizedError

/// What survives relaunch: rows, gaps, page keys.
///
/// A feed calls its cache off the main actor and one call at a time, except for `loadFirst()`,
/// which runs where the app asks for the first screen. A cache whose first rows take a wait says
/// that it has none and is not complete: `loadRest()` brings them all. <doc:Caches> shows one in
/// full, and `FeedCacheContract` of FreshetTesting puts one to the test.
///
/// ```swift
/// let feed = Feed(source, cache: FeedCacheChoice(ValueCache("notes")))
/// ```
public protocol FeedCache<Item>: Sendable {
  /// The rows of the feed.
  associatedtype Item: ListItem

  /// The first rows, enough for a screen, or `nil` where nothing is stored.
  ///
  /// - Complexity: bounded: it decodes no more than these rows (rule P1).
  func loadFirst() -> CachedRows<Item>?

  /// The rows behind those that `loadFirst()` gave.
  func loadRest() async -> CachedRows<Item>

  /// Some of the rows, by their indices among all that are stored: those that a feed let go to save
  /// memory.
  ///
  /// - Parameters:
  ///   - range: the indices of the rows.
  ///   - count: how many rows the feed takes to be stored.
  /// - Returns: a row for each index, a gap for one that is damaged; `nil` where others are stored:
  ///   the feed asks its source then.
  /// - Throws: why the rows cannot be read now; their gap fails, and may be tried again.
  func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Item>.Row]?

  /// Stores one step, or all rows where `isWhole` says so. Either all of it is stored or none
  /// (rule P2).
  ///
  /// A step that cannot be stored is to be stored with the next one, which says only what is new
  /// since.
  ///
  /// - Complexity: proportional to what the step changed (rule P4).
  /// - Returns: whether it is stored now.
  @discardableResult
  func save(_ commit: FeedCommit<Item>) async -> Bool

  /// Forgets everything that is stored of this feed.
  func removeAll() async

  /// What went wrong so far, each once, and forgets it: damage found, writes given up.
  func takeIssues() -> [CacheIssue]
}

/// What can go wrong with a cache.
///
/// The feed works on in every case.
@nonexhaustive
public enum CacheIssue: Error, Equatable, Sendable {
  /// A run of rows could not be read; a gap stands in its place.
  case damagedRows(count: Int)
  /// What is stored is damaged, or of another version: at most its first rows are shown.
  case unreadable(reason: String)
  /// A step was not stored: the feed works from memory.
  case notSaved(reason: String)
  /// A row or the key of a page cannot be stored, and the rest is: after the next launch the source
  /// is asked for it again.
  case leftOut(reason: String)
}

extension CacheIssue: LocalizedError {
  /// What happened, and what it means.
  public var errorDescription: String? { description }
}

extension CacheIssue: CustomStringConvertible {
  /// What happened, and what it means.
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

/// Rows as a cache gives them back.
public struct CachedRows<Item: ListItem>: Equatable, Sendable {
  /// A row as it is stored: an item or a gap.
  public enum Row: Equatable, Sendable {
    /// An item, with what is known of the page that began or ended with it.
    case item(Item, PageBoundary?)
    /// A place where rows may be missing.
    case gap
  }

  /// The stored rows, in the server's order.
  public var rows: [Row]
  /// What was stored beside the rows.
  public var state: CachedState
  /// Whether these are all rows: `loadRest()` has nothing to add.
  public var isComplete: Bool
  /// How many rows are stored in all.
  public var count: Int

  /// Creates what a cache gives back: rows, and what is known of the list around them.
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

/// What a feed stores beside its rows.
public struct CachedState: Equatable, Codable, Sendable {
  /// What is known of the list's head.
  public var head: FeedEnd
  /// What is known of the list's tail.
  public var tail: FeedEnd
  /// When the head of the list was last asked for.
  public var refreshedAt: Date?
  /// Where the reader is, as an index among all rows.
  public var anchor: Int?
  /// The rows that news or an edit put where they stand, as indices among all rows.
  ///
  /// No answer had them there, so that nothing is known of what is around them. The ranges ascend
  /// and are apart, and are few: rows between two such rows may be among them.
  public var unproven: [Range<Int>]
  /// What the first rows are a page of, where the source gave it a validator.
  ///
  /// A cache that may give the rows back otherwise than they were stored gives them back without
  /// it.
  public var page: CachedPage?

  /// Creates a state, of a feed of which nothing is known unless an argument says so.
  public init(
    head: FeedEnd = .unknown, tail: FeedEnd = .unknown, refreshedAt: Date? = nil,
    anchor: Int? = nil, unproven: [Range<Int>] = [], page: CachedPage? = nil
  ) {
    self.head = head
    self.tail = tail
    self.refreshedAt = refreshedAt
    self.anchor = anchor
    self.unproven = unproven
    self.page = page
  }
}

/// One step of a feed, to be stored as a whole; several that came faster than they could be stored
/// are one.
///
/// Indices count the rows that are stored: where a feed let rows go to save memory, a gap in `rows`
/// stands for them, as `unloaded` says.
public struct FeedCommit<Item: ListItem>: Sendable {
  /// A gap that stands for rows which are stored and not in memory.
  ///
  /// They stay as they are.
  public struct Unloaded: Equatable, Sendable {
    /// The index of the gap in `rows`.
    public let row: Int
    /// How many stored rows it stands for.
    public let count: Int
  }

  /// All rows after the step that are in memory.
  public let rows: RowTree<ListRow<Item>>
  /// The gaps among them that stand for others, ascending.
  ///
  /// - Complexity: O(log *n*) for each.
  public var unloaded: [Unloaded] {
    stored.unloaded.map { Unloaded(row: $0.gap, count: $0.count) }
  }
  /// How the rows in memory count among those that are stored.
  let stored: DiskIndexMap
  /// The rows that went, as indices before the step, ascending.
  public let deleted: [Int]
  /// The rows that came, as indices after the step, ascending.
  public let inserted: [Int]
  /// The rows whose contents or keys changed, as indices after the step, ascending.
  public let updated: [Int]
  /// Whether what was stored before is not what this step started from: only `rows` count.
  public let isWhole: Bool
  /// Returns what is known of the page that began or ended with an item.
  let marks: @Sendable (Item.ID) -> PageBoundary?
  /// What is stored beside the rows.
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

  /// What is known of the pages that began or ended with an item.
  public func mark(of id: Item.ID) -> PageBoundary? { marks(id) }

  /// How many rows are stored after the step.
  public var count: Int { rows.count + stored.surplus }

  /// Whether all rows that are stored are in memory.
  var isInMemory: Bool { stored.isEmpty }
}

extension FeedCommit where Item == AnyItem {
  /// The step, of items of a type.
  func typed<Other>(as _: Other.Type = Other.self) -> FeedCommit<Other> {
    FeedCommit<Other>(
      rows: RowTree(refs: rows.refs), stored: stored, deleted: deleted, inserted: inserted,
      updated: updated, isWhole: isWhole, marks: { [marks] in marks(RowID(Other._key(of: $0))) },
      state: state)
  }
}

extension CachedRows {
  /// The rows, of items whatever their type.
  var erased: CachedRows<AnyItem> {
    CachedRows<AnyItem>(
      rows: rows.map(\.erased), state: state, isComplete: isComplete, count: count)
  }
}

extension CachedRows where Item == AnyItem {
  /// The rows, of items of a type.
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

/// Where a feed is cached.
///
/// ```swift
/// let feed = FeedController(source, cache: .file("home"))
/// ```
public struct FeedCacheChoice<Item: ListItem>: Sendable {
  let cache: any FeedCache<Item>

  /// A cache of one's own.
  public init(_ cache: some FeedCache<Item>) { self.cache = cache }
}
