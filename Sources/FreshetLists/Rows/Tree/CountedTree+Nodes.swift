// Each edit takes the array, or the leaf, out of the node before it changes it. If the node kept a
// second reference, every edit would copy.
extension CountedTree {
  /// Inserts a row; a node that overflows keeps its first half and returns the second.
  @inlinable
  static func insert(_ row: Row, at index: Int, into node: inout RowNode) -> RowChild? {
    switch node {
    case .leaf(var leaf):
      node = .empty
      let owned = owned(&leaf)
      owned.rows.insert(row, at: index)
      node = .leaf(leaf)
      // A full leaf that grows at its end is cut there, so that appending fills leaves.
      return RowNode.cut(
        &owned.rows, over: leafCapacity, keepFull: index == owned.rows.count - 1
      ).map(Self.leaf)
    case .inner(var children):
      node = .empty
      var offset = index
      let at = children.child(of: &offset, atEnd: true)
      children[at].count += 1
      if let sibling = insert(row, at: offset, into: &children[at].node) {
        children[at].count -= sibling.count
        children.insert(sibling, at: at + 1)
      }
      let overflow = RowNode.cut(
        &children, over: RowNode.fan, keepFull: at + 2 == children.count)
      node = .inner(children)
      return overflow.map(RowNode.parent)
    }
  }

  @inlinable
  static func remove(at index: Int, from node: inout RowNode) -> Row {
    switch node {
    case .leaf(var leaf):
      node = .empty
      defer { node = .leaf(leaf) }
      return owned(&leaf).rows.remove(at: index)
    case .inner(var children):
      node = .empty
      defer { node = .inner(children) }
      var offset = index
      let at = children.child(of: &offset)
      children[at].count -= 1
      let row = remove(at: offset, from: &children[at].node)
      shrink(&children, around: at)
      return row
    }
  }

  @inlinable
  static func update(_ row: Row, at index: Int, in node: inout RowNode) {
    switch node {
    case .leaf(var leaf):
      node = .empty
      owned(&leaf).rows[index] = row
      node = .leaf(leaf)
    case .inner(var children):
      node = .empty
      var offset = index
      let at = children.child(of: &offset)
      update(row, at: offset, in: &children[at].node)
      node = .inner(children)
    }
  }

  @inlinable
  static func change<Result>(
    at index: Int, in node: inout RowNode, _ body: (inout Row) -> Result
  ) -> Result {
    switch node {
    case .leaf(var leaf):
      node = .empty
      defer { node = .leaf(leaf) }
      return body(&owned(&leaf).rows[index])
    case .inner(var children):
      node = .empty
      defer { node = .inner(children) }
      var offset = index
      let at = children.child(of: &offset)
      return change(at: offset, in: &children[at].node, body)
    }
  }

  /// Adds a subtree at the right edge, `levelsDown` levels below a node.
  @inlinable
  static func append(_ added: RowChild, to node: inout RowNode, levelsDown: Int) -> RowChild? {
    guard levelsDown > 0, case .inner(var children) = node else {
      return absorb(added, into: &node) ? nil : added
    }
    node = .empty
    let last = children.count - 1
    let overflow = append(added, to: &children[last].node, levelsDown: levelsDown - 1)
    children[last].count += added.count - (overflow?.count ?? 0)
    if let overflow { children.append(overflow) }
    let rest = RowNode.cut(&children, over: RowNode.fan, keepFull: true)
    node = .inner(children)
    return rest.map(RowNode.parent)
  }

  /// Adds a subtree at the left edge, `levelsDown` levels below a node of `count` rows.
  @inlinable
  static func prepend(
    _ added: RowChild, to node: inout RowNode, of count: Int, levelsDown: Int
  ) -> RowChild? {
    guard levelsDown > 0, case .inner(var children) = node else {
      let old = RowChild(node, count: count)
      node = added.node
      return absorb(old, into: &node) ? nil : old
    }
    node = .empty
    let first = children[0].count
    let overflow = prepend(added, to: &children[0].node, of: first, levelsDown: levelsDown - 1)
    children[0].count += added.count - (overflow?.count ?? 0)
    if let overflow { children.insert(overflow, at: 1) }
    let rest = RowNode.cut(&children, over: RowNode.fan, keepFull: false)
    node = .inner(children)
    return rest.map(RowNode.parent)
  }

  /// Adds the rows or children of a right neighbour of the same height to a node, if both fit.
  @inlinable
  static func absorb(_ neighbour: RowChild, into node: inout RowNode) -> Bool {
    switch (node, neighbour.node) {
    case (.leaf(var leaf), .leaf(let other)):
      let others = typed(other).rows
      guard typed(leaf).rows.count + others.count <= leafCapacity else { return false }
      node = .empty
      owned(&leaf).rows.append(contentsOf: others)
      node = .leaf(leaf)
      return true
    case (.inner(var children), .inner(let others))
    where children.count + others.count <= RowNode.fan:
      node = .empty
      children.append(contentsOf: others)
      node = .inner(children)
      return true
    default:
      return false
    }
  }

  /// Drops a child that became empty, or merges one that became small with a neighbour.
  @inlinable
  static func shrink(_ children: inout ContiguousArray<RowChild>, around at: Int) {
    if children[at].count == 0 {
      children.remove(at: at)
      return
    }
    guard children[at].width <= RowNode.fan / 4, children.count > 1 else { return }
    let left = at > 0 ? at - 1 : at
    guard absorb(children[left + 1], into: &children[left].node) else { return }
    children[left].count += children[left + 1].count
    children.remove(at: left + 1)
  }
}
