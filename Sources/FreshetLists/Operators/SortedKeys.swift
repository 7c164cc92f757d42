/// Keys in order, each as often as it came: what the smallest, the largest and the middle of a list
/// are read from.
///
/// ```swift
/// let prices = orders.reduced(into: SortedKeys<Int>()) {
///   $0.insert($1.total)
/// } inverse: {
///   $0.remove($1.total)
/// }
/// for await price in prices { print(price.value.first ?? 0) }
/// ```
public struct SortedKeys<Key: Comparable & Sendable>: Sendable {
  /// All keys, in ascending order.
  public private(set) var keys = CountedTree<Key>()

  /// Creates a collection without keys.
  public init() {}

  /// How many keys there are.
  public var count: Int { keys.count }
  /// The smallest key; `nil` where there is none.
  public var first: Key? { keys.first }
  /// The largest key; `nil` where there is none.
  public var last: Key? { keys.last }

  /// Adds a key; equal ones are kept too.
  ///
  /// - Complexity: O(log *n*).
  public mutating func insert(_ key: Key) { keys.insert(key, at: place(of: key)) }

  /// Takes a key out once; one that is not there stays out.
  ///
  /// - Complexity: O(log *n*).
  public mutating func remove(_ key: Key) {
    let place = place(of: key)
    if place < keys.count, keys[place] == key { keys.remove(at: place) }
  }

  private func place(of key: Key) -> Int { keys.partitioningIndex { $0 >= key } }
}
