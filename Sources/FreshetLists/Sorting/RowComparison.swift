// Proof: its closures are `@Sendable`, except those of `ids(_:of:)`. These capture only types of
// ids, which are `Sendable`.

/// An order of rows, by a key of their items.
///
/// It is created in code that knows the item type, so that the work for each row is not generic.
@_documentation(visibility: internal)
public struct RowComparison: @unchecked Sendable {
  /// A function that compares a row, whose key is read once, with others.
  ///
  /// Its result is negative, zero or positive.
  let comparing: (RowRef) -> (RowRef) -> Int
  /// A stable sort of a range of row indices; it returns the runs of rows that tie.
  let sort: ([RowRef], inout [Int32], Range<Int>) -> [Range<Int>]

  /// Creates the order of rows by a key.
  ///
  /// - Parameter direction: the direction, if the order is the natural order of the keys;
  ///   otherwise `nil`.
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

  /// Returns the order of the ids of items, if the type of ids can be compared.
  static func ids<Item: ListItem, Key: Comparable>(_: Key.Type, of _: Item.Type) -> RowComparison {
    // `Key` and the type of the ids are one type under two names.
    RowComparison(
      unchecked: { unsafe unsafeBitCast(Item._id(of: $0), to: Key.self) }, .forward
    ) { $0 < $1 }
  }
}

extension [Int32] {
  /// Sorts a range by the keys of its elements, stably, and returns the runs of equal keys.
  ///
  /// - Parameter direction: the direction, if the order is the natural order of the keys;
  ///   otherwise `nil`.
  @inlinable
  mutating func sort<Key>(
    _ range: Range<Int>, by key: (Int32) -> Key, _ direction: ListDirection?,
    _ precedes: (Key, Key) -> Bool
  ) -> [Range<Int>] {
    // Integers are sorted, and each key is computed once.
    let old = self[range]
    let keys = old.map(key)
    let codes = direction.flatMap { SortCodes.codes(of: keys, $0) }
    var places = keys.indices.map { SortedPlace(code: codes?[$0] ?? 0, index: Int32($0)) }
    func areInOrder(_ first: SortedPlace, _ second: SortedPlace) -> Bool {
      if first.code != second.code { return first.code < second.code }
      return precedes(keys[Int(first.index)], keys[Int(second.index)])
    }
    if codes != nil { places.sort() }
    // Keys with the same code are mostly equal. Checking that they are in order takes one
    // comparison for each pair of neighbours.
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

/// An element to sort: the index of its key, and a code in the order of the keys.
@usableFromInline
struct SortedPlace: Comparable {
  @usableFromInline let code: UInt64
  @usableFromInline let index: Int32

  @inlinable
  init(code: UInt64, index: Int32) {
    self.code = code
    self.index = index
  }
  /// Returns whether the first element has the smaller code, or else the smaller index.
  @inlinable
  static func < (first: SortedPlace, second: SortedPlace) -> Bool {
    first.code != second.code ? first.code < second.code : first.index < second.index
  }
}

extension [SortedPlace] {
  /// The ranges of two or more adjacent elements with the same code.
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
