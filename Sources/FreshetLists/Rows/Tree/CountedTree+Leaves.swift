// Proof of the casts: all leaves of a tree are `RowLeaf<Row>`, as only functions of
// `CountedTree<Row>` make leaves, and nodes never go from a tree to one of other rows.
extension CountedTree {
  @inlinable @inline(__always)
  static func typed(_ leaf: AnyRowLeaf) -> RowLeaf<Row> {
    unsafe unsafeDowncast(leaf, to: RowLeaf<Row>.self)
  }

  /// A leaf with the same rows that no other tree holds.
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

// Proof: its one reference that can change is to leaves, and only `owned(_:)` gives one to be
// changed. That is one that no other tree holds: leaves that several trees, and so several threads,
// may share never change. The rows in them are `Sendable`.
extension CountedTree: @unchecked Sendable where Row: Sendable {}
