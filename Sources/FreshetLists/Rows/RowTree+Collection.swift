extension RowTree: RandomAccessCollection {
  /// The index of the first row: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index behind the last row: the number of rows.
  @inlinable public var endIndex: Int { count }

  /// The row that stands at an index.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(index: Int) -> Row {
    precondition(index >= 0 && index < count, "Row index out of range")
    var node = root
    var offset = index
    while true {
      switch node {
      case .leaf(let leaf): return Self.typed(leaf).rows[offset]
      case .inner(let children): node = children[children.child(of: &offset)].node
      }
    }
  }

  /// The index of the first row that satisfies the predicate, where all rows behind it do too.
  ///
  /// - Returns: `count` when no row does.
  /// - Complexity: O(log *n*) calls of the predicate.
  @inlinable
  public func partitioningIndex(where belongsBehind: (Row) throws -> Bool) rethrows -> Int {
    if count == 0 { return 0 }
    var node = root
    var index = 0
    while true {
      switch node {
      case .leaf(let leaf):
        let rows = Self.typed(leaf).rows
        var (low, high) = (0, rows.count)
        while low < high {
          let middle = (low + high) / 2
          if try belongsBehind(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return index + low
      case .inner(let children):
        // The first child whose last row belongs behind, or else the last child.
        var (low, high) = (0, children.count - 1)
        while low < high {
          let middle = (low + high) / 2
          if try belongsBehind(Self.last(of: children[middle].node)) {
            high = middle
          } else {
            low = middle + 1
          }
        }
        for child in 0..<low { index += children[child].count }
        node = children[low].node
      }
    }
  }

  /// Iterates the rows leaf by leaf.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator over the rows of a tree.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var leaves: RowLeaves<Row>
    @usableFromInline var leaf: ContiguousArray<Row>
    @usableFromInline var position = 0

    @inlinable
    init(_ root: RowNode) {
      leaves = RowLeaves(root)
      leaf = leaves.next() ?? []
    }

    /// The next row, or `nil` behind the last one.
    @inlinable
    public mutating func next() -> Row? {
      if position == leaf.count {
        guard let following = leaves.next() else { return nil }
        leaf = following
        position = 0
      }
      defer { position += 1 }
      return position < leaf.count ? leaf[position] : nil
    }
  }
}

extension RowTree {
  /// The last row of a node, which is never empty below an inner node.
  @inlinable
  static func last(of node: RowNode) -> Row {
    var node = node
    while true {
      switch node {
      case .leaf(let leaf):
        let rows = typed(leaf).rows
        return rows[rows.count - 1]
      case .inner(let children): node = children[children.count - 1].node
      }
    }
  }
}

/// The leaves of a tree, left to right.
@usableFromInline
struct RowLeaves<Row>: Sequence, IteratorProtocol {
  @usableFromInline var pending: [RowNode]

  @inlinable
  init(_ root: RowNode) { pending = [root] }

  @inlinable
  mutating func next() -> ContiguousArray<Row>? {
    while let node = pending.popLast() {
      switch node {
      case .leaf(let leaf): return RowTree<Row>.typed(leaf).rows
      case .inner(let children):
        for child in children.indices.reversed() { pending.append(children[child].node) }
      }
    }
    return nil
  }
}
