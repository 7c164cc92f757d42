/// An order of items, by a part of them.
///
/// It is made where the item's type is known: what it does for each of many items is not generic
/// then.
@usableFromInline
struct ItemOrder<Item: ListItem>: Sendable {
  /// How an item, whose part is looked up once, stands to others: negative, zero or positive.
  @usableFromInline let comparing: @Sendable (Item) -> (Item) -> Int
  /// Sorts a range of indices into items, stably, and returns the runs that it does not tell apart.
  @usableFromInline let sort: @Sendable ([Item], inout [Int32], Range<Int>) -> [Range<Int>]

  /// - Parameter direction: how the order is that of the keys, where they have one of their own.
  @inlinable
  init<Key>(
    _ key: @escaping @Sendable (Item) -> Key, _ direction: ListDirection?,
    _ precedes: @escaping @Sendable (Key, Key) -> Bool
  ) {
    comparing = { first in
      let first = key(first)
      return { second in
        let second = key(second)
        return precedes(first, second) ? -1 : precedes(second, first) ? 1 : 0
      }
    }
    sort = { items, indices, range in
      indices.sort(range, by: { key(items[Int($0)]) }, direction, precedes)
    }
  }
}

/// The order of an arrangement: several orders, and where they tie, that of the ids if they have
/// one (rule A2); else that of arrival decides, which `ArrangedList` knows.
@usableFromInline
struct TotalOrder<Item: ListItem> {
  @usableFromInline let orders: [ItemOrder<Item>]
  @usableFromInline let ids: IDOrder?

  @usableFromInline
  struct IDOrder {
    @usableFromInline let compare: (Item, Item) -> Int
    @usableFromInline let sort: ([Item], inout [Int32], Range<Int>) -> Void

    @inlinable
    init<ID: Comparable>(_: ID.Type) {
      // Two names of one type. A cast at each comparison costs more than the comparison.
      func id(_ item: Item) -> ID { unsafe unsafeBitCast(item.id, to: ID.self) }
      compare = { id($0) < id($1) ? -1 : id($1) < id($0) ? 1 : 0 }
      sort = { items, indices, range in
        _ = indices.sort(range, by: { id(items[Int($0)]) }, .forward, <)
      }
    }
  }

  @inlinable
  init(_ arrangement: Arrangement<Item>) {
    orders = arrangement.orders
    ids = (Item.ID.self as? any Comparable.Type).map { IDOrder($0) }
  }

  /// How an item stands to others: negative, zero or positive.
  @inlinable
  func comparing(_ first: Item) -> (Item) -> Int {
    if orders.count == 1, ids == nil { return orders[0].comparing(first) }
    let comparisons = orders.map { $0.comparing(first) }
    let ids = ids
    return { second in
      for compare in comparisons {
        let difference = compare(second)
        if difference != 0 { return difference }
      }
      return ids?.compare(first, second) ?? 0
    }
  }

  /// Brings indices of items into this order, those that tie as they were.
  @inlinable
  func sort(_ indices: inout [Int32], of items: [Item]) {
    var ties = indices.count > 1 ? [0..<indices.count] : []
    for order in orders { ties = ties.flatMap { order.sort(items, &indices, $0) } }
    for run in ties { ids?.sort(items, &indices, run) }
  }
}

extension [Int32] {
  /// Sorts a range by the keys of its elements, stably, and returns the runs of equal keys.
  ///
  /// - Parameter direction: how the order is that of the keys, where they have one of their own.
  @inlinable
  mutating func sort<Key>(
    _ range: Range<Int>, by key: (Int32) -> Key, _ direction: ListDirection?,
    _ precedes: (Key, Key) -> Bool
  ) -> [Range<Int>] {
    // Integers are sorted, and each key is made once.
    let old = self[range]
    let keys = old.map(key)
    let codes = direction.flatMap { SortCodes.codes(of: keys, $0) }
    var places = keys.indices.map { SortedPlace(code: codes?[$0] ?? 0, index: Int32($0)) }
    func areInOrder(_ first: SortedPlace, _ second: SortedPlace) -> Bool {
      if first.code != second.code { return first.code < second.code }
      return precedes(keys[Int(first.index)], keys[Int(second.index)])
    }
    if codes != nil { places.sort() }
    // Keys of one number mostly are one key: that neighbours among them are in order takes one
    // comparison each.
    for run in codes == nil ? [places.indices] : places.runsOfCodes
    where run.dropFirst().contains(where: { areInOrder(places[$0], places[$0 - 1]) }) {
      places[run].sort(by: areInOrder)
    }
    for (index, place) in zip(range, places) {
      self[index] = old[range.lowerBound + Int(place.index)]
    }

    var runs: [Range<Int>] = []
    var start = 0
    for end in 1...places.count {
      if end < places.count, !areInOrder(places[end - 1], places[end]) { continue }
      if end - start > 1 { runs.append((range.lowerBound + start)..<(range.lowerBound + end)) }
      start = end
    }
    return runs
  }
}

/// An element that is sorted by its key: where the key stands, and a number in the order of the
/// keys.
@usableFromInline
struct SortedPlace: Comparable {
  @usableFromInline let code: UInt64
  @usableFromInline let index: Int32

  @inlinable
  init(code: UInt64, index: Int32) {
    self.code = code
    self.index = index
  }
  /// By the number, and of one number by the place.
  @inlinable
  static func < (first: SortedPlace, second: SortedPlace) -> Bool {
    first.code != second.code ? first.code < second.code : first.index < second.index
  }
}

extension [SortedPlace] {
  /// Where several stand side by side that have one number.
  @inlinable
  var runsOfCodes: [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for end in indices.dropFirst() where self[end].code != self[start].code {
      if end - start > 1 { runs.append(start..<end) }
      start = end
    }
    if count - start > 1 { runs.append(start..<count) }
    return runs
  }
}
