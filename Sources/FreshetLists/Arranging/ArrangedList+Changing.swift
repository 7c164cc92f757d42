// Batches of a few changes beside the list.
extension ArrangedList {
  /// Puts items in, or in the place of those with their ids, and takes others out.
  ///
  /// - Returns: what that does to the screen; `nil` where nothing changes there (rule L3).
  /// - Complexity: O(*k* log *n* + sections) for *k* changes, and O(*n*) more where they are more
  ///   than a thirtieth of the list.
  @discardableResult @inlinable
  public mutating func change(
    upserting upserted: [Item], removing removed: [Item.ID] = [],
    origin: ListUpdate<Item>.Origin = .network
  ) -> ListUpdate<Item>? {
    if count == 0, sections.isEmpty { return load(upserted, origin) }
    if upserted.count + removed.count > 32 + count / 32 {
      return merge(upserting: upserted, removing: removed, origin)
    }
    let items = Self.unique(upserted)
    let before = shown
    let lastSection = lastSection
    var edits: [Int: Edits] = [:]
    let kept = removed.isEmpty ? [] : Set(items.lazy.map(\.id))
    for id in removed where !kept.contains(id) {
      arrivals.forget(id)
      takeOut(id, &edits)
    }
    arrivals.note(items)
    var moving: [Item] = []
    for item in items where !changeInPlace(item, &edits) { moving.append(item) }
    let order = TotalOrder(layout)
    for item in moving { putIn(item, order, &edits) }
    let haveGone = layout.sections?.keepsEmpty != true && dropEmptySections(among: edits.keys)
    let allStay = !haveGone && lastSection == self.lastSection && layout.limit == nil
    if allStay {
      shown = before.replacing(edits.keys.compactMap(content(ofSection:)))
    } else {
      show()
    }
    let changes = changes(edits, since: before, allStay: allStay)
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: origin)
  }

  /// Shows the first items of an empty list.
  @inlinable
  mutating func load(
    _ items: [Item], _ origin: ListUpdate<Item>.Origin
  ) -> ListUpdate<Item>? {
    let before = shown
    layOutFirst(items)
    let changes = ListChanges(from: before, to: shown, edits: [])
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: origin)
  }

  /// Changes an item that stays where it is, and takes out the row of one that does not: that has
  /// its old place until it is put in anew.
  ///
  /// - Returns: whether it stays.
  @inlinable
  mutating func changeInPlace(_ item: Item, _ edits: inout [Int: Edits]) -> Bool {
    guard let place = places[item.id], let index = indices[place.section] else {
      if hidden.isEmpty || hidden[item.id] == nil { return false }
      let isIncluded = layout.isIncluded?(item) ?? true
      hidden[item.id] = isIncluded ? nil : item
      return !isIncluded
    }
    let row = sections[index].content.index(of: place.order)
    let old = sections[index].content.rows[row]
    guard layout.isIncluded?(item) ?? true, sectionName(item) == sections[index].name,
      layout.orders.allSatisfy({ $0.comparing(old)(item) == 0 })
    else {
      takeOut(place, row, ofSection: index, &edits)
      return false
    }
    if old != item {
      note(index, &edits) { $0.updated.append(item.id) }
      sections[index].content.update(item, atIndex: row)
    }
    return true
  }

  @inlinable
  mutating func takeOut(_ id: Item.ID, _ edits: inout [Int: Edits]) {
    if !hidden.isEmpty { hidden[id] = nil }
    guard let place = places.removeValue(forKey: id), let index = indices[place.section] else {
      return
    }
    takeOut(
      place, sections[index].content.index(of: place.order), ofSection: index, &edits)
  }

  /// Takes out the row at an index of a section.
  @inlinable
  mutating func takeOut(
    _ place: ArrangedPlace, _ row: Int, ofSection index: Int, _ edits: inout [Int: Edits]
  ) {
    note(index, &edits) { $0.deleted.append(place.order) }
    sections[index].content.remove(atIndex: row)
  }

  @inlinable
  mutating func putIn(
    _ item: Item, _ order: TotalOrder<Item>, _ edits: inout [Int: Edits]
  ) {
    guard layout.isIncluded?(item) ?? true else {
      hidden[item.id] = item
      places[item.id] = nil
      return
    }
    let name = sectionName(item)
    let index = sectionIDs[name].flatMap { indices[$0] } ?? addSection(name, item)
    note(index, &edits) { $0.inserted.append(item.id) }
    let compare = order.comparing(item)
    let row = sections[index].content.rows.partitioningIndex {
      let difference = compare($0)
      return difference < 0 || difference == 0 && arrivals.precedes(item.id, $0.id)
    }
    let place = sections[index].content.insert(item, at: row) { other, order in
      places[other.id]?.order = order
    }
    places[item.id] = ArrangedPlace(section: sections[index].id, order: place)
  }

  /// Notes what is about to become of a section.
  @inlinable
  func note(
    _ section: Int, _ edits: inout [Int: Edits], _ body: (inout Edits) -> Void
  ) {
    body(&edits[sections[section].id, default: Edits(before: sections[section].content)])
  }

  /// Each id once, as it comes last.
  @inlinable
  static func unique(_ items: some Sequence<Item>) -> [Item] {
    let items = Array(items)
    if items.count < 2 { return items }
    var ids = Set<Item.ID>(minimumCapacity: items.count)
    for item in items { ids.insert(item.id) }
    if ids.count == items.count { return items }
    var indices: [Item.ID: Int] = [:]
    var unique: [Item] = []
    for item in items {
      if let index = indices[item.id] {
        unique[index] = item
      } else {
        indices[item.id] = unique.count
        unique.append(item)
      }
    }
    return unique
  }
}
