public import FreshetLists

/// The rows of a table that a query has received, by key, for stores that look up changed rows.
///
/// Several rows of a table may have items with the same id. A view that joins tables may have one
/// item in many rows. Ids that differ only in how an accent is encoded are equal in Swift. Only
/// one of these rows is shown. Once it is gone, another one is shown.
@usableFromInline
package struct DeliveryRecord<Key: Hashable & Comparable & Sendable, Item: ListItem>: Sendable {
  @usableFromInline var ids: [Key: Item.ID] = [:]
  /// The row that is shown for each item.
  @usableFromInline var keys: [Item.ID: Key] = [:]
  /// The other rows of an item, if there are several.
  private var duplicates: [Item.ID: Set<Key>] = [:]
  /// The rows that are not shown because another row has the same item.
  package private(set) var covered: Set<Key> = []
  /// The number of times that `covered` changed.
  package private(set) var coveredChanges = 0
  /// The row to look up next for each item that has rows, but none on display.
  private var pending: [Item.ID: Key] = [:]

  package init() {}

  /// Creates a record of received rows; if several rows have one item, the last one is shown.
  ///
  /// - Parameters:
  ///   - rows: the key of each row.
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

  /// The number of rows.
  package var count: Int { ids.count }

  /// The keys of the rows.
  package var rowKeys: some Sequence<Key> { ids.keys }

  /// Whether the query has received a row.
  package func contains(row key: Key) -> Bool { ids[key] != nil }

  /// The rows to look up next, because the row that was shown for their item is gone.
  ///
  /// - Complexity: O(their number).
  package var uncovered: Set<Key> { pending.isEmpty ? [] : Set(pending.values) }

  /// Whether the query has received an item.
  package func contains(_ id: Item.ID) -> Bool { keys[id] != nil || pending[id] != nil }

  /// Whether the query shows a row as the one of its item.
  package func shows(_ id: Item.ID, in key: Key) -> Bool { keys[id] == key }

  /// Returns the keys of all rows of an item, shown or not.
  package func keys(of id: Item.ID) -> Set<Key> {
    var all = duplicates[id] ?? []
    if let key = keys[id] { all.insert(key) }
    return all
  }

  /// Records a row that the query receives, and that is shown from now on.
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

  /// Records rows that were looked up, and returns the resulting changes.
  ///
  /// The caller looks up the rows in `uncovered` next. An item that another row has is left as it
  /// is until that row has been looked up.
  ///
  /// - Parameters:
  ///   - keys: the rows that were looked up; `nil` if all were.
  ///   - found: the rows that the query selects.
  ///   - others: the items of rows that exist and that the query does not select.
  package mutating func changes(
    of keys: (some Sequence<Key>)?, found: [(key: Key, item: Item)], others: [Item] = []
  ) -> ChangeBatch<Item> {
    var changes = ChangeBatch<Item>()
    // Deletions are first: an item may have been removed from one row and inserted in another.
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
      // The item remains known, and is shown once this row has been looked up.
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
