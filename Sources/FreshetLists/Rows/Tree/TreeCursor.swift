/// Reads rows by index and remembers the leaf it last read, so that neighbours cost O(1).
///
/// Hot loops read through `leaf[offset]` after a `seek`: comparing two elements in place spares a
/// copy, and with it a retain and a release for every reference a row holds.
@usableFromInline
struct TreeCursor<Row> {
  @usableFromInline let root: RowNode
  @usableFromInline var leaf: ContiguousArray<Row> = []
  /// The index of the leaf's first row.
  @usableFromInline var start = 0
  /// The index behind the leaf's last row.
  @usableFromInline var end = 0

  @inlinable
  init(_ tree: CountedTree<Row>) { root = tree.root }

  /// Makes `leaf` the one that holds the row at `index`, and returns the row's offset in it.
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

  /// The leaf with the row at an index, which becomes the row's offset in it.
  ///
  /// It calls itself: a loop would count the references to each node on the way.
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
