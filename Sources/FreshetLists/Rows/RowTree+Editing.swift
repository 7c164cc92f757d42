extension RowTree {
  /// Inserts a row so that it stands at `index`.
  ///
  /// - Precondition: `index` is in `0...count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func insert(_ row: Row, at index: Int) {
    precondition(index >= 0 && index <= count, "Row index out of range")
    rowCount += 1
    guard let sibling = root.insert(row, at: index) else { return }
    root = .inner([RowChild(root), RowChild(sibling)])
    height += 1
  }

  /// Removes the row at `index` and returns it.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @discardableResult @inlinable
  public mutating func remove(at index: Int) -> Row {
    precondition(index >= 0 && index < count, "Row index out of range")
    let row = root.remove(at: index)
    self = RowTree(root: root, height: height, count: count - 1)
    return row
  }

  /// Adds a row at the end.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func append(_ row: Row) { insert(row, at: count) }

  /// Adds rows at the end.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  @inlinable
  public mutating func append(contentsOf rows: some Sequence<Row>) {
    self = Self.join(self, RowTree(rows))
  }

  /// Replaces the rows in `range` by `rows`.
  ///
  /// - Precondition: `range` lies in `0..<count`.
  /// - Complexity: O(log *n* + *m*) for *m* new rows.
  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with rows: some Sequence<Row>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Row range out of range")
    let (head, rest) = split(at: range.lowerBound)
    let (_, tail) = rest.split(at: range.count)
    self = Self.join(Self.join(head, RowTree(rows)), tail)
  }

  /// Removes the rows in `range`.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func removeSubrange(_ range: Range<Int>) {
    replaceSubrange(range, with: RowTree())
  }

  /// The rows in `range`, sharing storage with this tree.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func slice(_ range: Range<Int>) -> RowTree {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Row range out of range")
    return split(at: range.lowerBound).1.split(at: range.count).0
  }

  /// The rows before `index` and those from it on.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func split(at index: Int) -> (RowTree, RowTree) {
    if index <= 0 { return (RowTree(), self) }
    if index >= count { return (self, RowTree()) }
    switch root {
    case .leaf(let rows):
      return (
        RowTree(root: .leaf(ContiguousArray(rows[..<index])), height: 0, count: index),
        RowTree(root: .leaf(ContiguousArray(rows[index...])), height: 0, count: count - index)
      )
    case .inner(let children):
      var offset = index
      let at = children.child(of: &offset)
      let middle = RowTree(root: children[at].node, height: height - 1, count: children[at].count)
      let (head, tail) = middle.split(at: offset)
      return (
        Self.join(Self.siblings(children[..<at], height: height), head),
        Self.join(tail, Self.siblings(children[(at + 1)...], height: height))
      )
    }
  }

  /// One tree of the rows of two.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public static func join(_ head: RowTree, _ tail: RowTree) -> RowTree {
    if head.count == 0 { return tail }
    if tail.count == 0 { return head }
    let count = head.count + tail.count
    var root = head.root
    var height = head.height
    let overflow: RowNode<Row>?
    if head.height >= tail.height {
      overflow = root.append(tail.root, levelsDown: head.height - tail.height)
    } else {
      root = tail.root
      height = tail.height
      // The new subtree stands before the root: what overflows is the old root.
      overflow = root.prepend(head.root, levelsDown: tail.height - head.height)
    }
    guard let overflow else { return RowTree(root: root, height: height, count: count) }
    let pair = RowNode<Row>.inner([RowChild(root), RowChild(overflow)])
    return RowTree(root: pair, height: height + 1, count: count)
  }

  @inlinable
  static func siblings(_ children: ContiguousArray<RowChild<Row>>.SubSequence, height: Int)
    -> RowTree
  {
    if children.isEmpty { return RowTree() }
    let node = RowNode<Row>.inner(ContiguousArray(children))
    return RowTree(root: node, height: height, count: node.count)
  }
}

extension RowTree {
  /// Replaces the row at `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func update(_ row: Row, at index: Int) {
    precondition(index >= 0 && index < count, "Row index out of range")
    root.update(row, at: index)
  }
}

// Each edit takes the array out of the node before it changes it: the node must not hold a second
// reference, or every edit would copy.
extension RowNode {
  /// Inserts a row; a node that overflows keeps its first half and returns the second.
  @inlinable
  mutating func insert(_ row: Row, at index: Int) -> RowNode? {
    switch self {
    case .leaf(var rows):
      self = .empty
      rows.insert(row, at: index)
      // A full leaf that grows at its end is cut there, so that appending fills leaves.
      let overflow = Self.cut(&rows, over: Self.leafCapacity, keepFull: index == rows.count - 1)
      self = .leaf(rows)
      return overflow.map(RowNode.leaf)
    case .inner(var children):
      self = .empty
      var offset = index
      let at = children.child(of: &offset, atEnd: true)
      children[at].count += 1
      let sibling = children[at].node.insert(row, at: offset)
      if let sibling {
        let sibling = RowChild(sibling)
        children[at].count -= sibling.count
        children.insert(sibling, at: at + 1)
      }
      let overflow = Self.cut(&children, over: Self.fan, keepFull: at + 2 == children.count)
      self = .inner(children)
      return overflow.map(RowNode.inner)
    }
  }

  @inlinable
  mutating func remove(at index: Int) -> Row {
    switch self {
    case .leaf(var rows):
      self = .empty
      defer { self = .leaf(rows) }
      return rows.remove(at: index)
    case .inner(var children):
      self = .empty
      defer { self = .inner(children) }
      var offset = index
      let at = children.child(of: &offset)
      children[at].count -= 1
      let row = children[at].node.remove(at: offset)
      Self.shrink(&children, around: at)
      return row
    }
  }

  @inlinable
  mutating func update(_ row: Row, at index: Int) {
    switch self {
    case .leaf(var rows):
      self = .empty
      rows[index] = row
      self = .leaf(rows)
    case .inner(var children):
      self = .empty
      var offset = index
      let at = children.child(of: &offset)
      children[at].node.update(row, at: offset)
      self = .inner(children)
    }
  }

  /// Adds a subtree at the right edge, `levelsDown` levels below this node.
  @inlinable
  mutating func append(_ node: RowNode, levelsDown: Int) -> RowNode? {
    guard levelsDown > 0, case .inner(var children) = self else { return absorb(node) }
    self = .empty
    let last = children.count - 1
    let overflow = children[last].node.append(node, levelsDown: levelsDown - 1)
    children[last].count = children[last].node.count
    if let overflow { children.append(RowChild(overflow)) }
    let rest = Self.cut(&children, over: Self.fan, keepFull: true)
    self = .inner(children)
    return rest.map(RowNode.inner)
  }

  /// Adds a subtree at the left edge, `levelsDown` levels below this node.
  @inlinable
  mutating func prepend(_ node: RowNode, levelsDown: Int) -> RowNode? {
    guard levelsDown > 0, case .inner(var children) = self else {
      var merged = node
      let overflow = merged.absorb(self)
      self = merged
      return overflow
    }
    self = .empty
    let overflow = children[0].node.prepend(node, levelsDown: levelsDown - 1)
    children[0].count = children[0].node.count
    if let overflow { children.insert(RowChild(overflow), at: 1) }
    let rest = Self.cut(&children, over: Self.fan, keepFull: false)
    self = .inner(children)
    return rest.map(RowNode.inner)
  }

  /// Cuts what a node may not hold: all but the last element of a full node, or half of it.
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

  /// Drops a child that became empty, or merges one that became small with a neighbour.
  @inlinable
  static func shrink(_ children: inout ContiguousArray<RowChild<Row>>, around at: Int) {
    if children[at].count == 0 {
      if children.count > 1 { children.remove(at: at) }
      return
    }
    guard children[at].node.width <= fan / 4, children.count > 1 else { return }
    let left = at > 0 ? at - 1 : at
    guard children[left].node.absorb(children[left + 1].node) == nil else { return }
    children[left].count += children[left + 1].count
    children.remove(at: left + 1)
  }
}
