public import FreshetLists

/// The rows of a table that a query has received, by what identifies a row there: for stores that
/// learn which rows changed, and look them up.
///
/// The table may tell rows apart whose items have one id: a view that joins others has one item in
/// many rows, and ids that differ in how an accent is written are equal in Swift. Of those rows one
/// is shown, and another one once it goes.
@usableFromInline
package struct DeliveryRecord<Key: Hashable & Comparable & Sendable, Item: ListItem>: Sendable {
  @usableFromInline var ids: [Key: Item.ID] = [:]
  /// The row that is shown of each item.
  @usableFromInline var keys: [Item.ID: Key] = [:]
  /// The other rows of an item, where there are several.
  private var duplicates: [Item.ID: Set<Key>] = [:]
  /// The rows that are not shown, as another row has their item.
  package private(set) var covered: Set<Key> = []
  /// How often `covered` changed.
  package private(set) var coveredChanges = 0
  /// The row to look up next of an item of which none is shown any more.
  private var pending: [Item.ID: Key] = [:]

  package init() {}

  /// The query has received these rows; of rows of one item the last one is shown.
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
      if let other = keys.updateValue(key, forKey: item.id) { cover(other, of: item.id) }
    }
  }

  /// How many rows there are.
  package var count: Int { ids.count }

  /// What identifies the rows.
  package var rowKeys: some Sequence<Key> { ids.keys }

  /// Whether the query has received a row.
  package func contains(row key: Key) -> Bool { ids[key] != nil }

  /// The rows to look up next: what was shown instead of them is gone.
  ///
  /// - Complexity: O(their number).
  package var uncovered: Set<Key> { pending.isEmpty ? [] : Set(pending.values) }

  /// Whether the query has received an item.
  package func contains(_ id: Item.ID) -> Bool { keys[id] != nil || pending[id] != nil }

  /// What identifies the rows of an item: the one that is shown, and the others.
  package func keys(of id: Item.ID) -> Set<Key> {
    var all = duplicates[id] ?? []
    if let key = keys[id] { all.insert(key) }
    return all
  }

  /// The query receives a row, which is shown from now on.
  package mutating func insert(_ item: Item, for key: Key) {
    ids[key] = item.id
    if !pending.isEmpty, let next = pending.removeValue(forKey: item.id), next != key {
      cover(next, of: item.id)
    }
    if let other = keys.updateValue(key, forKey: item.id), other != key {
      cover(other, of: item.id)
    }
    if !duplicates.isEmpty { uncover(key, of: item.id) }
  }

  /// What changed, where these rows were looked up; those in `uncovered` are to be looked up next.
  ///
  /// An item that another row has stays as it is until that row was looked up.
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
    for item in others where !contains(item.id) { changes.addDeletion(of: item.id) }
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
    guard let id = ids.removeValue(forKey: key) else { return }
    if keys[id] == key {
      keys[id] = nil
    } else if pending[id] == key {
      pending[id] = nil
    } else {
      return uncover(key, of: id)
    }
    if let next = duplicates[id]?.max() {
      // It stays known, and is shown once it was looked up.
      uncover(next, of: id)
      pending[id] = next
    } else {
      changes.addDeletion(of: id)
    }
  }

  @usableFromInline
  mutating func cover(_ key: Key, of id: Item.ID) {
    duplicates[id, default: []].insert(key)
    covered.insert(key)
    coveredChanges += 1
  }

  private mutating func uncover(_ key: Key, of id: Item.ID) {
    guard duplicates[id]?.remove(key) != nil else { return }
    if duplicates[id]?.isEmpty ?? false { duplicates[id] = nil }
    covered.remove(key)
    coveredChanges += 1
  }
}
