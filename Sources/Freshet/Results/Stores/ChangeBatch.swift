public import FreshetLists

/// The kind of a change of an item in a store.
public enum ChangeKind: String, Codable, CaseIterable, Sendable {
  /// The item was inserted into the store.
  case insert
  /// The item has other contents now.
  case update
  /// The item was deleted from the store.
  case delete
}

/// A batch of changes, with one change for each id.
///
/// The last change of an item counts. An insertion followed by an update stays an insertion, and
/// any change followed by a deletion is a deletion. A batch may therefore contain a deletion of an
/// item that the receiver never had, which the receiver can ignore.
public struct ChangeBatch<Item: ListItem>: Sendable {
  /// A change of one item.
  public struct Change: Equatable, Sendable {
    /// Whether the item was inserted, updated or deleted.
    public let kind: ChangeKind
    /// The item as it is now; `nil` if it was deleted.
    public let item: Item?
    /// The id of the item that changed.
    public let id: Item.ID
  }

  private var changes: [Change] = []
  /// The index of each id's change, once there are more than a few changes.
  private var indices: [Item.ID: Int] = [:]
  // Items that were added together, before any other change. Ids that repeat among them are found
  // only if a caller needs more than the items; for the initial results no caller does.
  private var load: Load?
  /// The items whose last change is an echo.
  private(set) var echoes: Set<Item.ID> = []

  private struct Load: Sendable {
    let items: [Item]
    let kind: ChangeKind
  }

  /// The largest number of changes that is searched one by one.
  private static var few: Int { 8 }

  /// Creates a batch without changes.
  public init() {}

  /// Creates a batch of changes of different items.
  package init(_ changes: [Change]) { self.changes = changes }

  /// The number of items that changed.
  ///
  /// - Complexity: O(1); O(*n*) for items that were enqueued together.
  public var count: Int { all.count }
  /// Whether the batch has no changes.
  public var isEmpty: Bool { changes.isEmpty && load == nil }
  /// The changes, in the order in which their items first changed.
  ///
  /// - Complexity: O(1); O(*n*) at each call for items that were enqueued together, so call it
  ///   once.
  public var all: [Change] {
    guard load != nil else { return changes }
    var told = self
    told.tellApart()
    return told.changes
  }

  /// The items that were inserted or updated.
  ///
  /// - Complexity: O(*n*).
  public var upserted: [Item] { all.compactMap(\.item) }
  /// The ids of the items that were deleted.
  ///
  /// - Complexity: O(*n*).
  public var deleted: [Item.ID] { changes.lazy.filter { $0.kind == .delete }.map(\.id) }

  /// The inserted and updated items; an id may repeat, and the last item with it counts.
  var latest: [Item] { load?.items ?? upserted }
  /// An upper bound for the number of changes.
  var atMost: Int { load?.items.count ?? changes.count }

  /// Adds items that were all inserted, all updated or all deleted.
  mutating func add(_ items: [Item], as kind: ChangeKind) {
    if isEmpty, kind != .delete, items.count > Self.few {
      load = Load(items: items, kind: kind)
    } else {
      for item in items { add(item, as: kind) }
    }
  }

  /// Adds an item that was inserted, updated or deleted.
  public mutating func add(_ item: Item, as kind: ChangeKind) {
    add(Change(kind: kind, item: kind == .delete ? nil : item, id: item.id))
  }

  /// Adds the deletion of an item.
  public mutating func addDeletion(of id: Item.ID) {
    add(Change(kind: .delete, item: nil, id: id))
  }

  /// Adds the changes of a later batch.
  public mutating func add(_ later: ChangeBatch) {
    if isEmpty { self = later } else { for change in later.all { add(change, of: later) } }
  }

  /// Adds a change of a later batch.
  ///
  /// An echo does not hide an item that was reported before it, because it is not newer.
  mutating func add(_ change: Change, of later: ChangeBatch) {
    guard later.isEcho(change.id) else { return add(change) }
    tellApart()
    let index = place(of: change.id)
    if index < changes.count, changes[index].item != nil, change.item != nil, !isEcho(change.id) {
      return
    }
    add(change)
    echoes.insert(change.id)
  }

  // MARK: - Echoes

  /// Returns whether a feed of the receiver's identity map wrote the last change of an item.
  ///
  /// The map knows the version that was written, so the change is an echo: it is no news.
  package func isEcho(_ id: Item.ID) -> Bool { !echoes.isEmpty && echoes.contains(id) }

  /// Returns the batch with all of its changes as echoes, or with those of some items.
  func asEchoes(where isIncluded: (Item.ID) -> Bool = { _ in true }) -> ChangeBatch {
    var batch = self
    batch.tellApart()
    batch.echoes = Set(batch.changes.lazy.map(\.id).filter(isIncluded))
    return batch
  }

  /// Adds the current state of an item; `nil` records its deletion.
  mutating func add(_ item: Item?, withID id: Item.ID, as kind: ChangeKind) {
    add(Change(kind: item == nil ? .delete : kind, item: item, id: id))
  }

  /// Adds a change.
  mutating func add(_ change: Change) {
    tellApart()
    let index = place(of: change.id)
    guard index < changes.count else { return changes.append(change) }
    if !echoes.isEmpty { echoes.remove(change.id) }
    let first = changes[index].kind
    let kind: ChangeKind =
      switch (first, change.kind) {
      case (.insert, .update): .insert
      case (.delete, .insert): .update
      case (_, let last): last
      }
    changes[index] = Change(kind: kind, item: change.item, id: change.id)
  }

  /// Makes a separate change for each item that was added together with others.
  private mutating func tellApart() {
    guard let load else { return }
    self.load = nil
    changes.reserveCapacity(load.items.count)
    indices.reserveCapacity(load.items.count)
    for item in load.items { add(item, as: load.kind) }
  }

  /// Returns the changes as a query receives them: an item it does not select counts as deleted.
  ///
  /// - Complexity: O(changes); nothing is copied if the query selects all of them.
  func seen(by isIncluded: (Item) -> Bool) -> ChangeBatch {
    var seen = self
    seen.tellApart()
    for index in seen.changes.indices {
      guard let item = seen.changes[index].item, !isIncluded(item) else { continue }
      seen.changes[index] = Change(kind: .delete, item: nil, id: item.id)
    }
    return seen
  }

  /// Returns the index of an id's change; if there is none yet, the index after all changes.
  private mutating func place(of id: Item.ID) -> Int {
    let end = changes.count
    if indices.isEmpty {
      for index in 0..<end where changes[index].id == id { return index }
      guard end >= Self.few else { return end }
      for (index, change) in changes.enumerated() { indices[change.id] = index }
    }
    func value(_ index: inout Int) -> Int { index }
    // Finds it or adds it by hashing the id once.
    return value(&indices[id, default: end])
  }
}

extension ChangeBatch: Equatable {
  /// Whether both have the same changes, in the same order.
  public static func == (first: ChangeBatch, second: ChangeBatch) -> Bool {
    first.all == second.all
  }
}
