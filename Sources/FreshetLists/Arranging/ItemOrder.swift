/// An order of items, by a part of them.
///
/// It is made where the item's type is known: what it does for each of many items is not generic then.
@usableFromInline
struct ItemOrder<Item: ListItem>: Sendable {
  /// How two items stand to each other: negative, zero or positive.
  @usableFromInline let compare: @Sendable (Item, Item) -> Int
  /// Sorts a range of indices into items, stably, and returns the runs that it does not tell apart.
  @usableFromInline let sort: @Sendable ([Item], inout [Int32], Range<Int>) -> [Range<Int>]

  @inlinable
  init<Key>(
    _ key: @escaping @Sendable (Item) -> Key, _ precedes: @escaping @Sendable (Key, Key) -> Bool
  ) {
    compare = { first, second in
      let (first, second) = (key(first), key(second))
      return precedes(first, second) ? -1 : precedes(second, first) ? 1 : 0
    }
    sort = { items, indices, range in
      indices.sort(range, by: { key(items[Int($0)]) }, precedes)
    }
  }
}

/// The order of an arrangement: several orders, and where they tie, that of the ids if they have one
/// (rule A2); else that of arrival decides, which `ArrangedList` knows.
struct TotalOrder<Item: ListItem> {
  private let orders: [ItemOrder<Item>]
  private let ids: IDOrder?

  private struct IDOrder {
    let compare: (Item, Item) -> Int
    let sort: ([Item], inout [Int32], Range<Int>) -> Void

    init<ID: Comparable>(_: ID.Type) {
      // Two names of one type. A cast at each comparison costs more than the comparison.
      func id(_ item: Item) -> ID { unsafe unsafeBitCast(item.id, to: ID.self) }
      compare = { id($0) < id($1) ? -1 : id($1) < id($0) ? 1 : 0 }
      sort = { items, indices, range in
        _ = indices.sort(range, by: { id(items[Int($0)]) }, <)
      }
    }
  }

  init(_ arrangement: Arrangement<Item>) {
    orders = arrangement.orders
    ids = (Item.ID.self as? any Comparable.Type).map { IDOrder($0) }
  }

  /// How an item stands to another one: negative, zero or positive.
  func compare(_ first: Item, _ second: Item) -> Int {
    for order in orders {
      let difference = order.compare(first, second)
      if difference != 0 { return difference }
    }
    return ids?.compare(first, second) ?? 0
  }

  /// The items in this order, those that tie as they were.
  func sorted(_ items: [Item]) -> [Item] {
    var indices = Array(0..<Int32(items.count))
    var ties = items.count > 1 ? [0..<items.count] : []
    for order in orders { ties = ties.flatMap { order.sort(items, &indices, $0) } }
    for run in ties { ids?.sort(items, &indices, run) }
    return indices.map { items[Int($0)] }
  }
}

extension [Int32] {
  /// Sorts a range by the keys of its elements, stably, and returns the runs of equal keys.
  @inlinable
  mutating func sort<Key>(
    _ range: Range<Int>, by key: (Int32) -> Key, _ precedes: (Key, Key) -> Bool
  ) -> [Range<Int>] {
    // Integers are sorted, and each key is made once.
    let old = self[range]
    let keys = old.map(key)
    var places = Array(0..<Int32(keys.count))
    places.sort { precedes(keys[Int($0)], keys[Int($1)]) }
    for (index, place) in zip(range, places) { self[index] = old[range.lowerBound + Int(place)] }

    var runs: [Range<Int>] = []
    var start = 0
    for end in 1...places.count {
      if end < places.count, !precedes(keys[Int(places[end - 1])], keys[Int(places[end])]) {
        continue
      }
      if end - start > 1 { runs.append((range.lowerBound + start)..<(range.lowerBound + end)) }
      start = end
    }
    return runs
  }
}
