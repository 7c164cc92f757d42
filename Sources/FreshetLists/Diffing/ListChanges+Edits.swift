extension ListChanges {
  /// Creates the batch that results from the edits of each section that stays.
  ///
  /// Rows both deleted and inserted are paired by id. In each section, the heaviest increasing
  /// subsequence of untouched runs and pairs stays. All other rows move (rule C3).
  ///
  /// - Parameters:
  ///   - before: the list before.
  ///   - after: the list after.
  ///   - edits: the sections that stay, ascending in both lists; all others were deleted or
  ///     inserted as a whole.
  /// - Complexity: O(sections + *k* log *k* + *k* log *n*) for *k* edited rows (rule C4).
  @inlinable
  package init<Item>(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>, edits: [SectionRowEdits]
  ) {
    self.init(from: before.refs.sections, to: after.refs.sections, edits: edits, allStay: false)
  }

  /// Creates the batch that results from the edits of sections.
  ///
  /// - Parameters:
  ///   - edits: edits of sections that stay, ascending in both lists; other sections that stay are
  ///     unchanged.
  ///   - deleted: the sections that are deleted or move, ascending.
  ///   - inserted: the sections that are inserted or move, ascending.
  @inlinable
  package init<Item>(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>, edits: [SectionRowEdits],
    deleted: [Int], inserted: [Int]
  ) {
    self.init(
      from: before.refs.sections, to: after.refs.sections, edits: edits, deleted: deleted,
      inserted: inserted)
  }

  @usableFromInline
  init(
    from before: CountedTree<SectionRefs>, to after: CountedTree<SectionRefs>,
    edits: [SectionRowEdits], allStay: Bool
  ) {
    self.init(
      from: before, to: after, edits: edits,
      deleted: allStay ? [] : Self.missing(from: edits.lazy.map(\.before), of: before.count),
      inserted: allStay ? [] : Self.missing(from: edits.lazy.map(\.after), of: after.count))
  }

  @usableFromInline
  init(
    from before: CountedTree<SectionRefs>, to after: CountedTree<SectionRefs>,
    edits: [SectionRowEdits], deleted: [Int],
    inserted: [Int]
  ) {
    self.init()
    (deletedSections, insertedSections) = (deleted, inserted)
    deletedRows.reserveCapacity(edits.reduce(0) { $0 + $1.rows.deleted.count })
    insertedRows.reserveCapacity(edits.reduce(0) { $0 + $1.rows.inserted.count })
    for edit in edits {
      for row in edit.rows.deleted { deletedRows.append(RowPath(section: edit.before, row: row)) }
      for row in edit.rows.inserted { insertedRows.append(RowPath(section: edit.after, row: row)) }
      for row in edit.rows.updated { updatedRows.append(RowPath(section: edit.after, row: row)) }
    }
    if !deletedRows.isEmpty, !insertedRows.isEmpty { pair(before, after, edits) }
  }

  @usableFromInline
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

  /// Turns a deletion and an insertion of one id into a move, or into nothing if the row stays.
  private mutating func pair(
    _ before: CountedTree<SectionRefs>, _ after: CountedTree<SectionRefs>,
    _ edits: [SectionRowEdits]
  ) {
    var partners = RowPairs(deletedRows, insertedRows, before, after, edits)
    if partners.count == 0 { return }
    partners.keepHeaviestInPlace(deletedRows, insertedRows, before, edits) { run in
      for row in 0..<run.rows.count {
        movedRows.append(
          Move(
            from: RowPath(section: run.edit.before, row: Int(run.rows.before + row)),
            to: RowPath(section: run.edit.after, row: Int(run.rows.after + row))))
      }
    }
    for (inserted, deleted) in partners.deletedOfInserted.enumerated() where deleted >= 0 {
      let to = insertedRows[inserted]
      if !partners.inPlace[inserted] { movedRows.append(Move(from: deletedRows[deleted], to: to)) }
      if partners.differs[inserted] { updatedRows.append(to) }
    }
    deletedRows = deletedRows.indices.lazy.filter { partners.insertedOfDeleted[$0] < 0 }
      .map { deletedRows[$0] }
    insertedRows = insertedRows.indices.lazy.filter { partners.deletedOfInserted[$0] < 0 }
      .map { insertedRows[$0] }
    movedRows.sort { $0.to < $1.to }
    updatedRows.sort()
  }
}

/// The pairs of deleted and inserted rows with the same id.
private struct RowPairs {
  /// For each inserted row, the index of the deleted row with its id, or -1.
  var deletedOfInserted: [Int]
  /// For each deleted row, the index of the inserted row with its id, or -1.
  var insertedOfDeleted: [Int]
  /// For each inserted row, whether the deleted row with its id had other contents.
  var differs: [Bool]
  /// For each inserted row, whether it stays in place.
  var inPlace: [Bool]
  /// The number of pairs.
  var count = 0

  init(
    _ deletedRows: [RowPath], _ insertedRows: [RowPath],
    _ before: CountedTree<SectionRefs>, _ after: CountedTree<SectionRefs>,
    _ edits: [SectionRowEdits]
  ) {
    deletedOfInserted = [Int](repeating: -1, count: insertedRows.count)
    insertedOfDeleted = [Int](repeating: -1, count: deletedRows.count)
    differs = [Bool](repeating: false, count: insertedRows.count)
    inPlace = [Bool](repeating: false, count: insertedRows.count)

    var table = HashIndex(capacity: deletedRows.count)
    var deleted = 0
    for edit in edits {
      var (rows, hashes) = (TreeCursor(before[edit.before].rows), edit.oldHashes)
      for row in edit.rows.deleted {
        table.insert(deleted, hash: hashes.hash(row, in: &rows))
        deleted += 1
      }
    }
    var old = SnapshotCursor(before)
    var inserted = 0
    for edit in edits {
      var (rows, hashes) = (TreeCursor(after[edit.after].rows), edit.newHashes)
      for row in edit.rows.inserted {
        pair(inserted, row, hashes.hash(row, in: &rows), &rows, &old, deletedRows, table)
        inserted += 1
      }
    }
  }

  /// Finds the deleted row with the id of an inserted one.
  mutating func pair(
    _ inserted: Int, _ row: Int, _ hash: UInt32, _ new: inout TreeCursor<RowRef>,
    _ old: inout SnapshotCursor, _ deletedRows: [RowPath], _ table: HashIndex
  ) {
    let target = new.seek(row)
    let found = table.find(hash: hash) { deleted in
      if insertedOfDeleted[deleted] >= 0 { return false }
      let source = old.seek(deletedRows[deleted])
      return old.rows.leaf[source].hasID(of: new.leaf[target])
    }
    guard let found else { return }
    let source = old.seek(deletedRows[found])
    differs[inserted] = !old.rows.leaf[source].equals(new.leaf[target])
    deletedOfInserted[inserted] = found
    insertedOfDeleted[found] = inserted
    count += 1
  }

  /// Marks the pairs that stay in place, section by section.
  ///
  /// It calls `moved` with each untouched run that has to move nevertheless.
  mutating func keepHeaviestInPlace(
    _ deletedRows: [RowPath], _ insertedRows: [RowPath],
    _ before: CountedTree<SectionRefs>, _ edits: [SectionRowEdits],
    moved: ((edit: SectionRowEdits, rows: RowRun)) -> Void
  ) {
    var firstDeleted = 0
    for edit in edits {
      let deleted = firstDeleted..<(firstDeleted + edit.rows.deleted.count)
      firstDeleted = deleted.upperBound
      let stays = { (insertedOfDeleted: Int) in
        insertedOfDeleted >= 0 && insertedRows[insertedOfDeleted].section == edit.after
      }
      guard insertedOfDeleted[deleted].contains(where: stays) else { continue }
      let untouched = edit.rows.untouchedRuns(rowsBefore: before[edit.before].rows.count)
      var runs: [RowRun] = []
      runs.reserveCapacity(untouched.count + deleted.count)
      var next = 0
      for index in deleted where stays(insertedOfDeleted[index]) {
        let (row, inserted) = (deletedRows[index].row, insertedOfDeleted[index])
        while next < untouched.count, untouched[next].before < row {
          runs.append(untouched[next])
          next += 1
        }
        runs.append(
          RowRun(before: row, after: insertedRows[inserted].row, count: 1, inserted: inserted))
      }
      runs += untouched[next...]
      let kept = IncreasingSubsequences.heaviest(
        of: runs.map { Int($0.after) }, weights: runs.map { Int($0.count) })
      for (run, isKept) in zip(runs, kept) {
        if run.inserted >= 0 {
          inPlace[Int(run.inserted)] = isKept
        } else if !isKept {
          moved((edit, run))
        }
      }
    }
  }
}

/// A reader of a snapshot's rows by path, with a cursor in the current section.
private struct SnapshotCursor {
  let sections: CountedTree<SectionRefs>
  var section = -1
  var rows = TreeCursor(CountedTree<RowRef>())

  init(_ sections: CountedTree<SectionRefs>) { self.sections = sections }

  /// Loads the leaf that holds a row into `rows.leaf`, and returns the row's offset in it.
  mutating func seek(_ path: RowPath) -> Int {
    if path.section != section {
      section = path.section
      rows = TreeCursor(sections[section].rows)
    }
    return rows.seek(path.row)
  }
}
