// The layout of all rows from scratch.
extension SortedRows {
  /// Lays out rows with distinct ids.
  ///
  /// - Returns: the index of the row at each place, section after section.
  @discardableResult
  mutating func layOut(_ rows: [RowRef]) -> [Int32] {
    hidden = [:]
    // An empty section stays only if the new arrangement gives its sample row the same name.
    let empty =
      layout.sections?.keepsEmpty == true
      ? sections.filter { layout.sectionName(of: $0.sample) == $0.name } : []
    var groups = groups(of: rows, included: included(rows))
    for name in Array(groups.keys) { layout.sort(&groups[name, default: []], of: rows) }
    sections = groups.map { Section(name: $0.key, sample: rows[Int($0.value[0])]) }
    sections += empty.filter { groups[$0.name] == nil }
    sections.sort(by: precedes)
    places = [:]
    var contents: [OrderedTree<RowRef>] = []
    var order: [Int32] = []
    order.reserveCapacity(rows.count)
    for (place, section) in sections.enumerated() {
      places[section.name] = place
      guard let group = groups[section.name] else {
        contents.append(OrderedTree())
        continue
      }
      contents.append(OrderedTree(group.lazy.map { rows[Int($0)] }))
      order += group
    }
    index = RowIndex(contents)
    return order
  }

  /// Returns the indices of the included rows, in order of arrival, and hides the others.
  mutating func included(_ rows: [RowRef]) -> [Int32] {
    let order = arrivals.order(of: rows)
    if layout.isIncluded == nil { return order }
    return order.filter { place in
      let row = rows[Int(place)]
      if layout.includes(row) { return true }
      hidden[RowID(row)] = row
      return false
    }
  }

  /// Returns the indices of rows, grouped by the name of their section.
  func groups(of rows: [RowRef], included: [Int32]) -> [String: [Int32]] {
    guard let sections = layout.sections else { return included.isEmpty ? [:] : ["": included] }
    return Dictionary(grouping: included) { sections.name(rows[Int($0)]) }
  }
}
