extension CountedTree {
  /// Rows of one tree that replace rows of another one.
  struct Replaced {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Returns the ranges in which this tree differs from one that it was edited from.
  ///
  /// Only leaves are compared: rows in leaves that both trees share are not read.
  ///
  /// - Returns: the ranges of rows that may differ, ascending.
  /// - Complexity: O(*n* / 64).
  func replaced(since before: CountedTree) -> [Replaced] {
    var starts: [ObjectIdentifier: Int] = [:]
    before.forEachLeaf { leaf, rows in starts[leaf] = rows.lowerBound }
    var (old, new) = (0, 0)
    var replaced: [Replaced] = []
    func note(_ oldEnd: Int, _ newEnd: Int) {
      if old < oldEnd || new < newEnd {
        replaced.append(Replaced(old: old..<oldEnd, new: new..<newEnd))
      }
    }
    forEachLeaf { leaf, rows in
      guard let start = starts[leaf], start >= old else { return }
      note(start, rows.lowerBound)
      (old, new) = (start + rows.count, rows.upperBound)
    }
    note(before.count, count)
    return replaced
  }

  private func forEachLeaf(_ body: (ObjectIdentifier, _ rows: Range<Int>) -> Void) {
    var start = 0
    func visit(_ node: RowNode, _ count: Int) {
      switch node {
      case .leaf(let leaf):
        body(ObjectIdentifier(leaf), start..<(start + count))
        start += count
      case .inner(let children): for child in children { visit(child.node, child.count) }
      }
    }
    visit(root, count)
  }
}
