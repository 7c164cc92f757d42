// Sections, and what is shown of them.
extension ArrangedList {
  @inlinable
  func sectionName(_ item: Item) -> String { layout.sections?.name(item) ?? "" }

  /// Adds a section where it belongs, and returns its index.
  @discardableResult @inlinable
  mutating func addSection(_ name: String, _ sample: Item) -> Int {
    lastSection += 1
    let index = sections.firstIndex { section in
      let difference = layout.sections?.compare(sample, section.sample) ?? 1
      // Sections whose keys tie stand by name, whichever came first (rule A2).
      return difference < 0 || difference == 0 && name < section.name
    }
    let place = index ?? sections.count
    sections.insert(Section(name: name, id: lastSection, sample: sample), at: place)
    sectionIDs[name] = lastSection
    number(from: place)
    return place
  }

  /// Drops sections that a batch emptied.
  ///
  /// - Returns: whether there are any.
  @inlinable
  mutating func dropEmptySections(among changed: some Sequence<Int>) -> Bool {
    guard changed.contains(where: { content(ofSection: $0)?.rows.count == 0 }) else { return false }
    for section in sections where section.content.count == 0 {
      indices[section.id] = nil
      sectionIDs[section.name] = nil
    }
    sections.removeAll { $0.content.count == 0 }
    number(from: 0)
    return true
  }

  /// Where a section stands, by its id, and its rows.
  @inlinable
  func content(ofSection id: Int) -> (section: Int, rows: RowTree<Item>)? {
    indices[id].map { ($0, sections[$0].content.rows) }
  }

  @inlinable
  mutating func number(from start: Int) {
    for index in start..<sections.count { indices[sections[index].id] = index }
  }

  /// Shows the first items, as many as the limit says.
  @inlinable
  mutating func show() {
    var room = layout.limit ?? .max
    var visible: [ListSection<Item>] = []
    visible.reserveCapacity(sections.count)
    for section in sections {
      let rows = section.content.rows
      if rows.count <= room {
        visible.append(ListSection(name: section.name, rows: rows))
        room -= rows.count
      } else {
        if room > 0 { visible.append(ListSection(name: section.name, rows: rows.slice(0..<room))) }
        break
      }
    }
    shown = ListSnapshot(sections: visible)
  }

  /// What a batch did to the screen.
  ///
  /// - Parameter allStay: whether no section comes, goes or is cut.
  @inlinable
  func changes(
    _ edits: [Int: Edits], since before: ListSnapshot<Item>, allStay: Bool
  ) -> ListChanges {
    let stay =
      allStay
      ? edits.keys.compactMap { indices[$0] }.sorted().map { SectionEdits(before: $0, after: $0) }
      : ListChanges.sectionsThatStay(from: before, to: shown)
    let all = stay.map { stay in
      var stay = stay
      let new = sections[stay.after]
      if let edits = edits[new.id] {
        stay.rows.deleted = edits.deleted.map(edits.before.index(of:)).sorted()
        stay.rows.inserted = rows(edits.inserted, in: new)
        stay.rows.updated = rows(edits.updated, in: new)
      }
      stay.rows.limit(
        before: before.sections[stay.before].count, after: shown.sections[stay.after].count)
      return stay
    }
    return ListChanges(from: before, to: shown, edits: all, allStay: allStay)
  }

  @inlinable
  func rows(_ ids: [Item.ID], in section: Section) -> [Int] {
    var rows: [Int] = []
    for id in ids {
      if let place = places[id] { rows.append(section.content.index(of: place.order)) }
    }
    rows.sort()
    return rows
  }
}
