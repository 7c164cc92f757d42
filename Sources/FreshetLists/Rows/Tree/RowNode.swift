/// A node of a `CountedTree`: rows, or children with their row counts.
///
/// Everything above the leaves is the same for rows of every type, and so is the code that walks,
/// copies and splits it. Only a leaf knows the type of its rows.
@usableFromInline
enum RowNode {
  case leaf(AnyRowLeaf)
  case inner(ContiguousArray<RowChild>)
}

/// A node and the number of rows below it.
@usableFromInline
struct RowChild {
  @usableFromInline var node: RowNode
  @usableFromInline var count: Int

  @inlinable
  init(_ node: RowNode, count: Int) {
    self.node = node
    self.count = count
  }
}

/// The rows of a leaf, without their type.
@usableFromInline
class AnyRowLeaf {
  @inlinable init() {}
}

/// The rows of a leaf.
@usableFromInline
final class RowLeaf<Row>: AnyRowLeaf {
  @inlinable
  var rows: ContiguousArray<Row> {
    get { unsafe stored }
    _modify { yield unsafe &stored }
  }
  // Proof that no read overlaps a write: only `CountedTree.owned(_:)` returns leaves to be written
  // to. Only one tree holds such a leaf, and no function of the tree reads a leaf while it writes
  // to it. Checking this at each access took a twentieth of the time of a change.
  @exclusivity(unchecked)
  @usableFromInline var stored: ContiguousArray<Row>

  @inlinable
  init(_ rows: ContiguousArray<Row>) { unsafe stored = rows }
}

extension RowNode {
  @inlinable static var fan: Int { 16 }
  /// The root of a tree without rows.
  @inlinable static var empty: RowNode { .inner([]) }

  /// Returns a child that holds these children.
  @inlinable
  static func parent(of children: ContiguousArray<RowChild>) -> RowChild {
    var count = 0
    for child in children.indices { count += children[child].count }
    return RowChild(.inner(children), count: count)
  }

  /// Cuts off elements if there are more than a limit, and returns them.
  ///
  /// With `keepFull`, the first `limit` elements stay. Otherwise, the first half stays.
  @inlinable
  static func cut<Element>(
    _ elements: inout ContiguousArray<Element>, over limit: Int, keepFull: Bool
  ) -> ContiguousArray<Element>? {
    guard elements.count > limit else { return nil }
    let kept = keepFull ? limit : elements.count / 2
    let rest = ContiguousArray(elements[kept...])
    elements.removeSubrange(kept...)
    return rest
  }
}

extension RowChild {
  /// The number of rows or children that the node itself holds.
  @inlinable
  var width: Int {
    switch node {
    case .leaf: count
    case .inner(let children): children.count
    }
  }
}

extension ContiguousArray {
  /// Returns whether both arrays share their storage.
  @inlinable
  func isIdentical(to other: ContiguousArray) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { rows in
      unsafe other.withUnsafeBufferPointer { others in
        unsafe rows.baseAddress == others.baseAddress
      }
    }
  }
}

extension ContiguousArray<RowChild> {
  /// Returns the child that contains the row at `index`; `index` becomes the row's index in it.
  ///
  /// With `atEnd`, an index after the last row of a child belongs to that child.
  @inlinable
  func child(of index: inout Int, atEnd: Bool = false) -> Int {
    var child = 0
    while child < count - 1, index > self[child].count || index == self[child].count && !atEnd {
      index -= self[child].count
      child += 1
    }
    return child
  }
}
