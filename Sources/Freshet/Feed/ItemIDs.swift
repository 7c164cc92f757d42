internal import FreshetLists

/// A set of ids that shares with its copies what they have in common: copied in O(1), changed in
/// O(log *n*).
///
/// ```swift
/// PostRow(post, isSending: feed.value.pendingEdits.contains(post.id))
/// ```
public struct ItemIDs<ID: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let hash: Int
    let id: ID
  }

  /// The ids in the order of their hashes.
  private var entries = RowTree<Entry>()

  /// Creates an empty set.
  package init() {}

  /// Creates a set of these ids.
  package init(_ ids: some Sequence<ID>) { formUnion(ids) }

  /// Whether an id is in the set.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ id: ID) -> Bool { place(of: id).isThere }

  /// Adds an id.
  ///
  /// - Complexity: O(log *n*).
  package mutating func insert(_ id: ID) {
    let place = place(of: id)
    if !place.isThere { entries.insert(Entry(hash: id.hashValue, id: id), at: place.index) }
  }

  /// Takes an id out; one that is not there stays out.
  ///
  /// - Complexity: O(log *n*).
  package mutating func remove(_ id: ID) {
    let place = place(of: id)
    if place.isThere { entries.remove(at: place.index) }
  }

  /// Adds ids.
  ///
  /// - Complexity: O(*m* log *n*) for *m* ids; O(1) where the set is empty and the other one is a
  ///   set too.
  package mutating func formUnion(_ ids: some Sequence<ID>) {
    if isEmpty, let all = ids as? ItemIDs { return self = all }
    for id in ids { insert(id) }
  }

  /// Where an id is, or where it would be.
  private func place(of id: ID) -> (index: Int, isThere: Bool) {
    let hash = id.hashValue
    var index = entries.partitioningIndex { $0.hash >= hash }
    while index < entries.count, entries[index].hash == hash {
      if entries[index].id == id { return (index, true) }
      index += 1
    }
    return (index, false)
  }
}

extension ItemIDs: RandomAccessCollection {
  /// The index of the first id: zero.
  public var startIndex: Int { 0 }
  /// The index behind the last id: the number of ids.
  public var endIndex: Int { entries.count }
  /// The id at an index, in no particular order.
  public subscript(index: Int) -> ID { entries[index].id }
}

extension ItemIDs: Equatable {
  /// Whether both have the same ids.
  ///
  /// - Complexity: O(1) for copies of one set and for sets of different sizes, else O(*n* log *n*).
  public static func == (first: ItemIDs, second: ItemIDs) -> Bool {
    first.entries.isIdentical(to: second.entries)
      || first.count == second.count && first.allSatisfy(second.contains)
  }
}

extension ItemIDs: ExpressibleByArrayLiteral {
  /// Creates a set of these ids.
  public init(arrayLiteral ids: ID...) { self.init(ids) }
}

extension ItemIDs: CustomStringConvertible {
  /// The ids, as an array describes them.
  public var description: String { Array(self).description }
}
