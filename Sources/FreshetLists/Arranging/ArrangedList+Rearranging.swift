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
    // Where each row stood is known, so that no difference of the lists is looked for.
    let (items, sources) = gathered()
    let order = layOut(items)
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

  /// Lays out items.
  ///
  /// - Returns: the index of the item in each row, section after section.
  @discardableResult @inlinable
  mutating func layOut(_ items: [Item]) -> [Int32] {
    hidden = [:]
    places.removeAll(keepingCapacity: true)
    places.reserveCapacity(items.count)
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
    for name in Array(groups.keys) {
      guard var group = groups[name] else { continue }
      groups[name] = []
      order.sort(&group, of: items)
      fill(addSection(name, items[Int(group[0])]), with: group, of: items)
      groups[name] = group
    }
    var rows: [Int32] = []
    rows.reserveCapacity(items.count)
    for section in sections { if let group = groups[section.name] { rows += group } }
    return rows
  }

  /// The indices of the items that the arrangement includes, as they came.
  @inlinable
  mutating func included(_ items: [Item]) -> [Int32] {
    let order = arrivals.order(of: items)
    guard let isIncluded = layout.isIncluded else { return order }
    return order.filter { index in
      let item = items[Int(index)]
      if isIncluded(item) { return true }
      hidden[item.id] = item
      return false
    }
  }

  /// The indices of items by their section.
  @inlinable
  func groups(of items: [Item], included: [Int32]) -> [String: [Int32]] {
    guard let sections = layout.sections else { return included.isEmpty ? [:] : ["": included] }
    return Dictionary(grouping: included) { sections.name(items[Int($0)]) }
  }

  /// Fills an empty section with items in their order.
  @inlinable
  mutating func fill(_ section: Int, with order: [Int32], of items: [Item]) {
    let content = OrderedRows(order.map { items[Int($0)] })
    let id = sections[section].id
    var orders = content.orders.makeIterator()
    for index in order {
      if let order = orders.next() {
        places[items[Int(index)].id] = ArrangedPlace(section: id, order: order)
      }
    }
    sections[section].content = content
  }
}
