// The order of sections, and the shown snapshot.
extension SectionedRows {
  @inlinable
  mutating func show(_ changes: [String: Change]) -> ListChanges {
    let before = shown
    guard !changes.isEmpty else { return ListChanges() }
    let changed = Array(changes.keys)
    let moved = refill(changed) ?? rearrange(changed)
    let edits = moved.stay.map { stay in
      let name = before.sections[stay.before].name
      guard let change = changes[name], let content = sections[name] else { return stay }
      var stay = stay
      stay.rows.deleted = change.deleted.sorted()
      stay.rows.inserted = change.inserted.map(content.index(of:)).sorted()
      stay.rows.updated = change.updated.map(content.index(of:)).sorted()
      return stay
    }
    return ListChanges(
      from: before, to: shown, edits: edits, deleted: moved.deleted, inserted: moved.inserted)
  }

  /// The changes of sections: those that changed and stay, and those deleted or inserted.
  ///
  /// A section that moves past others is deleted and inserted.
  @usableFromInline
  struct Arrangement {
    @usableFromInline var stay: [SectionRowEdits] = []
    /// As indices before the changes.
    @usableFromInline var deleted: [Int] = []
    /// As indices after the changes.
    @usableFromInline var inserted: [Int] = []

    @inlinable init() {}
  }

  /// Shows changed sections at their old places.
  ///
  /// - Returns: `nil`, without any effect, if a section is inserted, removed or moves past
  ///   another.
  /// - Complexity: O(*k* log sections + sections) for *k* sections that changed.
  @inlinable
  mutating func refill(_ changed: [String]) -> Arrangement? {
    var firsts = firsts
    var filled: [(section: Int, rows: RowTree<Row>)] = []
    filled.reserveCapacity(changed.count)
    for name in changed {
      guard let start = starts[name], let rows = sections[name], let first = rows.orders.first
      else { return nil }
      let index = self.firsts.partition { $0 >= start }
      firsts[index] = first
      filled.append((index, rows.rows))
    }
    let places = filled.map { $0.section }.sorted()
    for index in places {
      if index > 0, firsts[index - 1] >= firsts[index] { return nil }
      if index + 1 < firsts.count, firsts[index] >= firsts[index + 1] { return nil }
    }
    for (name, fill) in zip(changed, filled) where firsts[fill.section] != self.firsts[fill.section]
    {
      starts[name] = firsts[fill.section]
    }
    (self.firsts, shown) = (firsts, shown.replacing(filled))
    var result = Arrangement()
    result.stay = places.map { SectionRowEdits(before: $0, after: $0) }
    return result
  }

  /// Shows changed sections at their new places.
  ///
  /// - Complexity: O(*k* log sections) for *k* sections that changed, and one addition for each
  ///   section below one. It is the cost of `arrangeAll()` if several sections move past others,
  ///   or a heavy one does.
  @usableFromInline
  mutating func rearrange(_ changed: [String]) -> Arrangement {
    for name in changed where sections[name]?.count == 0 { sections[name] = nil }
    // Changed sections that stay, with their index before and the order of their first row now.
    var places: [(name: String, before: Int, first: RowOrder)] = []
    var (gone, came): ([Int], [(name: String, first: RowOrder)]) = ([], [])
    for name in changed {
      let before = starts[name].map { start in firsts.partition { $0 >= start } }
      let first = sections[name]?.orders.first
      if let before, let first {
        places.append((name, before, first))
      } else if let before {
        gone.append(before)
      } else if let first {
        came.append((name, first))
      }
    }
    places.sort { $0.before < $1.before }
    guard let passing = passing(places, gone) else { return arrangeAll() }
    var result = Arrangement()
    result.deleted = (gone + [passing?.before].compactMap(\.self)).sorted()
    let staying = places.filter { $0.before != passing?.before }
    for place in staying {
      firsts[place.before] = place.first
      starts[place.name] = place.first
    }
    var list = shown.refs.replacing(
      staying.map { ($0.before, sections[$0.name]?.rows.refs ?? []) })
    for index in result.deleted.reversed() {
      starts[list.sections[index].name] = nil
      firsts.remove(at: index)
      list.removeSection(at: index)
    }
    if let passing { came.append((passing.name, passing.first)) }
    for section in came.sorted(by: { $0.first < $1.first }) {
      let index = firsts.partition { $0 >= section.first }
      firsts.insert(section.first, at: index)
      starts[section.name] = section.first
      list.insert(refs(section.name), at: index)
      result.inserted.append(index)
    }
    result.stay = staying.map { place in
      SectionRowEdits(before: place.before, after: firsts.partition { $0 >= place.first })
    }
    shown = ListSnapshot(refs: list)
    return result
  }

  @usableFromInline
  func refs(_ name: String) -> SectionRefs {
    SectionRefs(name: name, rows: sections[name]?.rows.refs ?? [])
  }

  /// Returns the one section that moves past others.
  ///
  /// - Parameters:
  ///   - places: the changed sections that stay in the list, in their order before.
  ///   - gone: the sections that are removed.
  /// - Returns: `.some(nil)` if no section moves past another. `nil` if several do, or if the
  ///   section has more rows than those that it passes.
  @usableFromInline
  func passing(
    _ places: [(name: String, before: Int, first: RowOrder)], _ gone: [Int]
  ) -> (name: String, before: Int, first: RowOrder)?? {
    let changed = (places.map(\.before) + gone).sorted()
    // The number of unchanged sections that are above each of the changed ones now.
    let above = places.map { place in
      let end = firsts.partition { $0 >= place.first }
      return end - changed.partition { $0 >= end }
    }
    var passing: Int?
    for (index, place) in places.enumerated()
    where above[index] != place.before - changed.partition(where: { $0 >= place.before }) {
      if passing != nil { return nil }
      passing = index
    }
    // Sections that pass no other must keep their order.
    var last = RowOrder.min
    for (index, place) in places.enumerated() where index != passing {
      if place.first < last { return nil }
      last = place.first
    }
    guard let passing else { return .some(nil) }
    let place = places[passing]
    let end = firsts.partition { $0 >= place.first }
    let passed = end > place.before ? (place.before + 1)..<end : end..<place.before
    // The section passes the unchanged sections on its way. Of the changed sections, it passes
    // those that were on its other side.
    let list = shown.refs
    var weight =
      list.rowsAbove(passed.upperBound) - list.rowsAbove(passed.lowerBound) + passed.count
    for index in changed where passed.contains(index) {
      weight -= list.sections[index].rows.count + 1
    }
    for other in places where (other.before < place.before) != (other.first < place.first) {
      weight += list.sections[other.before].rows.count + 1
    }
    return weight < list.sections[place.before].rows.count + 1 ? nil : .some(place)
  }

  /// Shows all sections in the order of their first rows.
  ///
  /// - Complexity: O(sections log sections).
  @usableFromInline
  mutating func arrangeAll() -> Arrangement {
    // Only the names are sorted, because moving rows is expensive in generic code.
    var order: [(first: RowOrder, name: String)] = []
    for (name, content) in sections { order.append((content.orders.first ?? 0, name)) }
    order.sort { $0.first < $1.first }
    let before = shown
    shown = ListSnapshot(refs: SnapshotRefs(order.map { refs($0.name) }))
    firsts = order.map { $0.first }
    starts = [:]
    for section in order { starts[section.name] = section.first }
    var result = Arrangement()
    result.stay = ListChanges.sectionsThatStay(from: before, to: shown)
    result.deleted = ListChanges.missing(from: result.stay.map(\.before), of: before.sections.count)
    result.inserted = ListChanges.missing(from: result.stay.map(\.after), of: order.count)
    return result
  }
}
