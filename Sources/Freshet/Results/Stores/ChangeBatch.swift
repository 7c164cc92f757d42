public import FreshetLists

/// What happened to an item in a store.
public enum ChangeKind: String, Codable, CaseIterable, Sendable {
  /// The item came into the store.
  case insert
  /// The item has other contents now.
  case update
  /// The item went from the store.
  case delete
}

/// Changes gathered for one id each.
///
/// The last one counts: an insert that is followed by an update is an insert, and whatever is
/// followed by a delete is a delete. Whoever takes a delete of an item that never came has nothing
/// to do.
public struct ChangeBatch<Item: ListItem>: Sendable {
  /// A change of one item.
  public struct Change: Equatable, Sendable {
    /// Whether the item came, changed or went.
    public let kind: ChangeKind
    /// The item as it is now; `nil` where it went.
    public let item: Item?
    /// The id of the item that changed.
    public let id: Item.ID
  }

  private var changes: [Change] = []
  /// Where the change of an id is, once there are more than a few.
  private var indices: [Item.ID: Int] = [:]
  // Items that were added all at once, before anything else. Whether an id repeats among them is
  // looked at when somebody asks for more than the items: in a load nobody does.
  private var load: Load?

  private struct Load: Sendable {
    let items: [Item]
    let kind: ChangeKind
  }

  /// How many changes are few: they are looked through.
  private static var few: Int { 8 }

  /// Creates a batch without changes.
  public init() {}

  /// How many items changed: each counts once.
  ///
  /// - Complexity: O(1); O(*n*) for items that were enqueued together.
  public var count: Int { all.count }
  /// Whether the batch has no changes.
  public var isEmpty: Bool { changes.isEmpty && load == nil }
  /// The changes, in the order in which the items changed first.
  ///
  /// - Complexity: O(1); O(*n*) at each call for items that were enqueued together: take it once.
  public var all: [Change] {
    guard load != nil else { return changes }
    var told = self
    told.tellApart()
    return told.changes
  }

  /// The items that came or changed.
  ///
  /// - Complexity: O(*n*).
  public var upserted: [Item] { all.compactMap(\.item) }
  /// The ids of the items that went.
  ///
  /// - Complexity: O(*n*).
  public var deleted: [Item.ID] { changes.lazy.filter { $0.kind == .delete }.map(\.id) }

  /// The items that came or changed; an id may repeat, and the last item with it counts.
  var latest: [Item] { load?.items ?? upserted }
  /// How many changes there are at most.
  var atMost: Int { load?.items.count ?? changes.count }

  /// Adds items that all came, changed or went.
  mutating func add(_ items: [Item], as kind: ChangeKind) {
    if isEmpty, kind != .delete, items.count > Self.few {
      load = Load(items: items, kind: kind)
    } else {
      for item in items { add(item, as: kind) }
    }
  }

  /// Adds an item that came, changed or went.
  public mutating func add(_ item: Item, as kind: ChangeKind) {
    add(Change(kind: kind, item: kind == .delete ? nil : item, id: item.id))
  }

  /// Adds that an item went.
  public mutating func addDeletion(of id: Item.ID) {
    add(Change(kind: .delete, item: nil, id: id))
  }

  /// Adds the changes of a batch that happened later.
  public mutating func add(_ later: ChangeBatch) {
    if isEmpty { self = later } else { for change in later.all { add(change) } }
  }

  /// Adds what an item is now; `nil` says that it went.
  mutating func add(_ item: Item?, withID id: Item.ID, as kind: ChangeKind) {
    add(Change(kind: item == nil ? .delete : kind, item: item, id: id))
  }

  /// Adds a change.
  mutating func add(_ change: Change) {
    tellApart()
    let index = place(of: change.id)
    guard index < changes.count else { return changes.append(change) }
    let first = changes[index].kind
    let kind: ChangeKind =
      switch (first, change.kind) {
      case (.insert, .update): .insert
      case (.delete, .insert): .update
      case (_, let last): last
      }
    changes[index] = Change(kind: kind, item: change.item, id: change.id)
  }

  /// Makes a change of each item that was added with others.
  private mutating func tellApart() {
    guard let load else { return }
    self.load = nil
    changes.reserveCapacity(load.items.count)
    indices.reserveCapacity(load.items.count)
    for item in load.items { add(item, as: load.kind) }
  }

  /// The changes as a query is told of them: an item that it does not ask for is gone.
  ///
  /// - Complexity: O(changes); nothing is copied where it asks for all.
  func seen(by isIncluded: (Item) -> Bool) -> ChangeBatch {
    var seen = self
    seen.tellApart()
    for index in seen.changes.indices {
      guard let item = seen.changes[index].item, !isIncluded(item) else { continue }
      seen.changes[index] = Change(kind: .delete, item: nil, id: item.id)
    }
    return seen
  }

  /// Where the change of an id is; behind all others where it is yet to be added.
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
