extension CountedTree: RandomAccessCollection {
  /// The index of the first row: zero.
  @inlinable package var startIndex: Int { 0 }
  /// The index after the last row: the number of rows.
  @inlinable package var endIndex: Int { count }

  /// The row at an index.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  package subscript(index: Int) -> Row {
    precondition(index >= 0 && index < count, "Row index out of range")
    return Self.row(at: index, below: root)
  }

  /// Returns the index of the first row that satisfies a predicate.
  ///
  /// All rows after that one must satisfy the predicate too.
  ///
  /// - Returns: `count` if no row satisfies the predicate.
  /// - Complexity: O(log *n*) calls of the predicate.
  @inlinable
  package func partitioningIndex(where belongsBehind: (Row) throws -> Bool) rethrows -> Int {
    count == 0 ? 0 : try Self.partitioningIndex(below: root, where: belongsBehind)
  }

  /// Returns an iterator over the rows, which reads leaf by leaf.
  @inlinable
  package func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator over the rows of a tree.
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var leaves: RowLeaves<Row>
    @usableFromInline var leaf: ContiguousArray<Row>
    @usableFromInline var position = 0

    @inlinable
    init(_ root: RowNode) {
      leaves = RowLeaves(root)
      leaf = leaves.next() ?? []
    }

    /// Returns the next row, or `nil` after the last one.
    @inlinable
    package mutating func next() -> Row? {
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

// These functions are recursive: a loop would retain and release each node on the way.
extension CountedTree {
  @inlinable
  static func row(at index: Int, below node: RowNode) -> Row {
    switch node {
    case .leaf(let leaf): return typed(leaf).rows[index]
    case .inner(let children):
      var offset = index
      let child = children.child(of: &offset)
      return row(at: offset, below: children[child].node)
    }
  }

  /// Returns the last row of a node; nodes below an inner node are never empty.
  @inlinable
  static func last(of node: RowNode) -> Row {
    switch node {
    case .leaf(let leaf):
      let rows = typed(leaf).rows
      return rows[rows.count - 1]
    case .inner(let children): return last(of: children[children.count - 1].node)
    }
  }

  @inlinable
  static func partitioningIndex(
    below node: RowNode, where belongsBehind: (Row) throws -> Bool
  ) rethrows -> Int {
    var low = 0
    switch node {
    case .leaf(let leaf):
      let rows = typed(leaf).rows
      var high = rows.count
      while low < high {
        let middle = (low + high) / 2
        if try belongsBehind(rows[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    case .inner(let children):
      // The first child whose last row satisfies the predicate, or else the last child.
      var high = children.count - 1
      while low < high {
        let middle = (low + high) / 2
        if try belongsBehind(last(of: children[middle].node)) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      var index = try partitioningIndex(below: children[low].node, where: belongsBehind)
      for child in 0..<low { index += children[child].count }
      return index
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
      case .leaf(let leaf): return CountedTree<Row>.typed(leaf).rows
      case .inner(let children):
        for child in children.indices.reversed() { pending.append(children[child].node) }
      }
    }
    return nil
  }
}
