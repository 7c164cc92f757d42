// Sections, and the part of them that is shown.
extension SortedRows {
  /// Inserts a section at its place in the order, and returns its index.
  mutating func addSection(_ name: String, _ sample: RowRef) -> Int {
    let section = Section(name: name, sample: sample)
    let place = sections.firstIndex { precedes(section, $0) } ?? sections.count
    sections.insert(section, at: place)
    index.insertSection(OrderedTree(), at: place)
    numberSections(from: place)
    return place
  }

  /// Returns whether a section is above another one.
  func precedes(_ first: Section, _ second: Section) -> Bool {
    let difference = layout.sections?.compare(first.sample, second.sample) ?? 1
    // Sections whose keys tie are ordered by name, not by arrival (rule A2).
    return difference < 0 || difference == 0 && first.name < second.name
  }

  /// Removes sections that a batch emptied.
  ///
  /// - Parameter changed: the numbers of the sections that the batch changed.
  /// - Returns: whether any section was removed.
  mutating func dropEmptySections(_ changed: some Sequence<Int32>) -> Bool {
    let empty = changed.map(index.index(ofSection:))
      .filter { index.sections[$0].rows.count == 0 }.sorted()
    if empty.isEmpty { return false }
    for section in empty { places[sections[section].name] = nil }
    let gone = Set(empty)
    sections = sections.indices.lazy.filter { !gone.contains($0) }.map { sections[$0] }
    for section in empty.reversed() { index.removeSection(at: section) }
    numberSections(from: empty[0])
    return true
  }

  private mutating func numberSections(from start: Int) {
    for section in start..<sections.count { places[sections[section].name] = section }
  }

  /// Shows the first rows, up to the limit.
  mutating func show() {
    var room = layout.limit ?? .max
    var visible: [SectionRefs] = []
    visible.reserveCapacity(sections.count)
    for (section, content) in zip(sections, index.sections) {
      let rows = content.rows.rows
      if rows.count <= room {
        visible.append(SectionRefs(name: section.name, rows: rows))
        room -= rows.count
      } else {
        if room > 0 { visible.append(SectionRefs(name: section.name, rows: rows.slice(0..<room))) }
        break
      }
    }
    shown = SnapshotRefs(visible)
  }
}
