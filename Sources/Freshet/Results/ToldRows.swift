public import FreshetLists

/// The rows of a table that a query was told of, by what identifies a row there: for stores that
/// are told which rows changed, and look them up.
@usableFromInline
package struct ToldRows<Key: Hashable & Sendable, Item: ListItem>: Sendable {
  @usableFromInline var ids: [Key: Item.ID] = [:]
  @usableFromInline var keys: [Item.ID: Key] = [:]

  package init() {}

  /// The query was told of these rows; of rows of one item the last one counts.
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
      keys[item.id] = key
    }
  }

  /// How many rows there are.
  package var count: Int { ids.count }

  /// What identifies the rows.
  package var rowKeys: some Sequence<Key> { ids.keys }

  /// What identifies the row of an item.
  package func key(of id: Item.ID) -> Key? { keys[id] }

  /// The query is told of a row.
  package mutating func insert(_ item: Item, for key: Key) {
    ids[key] = item.id
    keys[item.id] = key
  }

  /// What changed, where these rows were looked up.
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
    for item in others { changes.addDeletion(of: item.id) }
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
    guard let id = ids.removeValue(forKey: key), keys[id] == key else { return }
    keys[id] = nil
    changes.addDeletion(of: id)
  }
}
