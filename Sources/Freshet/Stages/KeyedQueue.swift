internal import FreshetLists

/// Values that wait until their keys have passed, the least key first.
struct KeyedQueue<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  private var entries = RowTree<(key: Key, value: Value)>()

  /// Adds a value behind those with the same key.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ value: Value, at key: Key) {
    entries.insert((key, value), at: entries.partitioningIndex { $0.key > key })
  }

  /// Takes the first values out, as long as their keys have passed.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* values.
  mutating func removeFirst(while hasPassed: (Key) -> Bool) -> [Value] {
    guard let first = entries.first, hasPassed(first.key) else { return [] }
    let (passed, rest) = entries.split(at: entries.partitioningIndex { !hasPassed($0.key) })
    entries = rest
    return passed.map(\.value)
  }
}
