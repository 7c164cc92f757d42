// Batches that are small compared to the list.
extension SortedRows {
  /// The edits of a section's rows by a batch.
  struct Edits {
    /// The rows before the batch.
    let before: OrderedTree<RowRef>
    /// As orders before the batch.
    var deleted: [RowOrder] = []
    /// As orders after the batch.
    var inserted: [RowOrder] = []
    var updated: [RowOrder] = []

    mutating func renumber(_ renumbering: Renumbering) {
      inserted = inserted.map(renumbering.order(_:))
      updated = updated.map(renumbering.order(_:))
    }
  }

  /// Inserts rows, replaces those with the same ids, and removes the rows that keys name.
  ///
  /// - Returns: the changes of the shown list.
  @usableFromInline
  mutating func change(upserting upserted: [RowRef], removing removed: [RowRef]) -> ListChanges {
    let before = shown
    if count == 0, sections.isEmpty {
      load(upserted)
      return ListChanges(from: before.sections, to: shown.sections, edits: [], allStay: false)
    }
    let rows = Self.unique(upserted)
    let kept = removed.isEmpty ? [] : Set(rows.lazy.map(RowID.init))
    let removed = removed.filter { !kept.contains(RowID($0)) }
    if rows.count + removed.count > 32 + count / 32 {
      return merge(upserting: rows, removing: removed)
    }
    let sectionsBefore = sections.count
    var edits: [Int32: Edits] = [:]
    for key in removed {
      arrivals.forget(key)
      takeOut(key, &edits)
    }
    arrivals.note(rows)
    let moving = rows.filter { !changeInPlace($0, &edits) }
    for row in moving { putIn(row, &edits) }
    let haveGone = layout.sections?.keepsEmpty != true && dropEmptySections(edits.keys)
    let allStay = !haveGone && sections.count == sectionsBefore && layout.limit == nil
    if allStay {
      shown = before.replacing(
        edits.keys.map { number in
          let section = index.index(ofSection: number)
          return (section, index.sections[section].rows.rows)
        })
    } else {
      show()
    }
    return changes(edits, since: before, allStay: allStay)
  }

  /// Updates a row in place, or removes it if it has to move.
  ///
  /// - Returns: `false` if the caller has to insert the row.
  private mutating func changeInPlace(_ row: RowRef, _ edits: inout [Int32: Edits]) -> Bool {
    guard let path = index.path(of: row) else {
      if hidden.isEmpty || hidden[RowID(row)] == nil { return false }
      hidden[RowID(row)] = nil
      if layout.includes(row) { return false }
      hidden[RowID(row)] = row
      return true
    }
    let old = index[path]
    guard layout.includes(row), layout.sectionName(of: row) == sections[path.section].name,
      layout.tie(old, row)
    else {
      takeOut(path, &edits)
      return false
    }
    if !old.equals(row) {
      let order = index.sections[path.section].rows.orders[path.row]
      note(path.section, &edits) { $0.updated.append(order) }
      index.update(path, to: row)
    }
    return true
  }

  private mutating func takeOut(_ key: RowRef, _ edits: inout [Int32: Edits]) {
    if !hidden.isEmpty { hidden[RowID(key)] = nil }
    if let path = index.path(of: key) { takeOut(path, &edits) }
  }

  private mutating func takeOut(_ path: RowPath, _ edits: inout [Int32: Edits]) {
    let order = index.sections[path.section].rows.orders[path.row]
    note(path.section, &edits) { $0.deleted.append(order) }
    index.remove([path.row], from: path.section)
  }

  private mutating func putIn(_ row: RowRef, _ edits: inout [Int32: Edits]) {
    guard layout.includes(row) else {
      hidden[RowID(row)] = row
      return
    }
    let name = layout.sectionName(of: row)
    let section = places[name] ?? addSection(name, row)
    let compare = layout.comparing(row)
    let at = index.sections[section].rows.rows.partitioningIndex { other in
      let difference = compare(other)
      return difference < 0 || difference == 0 && arrivals.precedes(row, other)
    }
    note(section, &edits) { _ in }
    let renumbering = index.insert([row], at: at, into: section)
    let order = index.sections[section].rows.orders[at]
    note(section, &edits) {
      if let renumbering { $0.renumber(renumbering) }
      $0.inserted.append(order)
    }
  }

  /// Records the edits of a section.
  private func note(
    _ section: Int, _ edits: inout [Int32: Edits], _ body: (inout Edits) -> Void
  ) {
    let section = index.sections[section]
    body(&edits[section.number, default: Edits(before: section.rows)])
  }

  /// Returns the changes of the shown list.
  ///
  /// - Parameter allStay: whether no section is inserted, removed or cut by the limit.
  private func changes(
    _ edits: [Int32: Edits], since before: SnapshotRefs, allStay: Bool
  ) -> ListChanges {
    let stay =
      allStay
      ? edits.keys.map(index.index(ofSection:)).sorted()
        .map { SectionRowEdits(before: $0, after: $0) }
      : ListChanges.sectionsThatStay(from: before.sections, to: shown.sections)
    let all = stay.map { stay in
      var stay = stay
      let new = index.sections[stay.after]
      if let edits = edits[new.number] {
        stay.rows.deleted = edits.deleted.map(edits.before.index(of:)).sorted()
        stay.rows.inserted = edits.inserted.map(new.rows.index(of:)).sorted()
        stay.rows.updated = edits.updated.map(new.rows.index(of:)).sorted()
      }
      stay.rows.limit(
        before: before.sections[stay.before].rows.count,
        after: shown.sections[stay.after].rows.count)
      return stay
    }
    return ListChanges(
      from: before.sections, to: shown.sections, edits: all, allStay: allStay)
  }

  /// Returns each id once, at its first place and with its last contents.
  static func unique(_ rows: [RowRef]) -> [RowRef] {
    if rows.count < 2 { return rows }
    var table = HashIndex(capacity: rows.count)
    var unique: [RowRef]?
    for (index, row) in rows.enumerated() {
      let known = table.find(hash: row.hash) { (unique?[$0] ?? rows[$0]).hasID(of: row) }
      if let known {
        if unique == nil { unique = Array(rows[..<index]) }
        unique?[known] = row
      } else {
        table.insert(unique?.count ?? index, hash: row.hash)
        unique?.append(row)
      }
    }
    return unique ?? rows
  }
}
