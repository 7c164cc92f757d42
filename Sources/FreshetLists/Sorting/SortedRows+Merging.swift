// Batches that are large compared to the list.
extension SortedRows {
  /// Inserts and removes rows in one pass over the list.
  ///
  /// Rows that stay keep their order, and the inserted rows are sorted and merged into them. The
  /// source of each row is then known, so no difference of the lists is computed.
  ///
  /// - Parameters:
  ///   - rows: the rows to insert, each id once.
  ///   - removed: keys of rows to remove that are not among `rows`.
  /// - Complexity: O(*n* + *k* log *n*) for *k* changes.
  mutating func merge(upserting rows: [RowRef], removing removed: [RowRef]) -> ListChanges {
    let before = shown
    var batch = leave(rows, removed, before)
    arrivals.note(rows)
    var groups = groups(of: rows, included: included(rows))
    for name in Array(groups.keys) {
      if places[name] == nil, let first = groups[name]?.first {
        _ = addSection(name, rows[Int(first)])
      }
      layout.sort(&groups[name, default: []], of: rows)
    }
    var sources: [RowSource] = []
    sources.reserveCapacity(count + rows.count)
    for section in sections.indices {
      merge(groups[sections[section].name] ?? [], of: rows, into: section, &batch, &sources)
    }
    let changed = batch.removed.count + batch.inserted.count
    if batch.isRenumbered || changed > 32 + index.count / 2 {
      index.indexAll()
    } else {
      index.update(removing: batch.removed, inserting: batch.inserted)
    }
    if layout.sections?.keepsEmpty != true {
      _ = dropEmptySections(index.sections.map(\.number))
    }
    show()
    return ListChanges(from: before, to: shown, sources: Array(sources.prefix(shown.count)))
  }

  /// The rows that leave their place in a batch, and the rows that are inserted.
  struct Batch {
    let before: SnapshotRefs
    let standing: RowNumbers
    /// Whether each row leaves its place, counted section after section.
    var isGone: [Bool]
    /// The source of each row of the batch.
    var sources: [RowSource] = []
    var removed: [RowIndex.Entry] = []
    var inserted: [RowIndex.Entry] = []
    /// Whether the rows of a section were renumbered from scratch.
    var isRenumbered = false
  }

  /// Collects the rows that leave their place in a batch, without removing them yet.
  private mutating func leave(
    _ rows: [RowRef], _ removed: [RowRef], _ before: SnapshotRefs
  ) -> Batch {
    let standing = RowNumbers(index)
    var batch = Batch(
      before: before, standing: standing,
      isGone: Array(repeating: false, count: standing.count))
    var cursors = index.sections.map { TreeCursor($0.rows.rows) }
    batch.sources.reserveCapacity(rows.count)
    for row in rows {
      if !hidden.isEmpty { hidden[RowID(row)] = nil }
      let old = leave(row, &batch, &cursors)
      batch.sources.append(
        RowSource(old?.number, in: before, differs: old.map { !$0.row.equals(row) } ?? false))
    }
    for key in removed {
      _ = leave(key, &batch, &cursors)
      arrivals.forget(key)
      if !hidden.isEmpty { hidden[RowID(key)] = nil }
    }
    return batch
  }

  /// Marks the row with the id of another row, or of a key, as leaving its place.
  ///
  /// - Returns: the row and its number, or `nil` if there is no such row.
  private func leave(
    _ row: RowRef, _ batch: inout Batch, _ cursors: inout [TreeCursor<RowRef>]
  ) -> (number: Int, row: RowRef)? {
    for entry in index.entries.near(row.hash) where entry.hash == row.hash {
      guard let number = batch.standing.number(of: entry) else { continue }
      let offset = cursors[number.section].seek(number.row)
      let old = cursors[number.section].leaf[offset]
      guard old.hasID(of: row) else { continue }
      if !batch.isGone[number.all] { batch.removed.append(entry) }
      batch.isGone[number.all] = true
      return (number.all, old)
    }
    return nil
  }

  /// Merges sorted rows into a section, and removes the rows that leave it.
  ///
  /// - Parameter sources: the source of each row of the sections above; those of this section are
  ///   added.
  private mutating func merge(
    _ group: [Int32], of rows: [RowRef], into section: Int, _ batch: inout Batch,
    _ sources: inout [RowSource]
  ) {
    let (number, old) = (index.sections[section].number, index.sections[section].rows)
    let first = batch.standing.start(ofSection: number)
    let numbers = first..<(first + old.count)
    guard !group.isEmpty || batch.isGone[numbers].contains(true) else {
      for number in numbers { sources.append(RowSource(number, in: batch.before)) }
      return
    }
    let kept = (0..<old.count).filter { !batch.isGone[first + $0] }
    var merged = MergedContent(old, adding: group.count)
    for place in group {
      let (row, start) = (rows[Int(place)], merged.passed)
      if start < kept.count {
        let compare = layout.comparing(row)
        let end = kept.partition(from: start) { index in
          let other = merged.row(index)
          let difference = compare(other)
          return difference < 0 || difference == 0 && arrivals.precedes(row, other)
        }
        for row in kept[start..<end] { sources.append(RowSource(first + row, in: batch.before)) }
        merged.keep(kept[start..<end])
      }
      merged.add(row)
      sources.append(batch.sources[Int(place)])
    }
    let rest = kept[merged.passed...]
    for row in rest { sources.append(RowSource(first + row, in: batch.before)) }
    merged.keep(rest)
    let (content, orders, isRenumbered) = OrderedTree.merged(&merged)
    if isRenumbered { batch.isRenumbered = true }
    for (place, row) in zip(group, merged.added) {
      batch.inserted.append(
        RowIndex.Entry(hash: rows[Int(place)].hash, section: number, order: orders[row]))
    }
    index.setRows(content, ofSection: section)
  }
}
