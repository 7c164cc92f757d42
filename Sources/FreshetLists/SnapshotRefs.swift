/// The rows of a snapshot, whatever its items are.
@usableFromInline
package struct SnapshotRefs: Sendable {
  @usableFromInline package private(set) var sections: [SectionRefs]
  /// The number of rows in all sections.
  @usableFromInline package private(set) var count = 0
  /// How many rows there are in the sections up to each one but the last: to find the section of a
  /// row takes a search.
  @usableFromInline private(set) var ends: [Int] = []

  /// - Complexity: O(sections).
  @usableFromInline
  package init(_ sections: [SectionRefs] = []) {
    self.sections = sections
    if sections.count > 1 { ends.reserveCapacity(sections.count - 1) }
    for section in sections.dropLast() {
      count += section.rows.count
      ends.append(count)
    }
    count += sections.last?.rows.count ?? 0
  }

  /// The row at a path.
  @inlinable
  package subscript(path: RowPath) -> RowRef { sections[path.section].rows[path.row] }

  /// The numbers of the rows of a section, where rows are numbered section after section.
  func indices(of section: Int) -> Range<Int> {
    let start = section == 0 ? 0 : ends[section - 1]
    return start..<(start + sections[section].rows.count)
  }

  /// These rows with others in some of the sections.
  ///
  /// - Complexity: O(sections).
  @usableFromInline
  func replacing(_ replaced: [(section: Int, rows: CountedTree<RowRef>)]) -> SnapshotRefs {
    var new = self
    // The first section after which rows have other numbers now.
    var first = ends.count
    for (index, rows) in replaced {
      let growth = rows.count - sections[index].rows.count
      new.sections[index] = SectionRefs(name: sections[index].name, rows: rows)
      new.count += growth
      if growth != 0 { first = min(first, index) }
    }
    var end = first > 0 ? ends[first - 1] : 0
    for index in first..<ends.count {
      end += new.sections[index].rows.count
      new.ends[index] = end
    }
    return new
  }
}

/// A section, whatever its items are.
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
