// Batches that are large beside the list.
extension ArrangedList {
  /// Puts items in and takes others out in one pass over the list: rows that stay keep their order
  /// and are not looked at, and those that come are sorted and merged into them.
  ///
  /// Where each row stood is known then, so that no difference of the lists is looked for.
  ///
  /// - Complexity: O(*n* + *k* log *n*) for *k* changes.
  @inlinable
  mutating func merge(
    upserting items: [Item], removing removed: [Item.ID], _ origin: ListUpdate<Item>.Origin
  ) -> ListUpdate<Item>? {
    let before = shown
    let leaving = leaving(items, removed, before)
    var groups = groups(of: items, included: included(items))
    let order = TotalOrder(layout)
    for name in Array(groups.keys) {
      if sectionIDs[name] == nil, let first = groups[name]?.first {
        addSection(name, items[Int(first)])
      }
      order.sort(&groups[name, default: []], of: items)
    }
    var sources: [RowSource] = []
    sources.reserveCapacity(count)
    for index in sections.indices {
      let group = groups[sections[index].name] ?? []
      merge(group, of: items, into: index, order, leaving, before, &sources)
    }
    if layout.sections?.keepsEmpty != true { _ = dropEmptySections(among: sections.map(\.id)) }
    show()
    let changes = ListChanges(
      from: before, to: shown, sources: Array(sources.prefix(shown.count)))
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: origin)
  }

  /// The rows that leave their place in a batch.
  @usableFromInline
  struct Leaving {
    /// The number of each section's first row, by the section's id.
    @usableFromInline var starts: [Int: Int] = [:]
    /// For each row, section after section, whether it leaves its place.
    @usableFromInline var isGone: [Bool] = []
    /// Where each item of the batch was.
    @usableFromInline var sources: [RowSource] = []

    @inlinable init() {}
  }

  /// Takes out what leaves its place in a batch, but for the rows themselves.
  @inlinable
  mutating func leaving(
    _ items: [Item], _ removed: [Item.ID], _ before: ListSnapshot<Item>
  ) -> Leaving {
    let standing = StandingRows(sections.map { ($0.id, $0.content.orders) })
    var rows = sections.map { RowCursor($0.content.rows) }
    var leaving = Leaving()
    leaving.starts = standing.sections.mapValues { $0.start }
    leaving.isGone = Array(repeating: false, count: standing.count)
    let changed = removed.isEmpty ? [] : Set(items.lazy.map(\.id))
    for id in removed where !changed.contains(id) {
      arrivals.forget(id)
      if !hidden.isEmpty { hidden[id] = nil }
      if let place = places.removeValue(forKey: id), let number = standing.number(of: place) {
        leaving.isGone[number] = true
      }
    }
    leaving.sources.reserveCapacity(items.count)
    for item in items {
      if !hidden.isEmpty { hidden[item.id] = nil }
      guard let place = places.removeValue(forKey: item.id), let index = indices[place.section],
        let start = leaving.starts[place.section], let number = standing.number(of: place)
      else {
        leaving.sources.append(RowSource(nil, in: before))
        continue
      }
      leaving.isGone[number] = true
      let offset = rows[index].seek(number - start)
      leaving.sources.append(
        RowSource(number, in: before, differs: rows[index].leaf[offset] != item))
    }
    arrivals.note(items)
    return leaving
  }

  /// Merges sorted items into a section, from which others go.
  ///
  /// - Parameter sources: where each row of the sections above stood; those of this one are added.
  @inlinable
  mutating func merge(
    _ group: [Int32], of items: [Item], into index: Int, _ order: TotalOrder<Item>,
    _ leaving: Leaving, _ before: ListSnapshot<Item>, _ sources: inout [RowSource]
  ) {
    let (id, old) = (sections[index].id, sections[index].content)
    let first = leaving.starts[id] ?? 0
    let numbers = first..<(first + old.count)
    guard !group.isEmpty || leaving.isGone[numbers].contains(true) else {
      for number in numbers { sources.append(RowSource(number, in: before)) }
      return
    }
    let kept = (0..<old.count).filter { !leaving.isGone[first + $0] }
    var merged = MergedContent(old, adding: group.count)
    for place in group {
      let (item, start) = (items[Int(place)], merged.passed)
      if start < kept.count {
        let compare = order.comparing(item)
        let end = kept.partition(from: start) { row in
          let other = merged.row(row)
          let difference = compare(other)
          return difference < 0 || difference == 0 && arrivals.precedes(item.id, other.id)
        }
        for row in kept[start..<end] { sources.append(RowSource(first + row, in: before)) }
        merged.keep(kept[start..<end])
      }
      merged.add(item)
      sources.append(leaving.sources[Int(place)])
    }
    let rest = kept[merged.passed...]
    for row in rest { sources.append(RowSource(first + row, in: before)) }
    merged.keep(rest)
    let (content, isNumberedAnew) = OrderedRows.merged(merged)
    for row in isNumberedAnew ? Array(0..<content.count) : merged.added {
      places[merged.rows[row].id] = ArrangedPlace(section: id, order: content.orders[row])
    }
    sections[index].content = content
  }
}
