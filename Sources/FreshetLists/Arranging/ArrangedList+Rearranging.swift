// All items laid out anew, where the arrangement is another one.
extension ArrangedList {
  /// Lays the items out in another way.
  ///
  /// Of empty sections those stay that belong to the new arrangement too, and are to.
  ///
  /// - Returns: what that does to the screen, in one batch with the fewest moves.
  /// - Complexity: O(*n* log *n*).
  @discardableResult @inlinable
  public mutating func arrange(_ arrangement: Arrangement<Item>) -> ListUpdate<Item>? {
    layout = arrangement
    let before = shown
    // Where no item is hidden before and after, all ids stay, and none is looked up.
    let standing =
      hidden.isEmpty && layout.isIncluded == nil
      ? StandingRows(sections.map { ($0.id, $0.content.orders) }) : nil
    // Where each row stood is known, so that no difference of the lists is looked for.
    let (items, sources) = gathered()
    let order = layOut(items, from: standing)
    show()
    let changes = ListChanges(
      from: before, to: shown, sources: order.prefix(shown.count).map { sources[Int($0)] })
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: shown, changes: changes, origin: .edit)
  }

  /// All items in their order, and where they stand.
  @inlinable
  func gathered() -> (items: [Item], sources: [RowSource]) {
    var items: [Item] = []
    var sources: [RowSource] = []
    items.reserveCapacity(count)
    sources.reserveCapacity(count)
    for section in sections {
      for item in section.content.rows {
        sources.append(RowSource(items.count, in: shown))
        items.append(item)
      }
    }
    items += hidden.values
    sources += repeatElement(RowSource(nil, in: shown), count: hidden.count)
    return (items, sources)
  }

  /// Lays out the first items there are; of those with the same id, the last one counts.
  @inlinable
  mutating func layOutFirst(_ items: [Item]) {
    arrivals.note(items)
    layOut(items)
    // That ids repeat shows once all have their places.
    if count < items.count || hidden.keys.contains(where: { places[$0] != nil }) {
      sections = []
      layOut(Self.unique(items))
    }
    show()
  }

  /// Lays out items.
  ///
  /// - Parameter standing: where they stand, if they are the items there are, and all are included.
  /// - Returns: the index of the item in each row, section after section.
  @discardableResult @inlinable
  mutating func layOut(_ items: [Item], from standing: StandingRows? = nil) -> [Int32] {
    hidden = [:]
    // A section of an earlier arrangement is none of this one, whose sections have other names.
    let empty =
      layout.sections?.keepsEmpty == true
      ? sections.filter { sectionName($0.sample) == $0.name } : []
    sections = []
    indices = [:]
    sectionIDs = [:]
    var groups = groups(of: items, included: included(items))
    for section in empty where groups[section.name] == nil {
      addSection(section.name, section.sample)
    }
    let order = TotalOrder(layout)
    var placed = [ArrangedPlace?](repeating: nil, count: items.count)
    for name in Array(groups.keys) {
      guard var group = groups[name] else { continue }
      groups[name] = []
      order.sort(&group, of: items)
      let section = addSection(name, items[Int(group[0])])
      sections[section].content = OrderedRows(group.lazy.map { items[Int($0)] })
      for (index, order) in zip(group, sections[section].content.orders) {
        placed[Int(index)] = ArrangedPlace(section: sections[section].id, order: order)
      }
      groups[name] = group
    }
    note(placed, of: items, from: standing)
    var rows: [Int32] = []
    rows.reserveCapacity(items.count)
    for section in sections { if let group = groups[section.name] { rows += group } }
    return rows
  }

  /// The indices of the items that the arrangement includes, as they came, but for those that are
  /// repeated.
  @inlinable
  mutating func included(_ items: [Item], besides repeated: Set<Int32> = []) -> [Int32] {
    var order = arrivals.order(of: items)
    if !repeated.isEmpty { order.removeAll { repeated.contains($0) } }
    guard let isIncluded = layout.isIncluded else { return order }
    return order.filter { index in
      let item = items[Int(index)]
      if isIncluded(item) { return true }
      hidden[item.id] = item
      places[item.id] = nil
      return false
    }
  }

  /// The indices of items by their section.
  @inlinable
  func groups(of items: [Item], included: [Int32]) -> [String: [Int32]] {
    guard let sections = layout.sections else { return included.isEmpty ? [:] : ["": included] }
    return Dictionary(grouping: included) { sections.name(items[Int($0)]) }
  }

  /// Notes where items are placed, those that are not included nowhere.
  @inlinable
  mutating func note(
    _ placed: [ArrangedPlace?], of items: [Item], from standing: StandingRows?
  ) {
    if let standing { return standing.replace(&places.values, by: placed) }
    places.removeAll(keepingCapacity: true)
    places.reserveCapacity(items.count)
    for index in items.indices {
      if let place = placed[index] { places[items[index].id] = place }
    }
  }
}

/// The numbers of rows, section after section, by their places.
@usableFromInline
struct StandingRows {
  /// The number of each section's first row, and the orders of all, by the section's id.
  @usableFromInline var sections: [Int: (start: Int, orders: ContiguousArray<RowOrder>)] = [:]
  @usableFromInline var count = 0

  @inlinable
  init(_ sections: [(id: Int, orders: RowTree<RowOrder>)]) {
    for section in sections {
      self.sections[section.id] = (count, ContiguousArray(section.orders))
      count += section.orders.count
    }
  }

  /// Puts others in the place of places, by the numbers of rows.
  ///
  /// What has the places is gone through as it lies in memory: to look up each id takes as long as
  /// sorting.
  @inlinable
  func replace<ID>(
    _ places: inout [ID: ArrangedPlace].Values, by others: [ArrangedPlace?]
  ) {
    var index = places.startIndex
    while index != places.endIndex {
      if let number = number(of: places[index]), let other = others[number] {
        places[index] = other
      }
      places.formIndex(after: &index)
    }
  }

  /// - Complexity: O(1) in a section that was laid out and not changed since; else O(log *n*).
  @usableFromInline
  func number(of place: ArrangedPlace) -> Int? {
    guard let section = sections[place.section] else { return nil }
    let laidOut = Int(place.order / OrderedRows<Int>.step)
    let isThere =
      section.orders.indices.contains(laidOut) && section.orders[laidOut] == place.order
    return section.start
      + (isThere ? laidOut : section.orders.partition { $0 >= place.order })
  }
}
