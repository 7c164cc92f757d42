/// A builder that makes a tree of rows in order, and copies each row once.
@usableFromInline
struct CountedTreeBuilder<Row> {
  @usableFromInline var leaves = ContiguousArray<RowChild>()
  /// The rows after the last full leaf.
  @usableFromInline var rest = ContiguousArray<Row>()

  @inlinable
  init(capacity: Int = CountedTree<Row>.leafCapacity) {
    rest.reserveCapacity(Swift.min(capacity, CountedTree<Row>.leafCapacity))
  }

  @inlinable
  mutating func append(_ row: Row) {
    if rest.count == CountedTree<Row>.leafCapacity { cut() }
    rest.append(row)
  }

  @inlinable
  mutating func cut() {
    leaves.append(CountedTree<Row>.leaf(rest))
    rest = ContiguousArray()
    rest.reserveCapacity(CountedTree<Row>.leafCapacity)
  }

  /// Returns the tree of the rows.
  @inlinable
  mutating func finish() -> CountedTree<Row> {
    if !rest.isEmpty { leaves.append(CountedTree<Row>.leaf(rest)) }
    return CountedTree(leaves: leaves)
  }
}
