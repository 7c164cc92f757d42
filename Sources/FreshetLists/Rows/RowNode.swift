/// A node of a `RowTree`: rows, or children with their row counts.
@usableFromInline
enum RowNode<Row> {
  case leaf(ContiguousArray<Row>)
  case inner(ContiguousArray<RowChild<Row>>)
}

/// A node and the number of rows below it.
@usableFromInline
struct RowChild<Row> {
  @usableFromInline var count: Int
  @usableFromInline var node: RowNode<Row>

  @inlinable
  init(_ node: RowNode<Row>) {
    self.node = node
    self.count = node.count
  }
}

extension RowNode: Sendable where Row: Sendable {}
extension RowChild: Sendable where Row: Sendable {}

extension RowNode {
  @inlinable static var leafCapacity: Int { 64 }
  @inlinable static var fan: Int { 32 }
  @inlinable static var empty: RowNode { .leaf([]) }

  @inlinable
  var count: Int {
    switch self {
    case .leaf(let rows): rows.count
    case .inner(let children): children.reduce(0) { $0 + $1.count }
    }
  }

  /// How many rows or children the node itself holds.
  @inlinable
  var width: Int {
    switch self {
    case .leaf(let rows): rows.count
    case .inner(let children): children.count
    }
  }

  @inlinable
  func isIdentical(to other: RowNode) -> Bool {
    switch (self, other) {
    case (.leaf(let rows), .leaf(let others)): rows.isIdentical(to: others)
    case (.inner(let children), .inner(let others)): children.isIdentical(to: others)
    default: false
    }
  }

  /// Joins a node and its right neighbour of the same height, into one node where both fit.
  @inlinable
  mutating func absorb(_ neighbour: RowNode) -> RowNode? {
    switch (self, neighbour) {
    case (.leaf(var rows), .leaf(let others)) where rows.count + others.count <= Self.leafCapacity:
      self = .empty
      rows.append(contentsOf: others)
      self = .leaf(rows)
      return nil
    case (.inner(var children), .inner(let others)) where children.count + others.count <= Self.fan:
      self = .empty
      children.append(contentsOf: others)
      self = .inner(children)
      return nil
    default:
      return neighbour
    }
  }
}

extension ContiguousArray {
  /// Whether both arrays are the same storage.
  @inlinable
  func isIdentical(to other: ContiguousArray) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { rows in
      unsafe other.withUnsafeBufferPointer { others in
        unsafe rows.baseAddress == others.baseAddress
      }
    }
  }

  /// The child below which the row at `index` stands; `index` becomes the row's index in it.
  ///
  /// With `atEnd`, an index behind the last row of a child belongs to that child.
  @inlinable
  func child<Row>(of index: inout Int, atEnd: Bool = false) -> Int
  where Element == RowChild<Row> {
    var child = 0
    while child < count - 1, index > self[child].count || index == self[child].count && !atEnd {
      index -= self[child].count
      child += 1
    }
    return child
  }
}
