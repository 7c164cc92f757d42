extension CountedTree {
  /// Inserts a row so that it is at `index`.
  ///
  /// - Precondition: `index` is in `0...count`.
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func insert(_ row: Row, at index: Int) {
    precondition(index >= 0 && index <= count, "Row index out of range")
    if rowCount == 0 { root = Self.leaf([]).node }
    rowCount += 1
    guard let sibling = Self.insert(row, at: index, into: &root) else { return }
    root = .inner([RowChild(root, count: rowCount - sibling.count), sibling])
    height += 1
  }

  /// Removes the row at `index` and returns it.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @discardableResult @inlinable
  package mutating func remove(at index: Int) -> Row {
    precondition(index >= 0 && index < count, "Row index out of range")
    let row = Self.remove(at: index, from: &root)
    rowCount -= 1
    lower()
    return row
  }

  /// Adds a row at the end.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func append(_ row: Row) { insert(row, at: count) }

  /// Adds rows at the end.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  @inlinable
  package mutating func append(contentsOf rows: some Sequence<Row>) {
    self = Self.join(self, CountedTree(rows))
  }

  /// Replaces the rows in `range` by `rows`.
  ///
  /// - Precondition: `range` lies in `0..<count`.
  /// - Complexity: O(log *n* + *m*) for *m* new rows.
  @inlinable
  package mutating func replaceSubrange(_ range: Range<Int>, with rows: some Sequence<Row>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Row range out of range")
    let (head, rest) = split(at: range.lowerBound)
    let (_, tail) = rest.split(at: range.count)
    self = Self.join(Self.join(head, CountedTree(rows)), tail)
  }

  /// Removes the rows in `range`.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func removeSubrange(_ range: Range<Int>) {
    if range.count == 1 {
      remove(at: range.lowerBound)
    } else {
      replaceSubrange(range, with: CountedTree())
    }
  }

  /// Returns the rows in `range`, sharing storage with this tree.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func slice(_ range: Range<Int>) -> CountedTree {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Row range out of range")
    return split(at: range.lowerBound).1.split(at: range.count).0
  }

  /// Returns the rows before `index`, and the rows from `index` on.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func split(at index: Int) -> (CountedTree, CountedTree) {
    if index <= 0 { return (CountedTree(), self) }
    if index >= count { return (self, CountedTree()) }
    switch root {
    case .leaf(let leaf):
      let rows = Self.typed(leaf).rows
      return (
        CountedTree(root: Self.leaf(ContiguousArray(rows[..<index])).node, height: 0, count: index),
        CountedTree(
          root: Self.leaf(ContiguousArray(rows[index...])).node, height: 0, count: count - index)
      )
    case .inner(let children):
      var offset = index
      let at = children.child(of: &offset)
      let middle = CountedTree(
        root: children[at].node, height: height - 1, count: children[at].count)
      let (head, tail) = middle.split(at: offset)
      return (
        Self.join(Self.siblings(children[..<at], height: height), head),
        Self.join(tail, Self.siblings(children[(at + 1)...], height: height))
      )
    }
  }

  /// Returns the rows from `index` on.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func rows(from index: Int) -> CountedTree {
    if index <= 0 { return self }
    if index >= count { return CountedTree() }
    switch root {
    case .leaf(let leaf):
      let rows = ContiguousArray(Self.typed(leaf).rows[index...])
      return CountedTree(root: Self.leaf(rows).node, height: 0, count: count - index)
    case .inner(let children):
      var offset = index
      let at = children.child(of: &offset)
      let middle = CountedTree(
        root: children[at].node, height: height - 1, count: children[at].count)
      return Self.join(
        middle.rows(from: offset), Self.siblings(children[(at + 1)...], height: height))
    }
  }

  /// Returns one tree with the rows of two.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package static func join(_ head: CountedTree, _ tail: CountedTree) -> CountedTree {
    if head.count == 0 { return tail }
    if tail.count == 0 { return head }
    let count = head.count + tail.count
    var root = head.root
    var height = head.height
    let overflow: RowChild?
    if head.height >= tail.height {
      overflow = append(
        RowChild(tail.root, count: tail.count), to: &root,
        levelsDown: head.height - tail.height)
    } else {
      root = tail.root
      height = tail.height
      // The new subtree is placed before the root, so the part that overflows belongs to the old
      // root.
      overflow = prepend(
        RowChild(head.root, count: head.count), to: &root, of: tail.count,
        levelsDown: tail.height - head.height)
    }
    guard let overflow else { return CountedTree(root: root, height: height, count: count) }
    let pair = RowNode.inner([RowChild(root, count: count - overflow.count), overflow])
    return CountedTree(root: pair, height: height + 1, count: count)
  }

  @inlinable
  static func siblings(_ children: ContiguousArray<RowChild>.SubSequence, height: Int)
    -> CountedTree
  {
    if children.isEmpty { return CountedTree() }
    let parent = RowNode.parent(of: ContiguousArray(children))
    return CountedTree(root: parent.node, height: height, count: parent.count)
  }
}

extension CountedTree {
  /// Replaces the row at `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func update(_ row: Row, at index: Int) {
    precondition(index >= 0 && index < count, "Row index out of range")
    Self.update(row, at: index, in: &root)
  }

  /// Changes the row at `index` in place.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @discardableResult @inlinable
  package mutating func change<Result>(
    at index: Int, _ body: (inout Row) -> Result
  ) -> Result {
    precondition(index >= 0 && index < count, "Row index out of range")
    return Self.change(at: index, in: &root, body)
  }
}
