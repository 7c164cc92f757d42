public import FreshetLists

/// The rows of a table that a query was told of, by what identifies a row there: for stores that
/// are told which rows changed, and look them up.
///
/// The table may tell rows apart whose items have one id: a view that joins others has one item in
/// many rows, and ids that differ in how an accent is written are equal in Swift. Of those rows one
/// is shown, the others wait until it goes.
@usableFromInline
package struct ToldRows<Key: Hashable & Sendable, Item: ListItem>: Sendable {
  @usableFromInline var ids: [Key: Item.ID] = [:]
  /// The row that is shown of each item.
  @usableFromInline var keys: [Item.ID: Key] = [:]
  /// The other rows of an item, where there are several.
  private var waiting: [Item.ID: Set<Key>] = [:]
  /// The rows to look up next: what was shown instead of them is gone.
  package private(set) var uncovered: Set<Key> = []

  package init() {}

  /// The query was told of these rows; of rows of one item the last one is shown.
  ///
  /// - Parameters:
  ///   - rows: what identifies each row.
  ///   - items: the item of each row, in parts.
  @inlinable
  package init(_ rows: [Key], items: [[Item]]) {
    ids.reserveCapacity(rows.count)
    keys.reserveCapacity(rows.count)
    for (key, item) in zip(rows, items.joined()) {
      ids[key] = item.id
      if let other = keys.updateValue(key, forKey: item.id) { wait(other, for: item.id) }
    }
  }

  /// How many rows there are.
  package var count: Int { ids.count }

  /// What identifies the rows.
  package var rowKeys: some Sequence<Key> { ids.keys }

  /// What identifies the row that is shown of an item.
  package func key(of id: Item.ID) -> Key? { keys[id] }

  /// The rows that are not shown, as another row has their item.
  package var covered: Set<Key> { waiting.values.reduce(into: []) { $0.formUnion($1) } }

  /// The query is told of a row, which is shown from now on.
  package mutating func insert(_ item: Item, for key: Key) {
    ids[key] = item.id
    if let other = keys.updateValue(key, forKey: item.id), other != key {
      wait(other, for: item.id)
    }
    if !waiting.isEmpty { stopWaiting(key, for: item.id) }
    if !uncovered.isEmpty { uncovered.remove(key) }
  }

  /// What changed, where these rows were looked up; those in `uncovered` are to be looked up next.
  ///
  /// - Parameters:
  ///   - keys: the rows that were looked up; `nil` where all were.
  ///   - found: those that the query asks for.
  ///   - others: those that are there and that it does not ask for.
  package mutating func changes(
    of keys: (some Sequence<Key>)?, found: [(key: Key, item: Item)], others: [Item] = []
  ) -> ChangeBatch<Item> {
    var changes = ChangeBatch<Item>()
    // Deletions first: an item may have gone from one row and come in another.
    for item in others where self.keys[item.id] == nil { changes.addDeletion(of: item.id) }
    let present = Set(found.lazy.map(\.key))
    if let keys {
      for key in keys where !present.contains(key) { remove(key, &changes) }
    } else {
      for key in Array(ids.keys) where !present.contains(key) { remove(key, &changes) }
    }
    for (key, item) in found where ids[key].map({ $0 != item.id }) ?? false {
      remove(key, &changes)
    }
    for (key, item) in found {
      changes.add(item, as: self.keys[item.id] == nil ? .insert : .update)
      insert(item, for: key)
    }
    return changes
  }

  private mutating func remove(_ key: Key, _ changes: inout ChangeBatch<Item>) {
    let wasNext = uncovered.remove(key) != nil
    guard let id = ids.removeValue(forKey: key) else { return }
    if keys[id] == key {
      keys[id] = nil
      changes.addDeletion(of: id)
    } else if !wasNext {
      return stopWaiting(key, for: id)
    }
    // It stays known, and is shown once it was looked up.
    guard keys[id] == nil, let next = waiting[id]?.first else { return }
    stopWaiting(next, for: id)
    uncovered.insert(next)
  }

  @usableFromInline
  mutating func wait(_ key: Key, for id: Item.ID) { waiting[id, default: []].insert(key) }

  private mutating func stopWaiting(_ key: Key, for id: Item.ID) {
    guard waiting[id]?.remove(key) != nil else { return }
    if waiting[id]?.isEmpty ?? false { waiting[id] = nil }
  }
}
