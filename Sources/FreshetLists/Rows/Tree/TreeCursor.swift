/// A reader of rows by index that keeps the leaf it last read, so that neighbours cost O(1).
///
/// Hot loops read through `leaf[offset]` after a `seek`. Comparing two elements in place avoids a
/// copy, and with it a retain and a release for every reference in a row.
@usableFromInline
struct TreeCursor<Row> {
  @usableFromInline let root: RowNode
  @usableFromInline var leaf: ContiguousArray<Row> = []
  /// The index of the leaf's first row.
  @usableFromInline var start = 0
  /// The index after the leaf's last row.
  @usableFromInline var end = 0

  @inlinable
  init(_ tree: CountedTree<Row>) { root = tree.root }

  /// Loads the leaf that holds the row at `index`, and returns the row's offset in it.
  @inlinable @inline(__always)
  mutating func seek(_ index: Int) -> Int {
    if index < start || index >= end { load(index) }
    return index - start
  }

  @inlinable @inline(never)
  mutating func load(_ index: Int) {
    var offset = index
    leaf = Self.leaf(below: root, at: &offset)
    start = index - offset
    end = start + leaf.count
  }

  /// Returns the leaf with the row at an index, which becomes the row's offset in it.
  ///
  /// The function is recursive: a loop would retain and release each node on the way.
  @inlinable
  static func leaf(below node: RowNode, at index: inout Int) -> ContiguousArray<Row> {
    switch node {
    case .leaf(let found): return CountedTree<Row>.typed(found).rows
    case .inner(let children):
      let child = children.child(of: &index)
      return leaf(below: children[child].node, at: &index)
    }
  }
}
