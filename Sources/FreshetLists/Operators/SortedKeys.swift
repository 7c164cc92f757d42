/// Keys in ascending order, each as often as it was inserted.
///
/// The collection gives the smallest, largest and middle key of a list that changes.
///
/// ```swift
/// let prices = orders.reduced(into: SortedKeys<Int>()) {
///   $0.insert($1.total)
/// } inverse: {
///   $0.remove($1.total)
/// }
/// for await price in prices { print(price.value.first ?? 0) }
/// ```
///
/// The middle key is `keys[keys.count / 2]`.
public struct SortedKeys<Key: Comparable & Sendable>: Sendable {
  private var keys = CountedTree<Key>()

  /// Creates a collection without keys.
  public init() {}

  /// Inserts a key, even if an equal key is there.
  ///
  /// - Complexity: O(log *n*).
  public mutating func insert(_ key: Key) { keys.insert(key, at: place(of: key)) }

  /// Removes one occurrence of a key, if there is one.
  ///
  /// - Complexity: O(log *n*).
  public mutating func remove(_ key: Key) {
    let place = place(of: key)
    if place < keys.count, keys[place] == key { keys.remove(at: place) }
  }

  private func place(of key: Key) -> Int { keys.partitioningIndex { $0 >= key } }
}

extension SortedKeys: RandomAccessCollection {
  /// The index of the smallest key: zero.
  public var startIndex: Int { 0 }
  /// The index after the largest key: the number of keys.
  public var endIndex: Int { keys.count }

  /// Returns an iterator that passes the keys in O(1) each.
  public func makeIterator() -> some IteratorProtocol<Key> { keys.makeIterator() }

  /// The key at an index.
  ///
  /// - Precondition: the index is that of a key.
  /// - Complexity: O(log *n*).
  public subscript(index: Int) -> Key { keys[index] }
}
