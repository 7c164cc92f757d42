public import FreshetLists

/// What happened to an item in a store.
public enum ChangeKind: String, Codable, CaseIterable, Sendable {
  /// It came.
  case insert
  /// It has other contents.
  case update
  /// It went.
  case delete
}

/// Changes gathered for one id each.
///
/// The last one counts: an insert that is followed by an update is an insert, and whatever is followed
/// by a delete is a delete. Whoever takes a delete of an item that never came has nothing to do.
public struct ChangeBatch<Item: ListItem>: Equatable, Sendable {
  /// A change of one item.
  public struct Change: Equatable, Sendable {
    /// What happened.
    public let kind: ChangeKind
    /// The item as it is now; `nil` where it went.
    public let item: Item?
    /// The item's id.
    public let id: Item.ID
  }

  private var changes: [Change] = []
  private var indices: [Item.ID: Int] = [:]

  /// Creates a batch without changes.
  public init() {}

  /// How many items changed.
  public var count: Int { changes.count }
  /// Whether nothing changed.
  public var isEmpty: Bool { changes.isEmpty }
  /// The changes, in the order in which the items changed first.
  public var all: [Change] { changes }

  /// The items that came or changed.
  public var upserted: [Item] { changes.compactMap(\.item) }
  /// The ids of the items that went.
  public var deleted: [Item.ID] { changes.lazy.filter { $0.kind == .delete }.map(\.id) }

  /// Adds an item that came, changed or went.
  public mutating func add(_ item: Item, as kind: ChangeKind) {
    add(Change(kind: kind, item: kind == .delete ? nil : item, id: item.id))
  }

  /// Adds that an item went.
  public mutating func addDeletion(of id: Item.ID) {
    add(Change(kind: .delete, item: nil, id: id))
  }

  /// Adds what happened later.
  public mutating func add(_ later: ChangeBatch) { for change in later.changes { add(change) } }

  /// Adds what an item is now; `nil` says that it went.
  mutating func add(_ item: Item?, withID id: Item.ID, as kind: ChangeKind) {
    add(Change(kind: item == nil ? .delete : kind, item: item, id: id))
  }

  /// Adds a change.
  mutating func add(_ change: Change) {
    guard let index = indices[change.id] else {
      indices[change.id] = changes.count
      changes.append(change)
      return
    }
    let first = changes[index].kind
    let kind: ChangeKind =
      switch (first, change.kind) {
      case (.insert, .update): .insert
      case (.delete, .insert): .update
      case (_, let last): last
      }
    changes[index] = Change(kind: kind, item: change.item, id: change.id)
  }
}
