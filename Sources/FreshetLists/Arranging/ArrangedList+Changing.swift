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
    let items = Self.unique(upserted)
    if count == 0, sections.isEmpty { return load(items, origin) }
    if items.count + removed.count > 32 + count / 32 {
      return merge(upserting: items, removing: removed, origin)
    }
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
    for item in items where !changeInPlace(item, &edits) {
      takeOut(item.id, &edits)
      moving.append(item)
    }
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
    arrivals.note(items)
    layOut(items)
    show()
    let changes = ListChanges(from: before, to: shown, edits: [])
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: origin)
  }

  /// Whether a changed item stays where it is.
  @inlinable
  mutating func changeInPlace(_ item: Item, _ edits: inout [Int: Edits]) -> Bool {
    guard let place = places[item.id], let index = indices[place.section] else {
      guard hidden[item.id] != nil, !(layout.isIncluded?(item) ?? true) else { return false }
      hidden[item.id] = item
      return true
    }
    let row = sections[index].content.index(of: place.order)
    let old = sections[index].content.rows[row]
    guard layout.isIncluded?(item) ?? true, sectionName(item) == sections[index].name,
      layout.orders.allSatisfy({ $0.comparing(old)(item) == 0 })
    else { return false }
    if old != item {
      note(index, &edits) { $0.updated.append(item.id) }
      sections[index].content.update(item, at: place.order)
    }
    return true
  }

  @inlinable
  mutating func takeOut(_ id: Item.ID, _ edits: inout [Int: Edits]) {
    hidden[id] = nil
    guard let place = places.removeValue(forKey: id), let index = indices[place.section] else {
      return
    }
    note(index, &edits) { $0.deleted.append(place.order) }
    sections[index].content.remove([place.order])
  }

  @inlinable
  mutating func putIn(
    _ item: Item, _ order: TotalOrder<Item>, _ edits: inout [Int: Edits]
  ) {
    guard layout.isIncluded?(item) ?? true else {
      hidden[item.id] = item
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
