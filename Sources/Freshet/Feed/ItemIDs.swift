internal import FreshetLists

/// A set of ids, copied in O(1) and changed in O(log *n*): copies share their common parts.
///
/// ```swift
/// PostRow(post, isSending: feed.value.pendingEdits.contains(post.id))
/// ```
public struct ItemIDs<ID: Hashable & Sendable>: Sendable {
  /// The ids, whatever their type.
  let keys: RowKeys

  init(keys: RowKeys) { self.keys = keys }

  /// Creates an empty set.
  package init() { keys = RowKeys() }

  /// Creates a set of these ids.
  package init(_ ids: some Sequence<ID>) {
    var keys = RowKeys()
    for id in ids { keys.insert(RowKeyBox(id)) }
    self.keys = keys
  }

  /// Whether an id is in the set.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ id: ID) -> Bool { keys.contains(RowKeyBox(id)) }

  /// Returns the ids of both sets.
  ///
  /// - Complexity: O(*m* log *n*) for *m* ids of the other set; O(1) if one of the sets is empty.
  func union(_ other: ItemIDs) -> ItemIDs { ItemIDs(keys: keys.union(other.keys)) }
}

extension ItemIDs: RandomAccessCollection {
  /// The index of the first id: zero.
  public var startIndex: Int { 0 }
  /// The index after the last id: the number of ids.
  public var endIndex: Int { keys.all.count }
  /// The id at an index, in no particular order.
  public subscript(index: Int) -> ID { RowKeyBox<ID>.id(of: keys.all[index]) }
}

extension ItemIDs: Equatable {
  /// Whether both have the same ids.
  ///
  /// - Complexity: O(1) for copies of one set and for sets of different sizes, else O(*n* log *n*).
  public static func == (first: ItemIDs, second: ItemIDs) -> Bool { first.keys == second.keys }
}

extension ItemIDs: ExpressibleByArrayLiteral {
  /// Creates a set of these ids.
  public init(arrayLiteral ids: ID...) { self.init(ids) }
}

extension ItemIDs: CustomStringConvertible {
  /// The ids, as an array describes them.
  public var description: String { Array(self).description }
}
