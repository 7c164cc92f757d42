/// A persistent sequence of elements of any type.
///
/// It is copied in constant time and edited in logarithmic time. All lists share this structure
/// (`RowTree`). It is a counted B+tree:
///
/// - Elements are in leaves of up to 64, or of up to 32 if they are large.
/// - Inner nodes of up to 16 children know how many elements are below each child.
/// - Every node is an array. A copy of the tree shares all nodes, and an edit copies the path to
///   the leaf it changes.
///
/// A tree of one leaf is the flat array.
///
/// - Complexity: O(1) to copy; O(log *n*) to access, insert, remove or replace an element, to
///   split and to join; O(*m*) to build from *m* elements; amortised O(1) for each element to
///   iterate.
@usableFromInline
package struct CountedTree<Row> {
  @usableFromInline var root: RowNode
  @usableFromInline var height: Int
  @usableFromInline var rowCount: Int

  /// The number of rows in the tree.
  @inlinable package var count: Int { rowCount }

  /// The maximum number of rows in a leaf.
  ///
  /// A change copies its leaf, and with it each reference in the leaf.
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

  /// Replaces the root by its only child, until it has several or is a leaf.
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

  /// Returns leaves of rows that are contiguous in memory, so that each leaf is copied at once.
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

  /// Returns whether both trees share their storage.
  ///
  /// If they do, they are equal, and no row has to be compared.
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
  /// Returns whether both trees hold equal rows in the same order.
  ///
  /// - Complexity: O(1) for trees that share storage, else O(*n*).
  @inlinable
  package static func == (first: CountedTree, second: CountedTree) -> Bool {
    first.isIdentical(to: second) || first.count == second.count && first.elementsEqual(second)
  }
}

extension CountedTree: CustomStringConvertible {
  /// The rows, described like an array.
  @usableFromInline package var description: String { Array(self).description }
}
