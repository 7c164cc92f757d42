/// A side-by-side scan of two versions of a section that finds the rows out of place.
///
/// Equal rows are stepped over. If two rows differ, the scan looks a few rows ahead. If that does
/// not help, it hashes a window of both sides until two consecutive rows agree. Each window is
/// four times as large as the one before. The rows in between are out of place, on either side or
/// both. The common tail is removed first, so that rows inserted at the head need no hashing.
///
/// The cost is proportional to the number of rows: a window is paid for by the rows it skips.
/// Which rows the scan finds in place affects its running time, but not how many rows move. Pairs
/// that it misses are found by id afterwards.
@usableFromInline
struct DifferenceScan {
  var old: TreeCursor<RowRef>
  var new: TreeCursor<RowRef>
  var oldEnd: Int
  var newEnd: Int
  var edits: SectionRowEdits

  init(_ before: CountedTree<RowRef>, _ after: CountedTree<RowRef>, edits: SectionRowEdits) {
    old = TreeCursor(before)
    new = TreeCursor(after)
    oldEnd = before.count
    newEnd = after.count
    self.edits = edits
  }

  /// Returns the edits that lead from one section to the other.
  @usableFromInline
  static func edits(
    from before: CountedTree<RowRef>, to after: CountedTree<RowRef>, sections: SectionRowEdits
  ) -> SectionRowEdits {
    if before.isIdentical(to: after) { return sections }
    var scan = DifferenceScan(before, after, edits: sections)
    scan.run()
    return scan.edits
  }

  mutating func run() {
    var (i, j) = (0, 0)
    stepOverEqualRows(&i, &j)
    let updatedInTail = takeTail(downTo: i, j)
    while i < oldEnd, j < newEnd {
      let (skipOld, skipNew) = resynchronise(i, j)
      skip(&i, &j, skipOld, skipNew)
      stepOverEqualRows(&i, &j)
    }
    skip(&i, &j, oldEnd - i, newEnd - j)
    edits.rows.updated.append(contentsOf: updatedInTail)
  }

  /// Records rows that are out of place.
  mutating func skip(_ i: inout Int, _ j: inout Int, _ skipOld: Int, _ skipNew: Int) {
    for _ in 0..<skipOld {
      edits.rows.deleted.append(i)
      i += 1
    }
    for _ in 0..<skipNew {
      edits.rows.inserted.append(j)
      j += 1
    }
  }

  /// Steps over rows with the same id, and records those whose contents differ.
  mutating func stepOverEqualRows(_ i: inout Int, _ j: inout Int) {
    while i < oldEnd, j < newEnd {
      let a = old.seek(i)
      let b = new.seek(j)
      if a == 0, b == 0, old.leaf.isIdentical(to: new.leaf), i + old.leaf.count <= oldEnd,
        j + new.leaf.count <= newEnd
      {
        i += old.leaf.count
        j += new.leaf.count
        continue
      }
      // As far as both leaves reach.
      let length = min(old.leaf.count - a, oldEnd - i, new.leaf.count - b, newEnd - j)
      let step = RowRef.forEachPair(old.leaf, from: a, new.leaf, from: b, count: length) {
        first, second, step in
        if first.equals(second) { return true }
        if !first.hasID(of: second) { return false }
        edits.rows.updated.append(j + step)
        return true
      }
      i += step
      j += step
      if step < length { return }
    }
  }

  /// Removes the common tail from both sides, and returns its rows whose contents differ.
  mutating func takeTail(downTo i: Int, _ j: Int) -> [Int] {
    var updated: [Int] = []
    while oldEnd > i, newEnd > j {
      let a = old.seek(oldEnd - 1)
      let b = new.seek(newEnd - 1)
      if a == b, a == old.leaf.count - 1, old.leaf.isIdentical(to: new.leaf),
        oldEnd - i > a, newEnd - j > b
      {
        oldEnd -= a + 1
        newEnd -= b + 1
        continue
      }
      // As far up as both leaves reach.
      let length = min(a + 1, oldEnd - i, b + 1, newEnd - j)
      let end = newEnd - 1
      let step = RowRef.forEachPair(old.leaf, from: a, new.leaf, from: b, by: -1, count: length) {
        first, second, step in
        if first.equals(second) { return true }
        if !first.hasID(of: second) { return false }
        updated.append(end - step)
        return true
      }
      oldEnd -= step
      newEnd -= step
      if step < length { break }
    }
    return updated.reversed()
  }

  mutating func agree(_ i: Int, _ j: Int) -> Bool {
    let a = old.seek(i)
    let b = new.seek(j)
    return old.leaf[a].hasID(of: new.leaf[b])
  }

  /// Returns the number of rows to skip on either side before the two agree again.
  mutating func resynchronise(_ i: Int, _ j: Int) -> (Int, Int) {
    // This near, one row that agrees is enough: if it moved here from elsewhere, few rows are
    // skipped.
    for steps in 1...8 {
      for ahead in 0...steps where i + ahead < oldEnd && j + steps - ahead < newEnd {
        if agree(i + ahead, j + steps - ahead) { return (ahead, steps - ahead) }
      }
    }
    if edits.oldHashes.known.isEmpty {
      edits.oldHashes.known = ContiguousArray(repeating: 0, count: oldEnd)
      edits.newHashes.known = ContiguousArray(repeating: 0, count: newEnd)
    }
    var window = 32
    while true {
      let oldWindow = min(window, oldEnd - i)
      let newWindow = min(window, newEnd - j)
      if let skips = anchor(i, oldWindow, j, newWindow) { return skips }
      if oldWindow == oldEnd - i, newWindow == newEnd - j { return (oldWindow, newWindow) }
      window *= 4
    }
  }

  /// Returns the offsets of the first rows in both windows at which two consecutive rows agree.
  mutating func anchor(_ i: Int, _ oldWindow: Int, _ j: Int, _ newWindow: Int) -> (Int, Int)? {
    var table = HashIndex(capacity: oldWindow)
    for ahead in 0..<oldWindow {
      table.insert(ahead, hash: edits.oldHashes.hash(i + ahead, in: &old))
    }
    for ahead in 0..<newWindow {
      let hash = edits.newHashes.hash(j + ahead, in: &new)
      if let found = table.find(hash: hash, { anchors(i + $0, j + ahead) }) {
        return (found, ahead)
      }
    }
    return nil
  }

  /// Returns whether two consecutive rows agree from here on, or one row at the end of a side.
  ///
  /// Hashes are compared first, because reading scattered rows waits for memory.
  mutating func anchors(_ i: Int, _ j: Int) -> Bool {
    if i + 1 >= oldEnd || j + 1 >= newEnd { return agree(i, j) }
    let next = edits.newHashes.hash(j + 1, in: &new)
    return edits.oldHashes.hash(i + 1, in: &old) == next && agree(i, j) && agree(i + 1, j + 1)
  }
}
