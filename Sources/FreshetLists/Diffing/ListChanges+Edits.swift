extension ListChanges {
  /// The batch that follows from what became of each section that stays.
  ///
  /// Rows both deleted and inserted are paired by id. Of the rows of one section, the heaviest
  /// increasing subsequence of untouched runs and pairs stays, and what is outside it moves
  /// (rule C3).
  ///
  /// - Parameters:
  ///   - before: the list before.
  ///   - after: the list after.
  ///   - edits: the sections that stay, ascending in both lists; all others were deleted or
  ///     inserted whole.
  ///   - allStay: whether those that are not among the edits stay as they are, instead.
  /// - Complexity: O(sections + *k* log *k* + *k* log *n*) for *k* edited rows (rule C4).
  @inlinable
  package init<Item>(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>, edits: [SectionEdits],
    allStay: Bool = false
  ) {
    self.init()
    if !allStay {
      deletedSections = Self.missing(from: edits.lazy.map(\.before), of: before.sections.count)
      insertedSections = Self.missing(from: edits.lazy.map(\.after), of: after.sections.count)
    }
    for edit in edits {
      for row in edit.rows.deleted { deletedRows.append(RowPath(section: edit.before, row: row)) }
      for row in edit.rows.inserted { insertedRows.append(RowPath(section: edit.after, row: row)) }
      for row in edit.rows.updated { updatedRows.append(RowPath(section: edit.after, row: row)) }
    }
    if !deletedRows.isEmpty, !insertedRows.isEmpty { pair(before, after, edits) }
  }

  @inlinable
  static func missing(from present: some Sequence<Int>, of count: Int) -> [Int] {
    var missing: [Int] = []
    var next = 0
    for section in present {
      missing.append(contentsOf: next..<section)
      next = section + 1
    }
    missing.append(contentsOf: next..<count)
    return missing
  }

  /// Turns deletions and insertions of one id into moves, or into nothing where the row stays.
  @inlinable
  mutating func pair<Item>(
    _ before: ListSnapshot<Item>, _ after: ListSnapshot<Item>, _ edits: [SectionEdits]
  ) {
    var partners = RowPairs(deletedRows, insertedRows, before, after)
    if partners.count == 0 { return }
    partners.keepHeaviestInPlace(deletedRows, insertedRows, before, edits) { run in
      for row in 0..<run.rows.count {
        movedRows.append(
          Move(
            from: RowPath(section: run.edit.before, row: run.rows.before + row),
            to: RowPath(section: run.edit.after, row: run.rows.after + row)))
      }
    }
    var (old, new) = (SnapshotCursor(before), SnapshotCursor(after))
    for (inserted, deleted) in partners.deletedOfInserted.enumerated() where deleted >= 0 {
      let from = deletedRows[deleted]
      let to = insertedRows[inserted]
      if !partners.inPlace[inserted] { movedRows.append(Move(from: from, to: to)) }
      let (source, target) = (old.seek(from), new.seek(to))
      if old.rows.leaf[source] != new.rows.leaf[target] { updatedRows.append(to) }
    }
    deletedRows = deletedRows.indices.lazy.filter { !partners.isPaired[$0] }.map { deletedRows[$0] }
    insertedRows = insertedRows.indices.lazy.filter { partners.deletedOfInserted[$0] < 0 }
      .map { insertedRows[$0] }
    movedRows.sort { $0.to < $1.to }
    updatedRows.sort()
  }
}

/// Which deleted row is which inserted row, by id.
@usableFromInline
struct RowPairs {
  /// For each inserted row the index of the deleted row with its id, or -1.
  @usableFromInline var deletedOfInserted: [Int]
  /// For each deleted row, whether it came back.
  @usableFromInline var isPaired: [Bool]
  /// For each inserted row, whether it stands where it stood.
  @usableFromInline var inPlace: [Bool]
  /// The number of pairs.
  @usableFromInline var count = 0

  @inlinable
  init<Item>(
    _ deletedRows: [RowPath], _ insertedRows: [RowPath],
    _ before: ListSnapshot<Item>, _ after: ListSnapshot<Item>
  ) {
    deletedOfInserted = [Int](repeating: -1, count: insertedRows.count)
    inPlace = [Bool](repeating: false, count: insertedRows.count)
    isPaired = [Bool](repeating: false, count: deletedRows.count)

    var old = SnapshotCursor(before)
    var table = HashIndex(capacity: deletedRows.count)
    for (index, path) in deletedRows.enumerated() {
      let offset = old.seek(path)
      table.insert(index, hash: old.rows.leaf[offset].id.hashValue)
    }
    var new = SnapshotCursor(after)
    for (index, path) in insertedRows.enumerated() {
      let offset = new.seek(path)
      let hash = new.rows.leaf[offset].id.hashValue
      let found = table.find(hash: hash) {
        if isPaired[$0] { return false }
        let candidate = old.seek(deletedRows[$0])
        return old.rows.leaf[candidate].id == new.rows.leaf[offset].id
      }
      if let found {
        deletedOfInserted[index] = found
        isPaired[found] = true
        count += 1
      }
    }
  }

  /// Marks the pairs that stay in place, section by section, and reports untouched runs that
  /// have to move all the same.
  @inlinable
  mutating func keepHeaviestInPlace<Item>(
    _ deletedRows: [RowPath], _ insertedRows: [RowPath],
    _ before: ListSnapshot<Item>, _ edits: [SectionEdits],
    moved: ((edit: SectionEdits, rows: RowRun)) -> Void
  ) {
    var firstInserted = 0
    for edit in edits {
      let inserted = firstInserted..<(firstInserted + edit.rows.inserted.count)
      firstInserted = inserted.upperBound
      let pairs = inserted.filter {
        deletedOfInserted[$0] >= 0 && deletedRows[deletedOfInserted[$0]].section == edit.before
      }
      if pairs.isEmpty { continue }
      var runs = edit.rows.untouchedRuns(rowsBefore: before.sections[edit.before].count)
        .map { (rows: $0, inserted: -1) }
      for pair in pairs {
        let rows = RowRun(
          before: deletedRows[deletedOfInserted[pair]].row, after: insertedRows[pair].row, count: 1)
        runs.append((rows, pair))
      }
      runs.sort { $0.rows.before < $1.rows.before }
      let kept = IncreasingSubsequences.heaviest(
        of:
          runs.map(\.rows.after), weights: runs.map(\.rows.count))
      for (run, isKept) in zip(runs, kept) {
        if run.inserted >= 0 {
          inPlace[run.inserted] = isKept
        } else if !isKept {
          moved((edit, run.rows))
        }
      }
    }
  }
}

/// Reads rows of a snapshot by path, each section through its own cursor.
@usableFromInline
struct SnapshotCursor<Item: ListItem> {
  @usableFromInline let snapshot: ListSnapshot<Item>
  @usableFromInline var section = -1
  @usableFromInline var rows = RowCursor(RowTree<Item>())

  @inlinable
  init(_ snapshot: ListSnapshot<Item>) { self.snapshot = snapshot }

  /// Makes `rows.leaf` the leaf that holds the row, and returns the row's offset in it.
  @inlinable
  mutating func seek(_ path: RowPath) -> Int {
    if path.section != section {
      section = path.section
      rows = RowCursor(snapshot.sections[section].rows)
    }
    return rows.seek(path.row)
  }
}
