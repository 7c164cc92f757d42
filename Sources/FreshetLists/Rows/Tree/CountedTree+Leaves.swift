// Proof of the casts: all leaves of a tree are `RowLeaf<Row>`. Only functions of
// `CountedTree<Row>` make leaves, and no node is ever passed to a tree of another row type.
extension CountedTree {
  @inlinable @inline(__always)
  static func typed(_ leaf: AnyRowLeaf) -> RowLeaf<Row> {
    unsafe unsafeDowncast(leaf, to: RowLeaf<Row>.self)
  }

  /// Returns a leaf with the same rows that no other tree holds.
  @inlinable
  static func owned(_ leaf: inout AnyRowLeaf) -> RowLeaf<Row> {
    if isKnownUniquelyReferenced(&leaf) { return typed(leaf) }
    let copy = RowLeaf(typed(leaf).rows)
    leaf = copy
    return copy
  }

  @inlinable
  static func leaf(_ rows: ContiguousArray<Row>) -> RowChild {
    RowChild(.leaf(RowLeaf(rows)), count: rows.count)
  }
}

// Proof: its only mutable references are to leaves, and only `owned(_:)` returns a leaf to be
// changed. No other tree holds that leaf. So leaves that several trees, and thus several threads,
// may share never change. The rows in them are `Sendable`.
extension CountedTree: @unchecked Sendable where Row: Sendable {}
