/// Rows that become a tree, one behind the other: each is copied once.
@usableFromInline
struct RowTreeBuilder<Row> {
  @usableFromInline var leaves = ContiguousArray<RowChild>()
  /// The rows behind the last leaf that is full.
  @usableFromInline var rest = ContiguousArray<Row>()

  @inlinable
  init(capacity: Int = RowTree<Row>.leafCapacity) {
    rest.reserveCapacity(Swift.min(capacity, RowTree<Row>.leafCapacity))
  }

  @inlinable
  mutating func append(_ row: Row) {
    if rest.count == RowTree<Row>.leafCapacity { cut() }
    rest.append(row)
  }

  @inlinable
  mutating func cut() {
    leaves.append(RowTree<Row>.leaf(rest))
    rest = ContiguousArray()
    rest.reserveCapacity(RowTree<Row>.leafCapacity)
  }

  /// The tree of the rows.
  @inlinable
  mutating func finish() -> RowTree<Row> {
    if !rest.isEmpty { leaves.append(RowTree<Row>.leaf(rest)) }
    return RowTree(leaves: leaves)
  }
}
