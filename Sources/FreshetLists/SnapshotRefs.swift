/// The rows of a snapshot, without the item type.
@usableFromInline
package struct SnapshotRefs: Sendable {
  @usableFromInline package private(set) var sections: CountedTree<SectionRefs>
  /// The number of rows in all sections.
  @usableFromInline package private(set) var count = 0
  /// The number of rows up to the end of each section, without the last section.
  ///
  /// A binary search in these ends finds the section of a row.
  @usableFromInline private(set) var ends: [Int] = []

  /// Creates the rows of these sections.
  ///
  /// - Complexity: O(sections).
  @usableFromInline
  package init(_ sections: [SectionRefs] = []) {
    self.sections = CountedTree(sections)
    if sections.count > 1 { ends.reserveCapacity(sections.count - 1) }
    for section in sections.dropLast() {
      count += section.rows.count
      ends.append(count)
    }
    count += sections.last?.rows.count ?? 0
  }

  /// Creates one section without a name, or no section if there are no rows.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  init(_ rows: CountedTree<RowRef>) {
    sections = CountedTree()
    if rows.count > 0 { sections.append(SectionRefs(name: "", rows: rows)) }
    count = rows.count
  }

  /// The row at a path.
  @inlinable
  package subscript(path: RowPath) -> RowRef { sections[path.section].rows[path.row] }

  /// Returns the number of rows in the sections above one.
  ///
  /// - Complexity: O(1).
  func rowsAbove(_ section: Int) -> Int {
    if section == 0 { return 0 }
    return section == sections.count ? count : ends[section - 1]
  }

  /// Returns the numbers of a section's rows, counted section after section.
  func indices(of section: Int) -> Range<Int> {
    rowsAbove(section)..<rowsAbove(section + 1)
  }

  /// Returns these rows with others in some of the sections.
  ///
  /// - Complexity: O(*k* log sections + *k* log *k*) for *k* sections, and one addition for each
  ///   section below the first of them.
  @usableFromInline
  func replacing(_ replaced: [(section: Int, rows: CountedTree<RowRef>)]) -> SnapshotRefs {
    var new = self
    let replaced = replaced.count == 1 ? replaced : replaced.sorted { $0.section < $1.section }
    for (place, (index, rows)) in replaced.enumerated() {
      let old = sections[index]
      new.sections.update(SectionRefs(name: old.name, rows: rows), at: index)
      new.count += rows.count - old.rows.count
      let below = place + 1 < replaced.count ? replaced[place + 1].section : ends.count
      new.shiftEnds(of: index..<below, by: new.count - count)
    }
    return new
  }

  /// Removes a section.
  ///
  /// - Complexity: O(log sections), and one addition for each section below.
  @usableFromInline
  mutating func removeSection(at index: Int) {
    let removed = sections.remove(at: index).rows.count
    if index < ends.count {
      ends.remove(at: index)
      shiftEnds(of: index..<ends.count, by: -removed)
    } else {
      _ = ends.popLast()
    }
    count -= removed
  }

  /// Inserts a section so that it is at an index.
  ///
  /// - Complexity: O(log sections), and one addition for each section below.
  @usableFromInline
  mutating func insert(_ section: SectionRefs, at index: Int) {
    if index < sections.count {
      ends.insert(rowsAbove(index), at: index)
      shiftEnds(of: index..<ends.count, by: section.rows.count)
    } else if index > 0 {
      ends.append(count)
    }
    sections.insert(section, at: index)
    count += section.rows.count
  }

  private mutating func shiftEnds(of sections: Range<Int>, by growth: Int) {
    if growth == 0 { return }
    for section in sections { ends[section] += growth }
  }
}

/// A section, without the item type.
@usableFromInline
package struct SectionRefs: Sendable {
  @usableFromInline package let name: String
  @usableFromInline package let rows: CountedTree<RowRef>

  @inlinable
  package init(name: String, rows: CountedTree<RowRef>) {
    self.name = name
    self.rows = rows
  }
}
