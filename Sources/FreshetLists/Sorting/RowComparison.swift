// Proof: its closures are `@Sendable`, but for those of `ids(_:of:)`, which capture nothing but
// types of ids, and those are `Sendable`.

/// An order of rows, by a part of their items.
///
/// It is made where the item's type is known: what it does for each of many rows is not generic
/// then.
@_documentation(visibility: internal)
public struct RowComparison: @unchecked Sendable {
  /// Returns how a row, whose part is looked up once, stands to others: negative, zero or positive.
  let comparing: (RowRef) -> (RowRef) -> Int
  /// Sorts a range of indices of rows, stably, and returns the runs that it does not tell apart.
  let sort: ([RowRef], inout [Int32], Range<Int>) -> [Range<Int>]

  /// Creates the order of rows by a part.
  ///
  /// - Parameter direction: how the order is that of the keys, where they have one of their own.
  @inlinable
  public init<Key>(
    _ key: @escaping @Sendable (RowRef) -> Key, _ direction: ListDirection?,
    _ precedes: @escaping @Sendable (Key, Key) -> Bool
  ) {
    self.init(unchecked: key, direction, precedes)
  }

  @inlinable
  init<Key>(
    unchecked key: @escaping (RowRef) -> Key, _ direction: ListDirection?,
    _ precedes: @escaping (Key, Key) -> Bool
  ) {
    self.init(
      comparing: { first in
        let first = key(first)
        return { second in
          let second = key(second)
          return precedes(first, second) ? -1 : precedes(second, first) ? 1 : 0
        }
      },
      sort: { rows, indices, range in
        indices.sort(range, by: { key(rows[Int($0)]) }, direction, precedes)
      })
  }

  @usableFromInline
  init(
    comparing: @escaping (RowRef) -> (RowRef) -> Int,
    sort: @escaping ([RowRef], inout [Int32], Range<Int>) -> [Range<Int>]
  ) {
    self.comparing = comparing
    self.sort = sort
  }

  /// The order of the ids of items, which are of a type that can be compared.
  static func ids<Item: ListItem, Key: Comparable>(_: Key.Type, of _: Item.Type) -> RowComparison {
    // Two names of one type.
    RowComparison(
      unchecked: { unsafe unsafeBitCast(Item._id(of: $0), to: Key.self) }, .forward
    ) { $0 < $1 }
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
