// Batches that are large beside the list.
extension ArrangedList {
  /// Puts items in and takes others out in one pass over the list: rows that stay keep their order
  /// and are not looked at, and those that come are sorted and merged into them.
  ///
  /// Where each row stood is known then, so that no difference of the lists is looked for. Of items
  /// with the same id, the last one counts.
  ///
  /// - Complexity: O(*n* + *k* log *n*) for *k* changes.
  @inlinable
  mutating func merge(
    upserting items: [Item], removing removed: [Item.ID], _ origin: ListUpdate<Item>.Origin
  ) -> ListUpdate<Item>? {
    let before = shown
    var batch = leave(items, removed, before)
    arrivals.note(items)
    var groups = groups(of: items, included: included(items, besides: batch.repeated))
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
      merge(group, of: items, into: index, order, &batch, before, &sources)
    }
    batch.settle(&places.values)
    if layout.sections?.keepsEmpty != true { _ = dropEmptySections(among: sections.map(\.id)) }
    show()
    let changes = ListChanges(
      from: before, to: shown, sources: Array(sources.prefix(shown.count)))
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: origin)
  }

  /// The rows that leave their place in a batch, and where its items come to stand.
  @usableFromInline
  struct Batch {
    /// The number of each section's first row, by the section's id.
    @usableFromInline var starts: [Int: Int] = [:]
    /// For each row, section after section, whether it leaves its place.
    @usableFromInline var isGone: [Bool] = []
    /// Where each item of the batch was.
    @usableFromInline var sources: [RowSource] = []
    /// The items whose ids come again.
    @usableFromInline var repeated: Set<Int32> = []
    /// Where each item is placed.
    @usableFromInline var placed: [ArrangedPlace?]

    @inlinable
    init(of count: Int) { placed = Array(repeating: nil, count: count) }

    /// Gives the items that wait for their places these.
    ///
    /// What has the places is gone through as it lies in memory: no id is looked up.
    @inlinable
    func settle(_ places: inout [Item.ID: ArrangedPlace].Values) {
      var index = places.startIndex
      while index != places.endIndex {
        if let item = places[index].waiting, let place = placed[item] { places[index] = place }
        places.formIndex(after: &index)
      }
    }
  }

  /// Takes out what leaves its place in a batch, but for the rows themselves.
  @inlinable
  mutating func leave(
    _ items: [Item], _ removed: [Item.ID], _ before: ListSnapshot<Item>
  ) -> Batch {
    let standing = StandingRows(sections.map { ($0.id, $0.content.orders) })
    var rows = sections.map { RowCursor($0.content.rows) }
    var batch = Batch(of: items.count)
    batch.starts = standing.sections.mapValues { $0.start }
    batch.isGone = Array(repeating: false, count: standing.count)
    let left = wait(items, &batch)
    for id in removed {
      if let place = places[id] {
        // What comes in the same batch stays.
        if place.waiting != nil { continue }
        places[id] = nil
        if let number = standing.number(of: place) { batch.isGone[number] = true }
      }
      arrivals.forget(id)
      if !hidden.isEmpty { hidden[id] = nil }
    }
    batch.sources.reserveCapacity(items.count)
    for (item, place) in zip(items, left) {
      guard let place, let index = indices[place.section], let start = batch.starts[place.section],
        let number = standing.number(of: place)
      else {
        batch.sources.append(RowSource(nil, in: before))
        continue
      }
      batch.isGone[number] = true
      let offset = rows[index].seek(number - start)
      batch.sources.append(
        RowSource(number, in: before, differs: rows[index].leaf[offset] != item))
    }
    return batch
  }

  /// Lets the items of a batch wait for their places, for which each id is looked up once.
  ///
  /// - Returns: the places that they had.
  @inlinable
  mutating func wait(_ items: [Item], _ batch: inout Batch) -> [ArrangedPlace?] {
    // Most of what is more than there is has no place yet.
    if items.count > count { places.reserveCapacity(places.count + items.count) }
    var left: [ArrangedPlace?] = []
    left.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      if !hidden.isEmpty { hidden[item.id] = nil }
      var place = places.updateValue(ArrangedPlace(waiting: index), forKey: item.id)
      if let earlier = place?.waiting {
        batch.repeated.insert(Int32(earlier))
        place = left[earlier]
        left[earlier] = nil
      }
      left.append(place)
    }
    return left
  }

  /// Merges sorted items into a section, from which others go.
  ///
  /// - Parameter sources: where each row of the sections above stood; those of this one are added.
  @inlinable
  mutating func merge(
    _ group: [Int32], of items: [Item], into index: Int, _ order: TotalOrder<Item>,
    _ batch: inout Batch, _ before: ListSnapshot<Item>, _ sources: inout [RowSource]
  ) {
    let (id, old) = (sections[index].id, sections[index].content)
    let first = batch.starts[id] ?? 0
    let numbers = first..<(first + old.count)
    guard !group.isEmpty || batch.isGone[numbers].contains(true) else {
      for number in numbers { sources.append(RowSource(number, in: before)) }
      return
    }
    let kept = (0..<old.count).filter { !batch.isGone[first + $0] }
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
      sources.append(batch.sources[Int(place)])
    }
    let rest = kept[merged.passed...]
    for row in rest { sources.append(RowSource(first + row, in: before)) }
    merged.keep(rest)
    let (content, orders, isNumberedAnew) = OrderedRows.merged(&merged)
    for (item, row) in zip(group, merged.added) {
      batch.placed[Int(item)] = ArrangedPlace(section: id, order: orders[row])
    }
    if isNumberedAnew {
      for (row, order) in zip(content.rows, orders) {
        places[row.id] = ArrangedPlace(section: id, order: order)
      }
    }
    sections[index].content = content
  }
}
