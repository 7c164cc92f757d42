/// A persistent sequence of rows: copied in constant time, edited in logarithmic time.
///
/// Snapshots, timelines and arranged lists share this one structure. It is a counted B+tree: rows
/// stand in leaves of up to 64, inner nodes of up to 32 children know how many rows stand below
/// each child, and every node is an array, so that a copy of the tree shares all nodes and an
/// edit copies the path to the leaf it touches. A tree of one leaf is the flat array.
///
/// - Complexity: O(1) to copy; O(log *n*) to reach, insert, remove or replace a row, to cut and to
///   join; O(*m*) to build from *m* rows; O(1) a row, amortised, to iterate.
public struct RowTree<Row> {
  @usableFromInline var root: RowNode<Row>
  @usableFromInline var height: Int
  @usableFromInline var rowCount: Int

  /// The number of rows.
  @inlinable public var count: Int { rowCount }

  /// Creates an empty tree.
  @inlinable
  public init() {
    root = .empty
    height = 0
    rowCount = 0
  }

  @inlinable
  init(root: RowNode<Row>, height: Int, count: Int) {
    self.root = root
    self.height = height
    rowCount = count
    while case .inner(let children) = self.root, children.count == 1 {
      self.root = children[0].node
      self.height -= 1
    }
  }

  /// Creates a tree of these rows, in their order.
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    if let tree = rows as? RowTree<Row> {
      self = tree
      return
    }
    var level = ContiguousArray<RowChild<Row>>()
    var leaf = ContiguousArray<Row>()
    leaf.reserveCapacity(Swift.min(rows.underestimatedCount, RowNode<Row>.leafCapacity))
    var count = 0
    for row in rows {
      if leaf.count == RowNode<Row>.leafCapacity {
        level.append(RowChild(.leaf(leaf)))
        leaf = ContiguousArray()
        leaf.reserveCapacity(RowNode<Row>.leafCapacity)
      }
      leaf.append(row)
      count += 1
    }
    guard count > 0 else {
      self.init()
      return
    }
    level.append(RowChild(.leaf(leaf)))
    var height = 0
    while level.count > 1 {
      let fan = RowNode<Row>.fan
      var above = ContiguousArray<RowChild<Row>>()
      var start = 0
      while start < level.count {
        let end = Swift.min(start + fan, level.count)
        above.append(RowChild(.inner(ContiguousArray(level[start..<end]))))
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
  public func isIdentical(to other: RowTree) -> Bool {
    count == other.count && root.isIdentical(to: other.root)
  }
}

extension RowTree: Sendable where Row: Sendable {}

extension RowTree: ExpressibleByArrayLiteral {
  /// Creates a tree of these rows.
  @inlinable
  public init(arrayLiteral rows: Row...) { self.init(rows) }
}

extension RowTree: Equatable where Row: Equatable {
  /// Whether both trees hold equal rows in the same order.
  ///
  /// - Complexity: O(1) for trees that share storage, else O(*n*).
  @inlinable
  public static func == (first: RowTree, second: RowTree) -> Bool {
    first.isIdentical(to: second) || first.count == second.count && first.elementsEqual(second)
  }
}

extension RowTree: CustomStringConvertible {
  /// The rows, as an array describes them.
  public var description: String { Array(self).description }
}
