/// A persistent sequence of elements of any type: copied in constant time, edited in logarithmic
/// time.
///
/// All lists share this one structure (`RowTree`). It is a counted B+tree: elements are in leaves
/// of up to 64, or of up to 32 if they are large; inner nodes of up to 16 children know how many
/// elements are below each child; and every node is an array, so that a copy of the tree shares all
/// nodes and an edit copies the path to the leaf it touches. A tree of one leaf is the flat array.
///
/// - Complexity: O(1) to copy; O(log *n*) to reach, insert, remove or replace an element, to cut
///   and to join; O(*m*) to build from *m* elements; O(1) an element, amortised, to iterate.
@usableFromInline
package struct CountedTree<Row> {
  @usableFromInline var root: RowNode
  @usableFromInline var height: Int
  @usableFromInline var rowCount: Int

  /// The number of rows in the tree.
  @inlinable package var count: Int { rowCount }

  /// How many rows a leaf has at most: a change copies its leaf, and with it each reference in it.
  @inlinable static var leafCapacity: Int { MemoryLayout<Row>.stride > 48 ? 32 : 64 }

  /// Creates a tree without rows.
  @inlinable
  package init() {
    root = .empty
    height = 0
    rowCount = 0
  }

  @inlinable
  init(root: RowNode, height: Int, count: Int) {
    self.root = root
    self.height = height
    rowCount = count
    lower()
  }

  /// Makes the only child of the root the root.
  @inlinable
  mutating func lower() {
    if count == 0 { (root, height) = (.empty, 0) }
    while case .inner(let children) = root, children.count == 1 {
      root = children[0].node
      height -= 1
    }
  }

  /// Creates a tree of these rows, in their order.
  @inlinable
  package init(_ rows: some Sequence<Row>) {
    if let tree = rows as? CountedTree<Row> {
      self = tree
      return
    }
    if let leaves = rows.withContiguousStorageIfAvailable({ unsafe Self.leaves(of: $0) }) {
      self.init(leaves: leaves)
      return
    }
    var builder = CountedTreeBuilder<Row>(capacity: rows.underestimatedCount)
    for row in rows { builder.append(row) }
    self = builder.finish()
  }

  /// Leaves of rows that stand side by side in memory, which are copied all at once.
  @inlinable
  static func leaves(of rows: UnsafeBufferPointer<Row>) -> ContiguousArray<RowChild> {
    var leaves = ContiguousArray<RowChild>()
    var start = 0
    while start < rows.count {
      let end = Swift.min(start + leafCapacity, rows.count)
      let part = unsafe UnsafeBufferPointer(rebasing: rows[start..<end])
      leaves.append(leaf(unsafe ContiguousArray(part)))
      start = end
    }
    return leaves
  }

  /// Creates a tree of these leaves.
  @inlinable
  init(leaves: ContiguousArray<RowChild>) {
    guard !leaves.isEmpty else {
      self.init()
      return
    }
    var level = leaves
    var count = 0
    for leaf in leaves { count += leaf.count }
    var height = 0
    while level.count > 1 {
      let fan = RowNode.fan
      var above = ContiguousArray<RowChild>()
      var start = 0
      while start < level.count {
        let end = Swift.min(start + fan, level.count)
        above.append(RowNode.parent(of: ContiguousArray(level[start..<end])))
        start = end
      }
      level = above
      height += 1
    }
    self.init(root: level[0].node, height: height, count: count)
  }

  /// Whether both trees are the same storage, which proves them equal without a look at a row.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: CountedTree) -> Bool {
    guard count == other.count else { return false }
    switch (root, other.root) {
    case (.leaf(let leaf), .leaf(let other)):
      return leaf === other || Self.typed(leaf).rows.isIdentical(to: Self.typed(other).rows)
    case (.inner(let children), .inner(let others)): return children.isIdentical(to: others)
    default: return false
    }
  }
}

extension CountedTree: ExpressibleByArrayLiteral {
  /// Creates a tree of these rows.
  @inlinable
  package init(arrayLiteral rows: Row...) { self.init(rows) }
}

extension CountedTree: Equatable where Row: Equatable {
  /// Whether both trees hold equal rows in the same order.
  ///
  /// - Complexity: O(1) for trees that share storage, else O(*n*).
  @inlinable
  package static func == (first: CountedTree, second: CountedTree) -> Bool {
    first.isIdentical(to: second) || first.count == second.count && first.elementsEqual(second)
  }
}

extension CountedTree: CustomStringConvertible {
  /// The rows, as an array describes them.
  @usableFromInline package var description: String { Array(self).description }
}
