// All rows laid out from scratch.
extension SortedRows {
  /// Lays out rows whose ids differ.
  ///
  /// - Returns: the index of the row in each place, section after section.
  @discardableResult
  mutating func layOut(_ rows: [RowRef]) -> [Int32] {
    hidden = [:]
    // A section of an earlier arrangement is none of this one, whose sections have other names.
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

  /// The indices of the rows that the arrangement includes, as they came; the others are hidden.
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

  /// The indices of rows by their section.
  func groups(of rows: [RowRef], included: [Int32]) -> [String: [Int32]] {
    guard let sections = layout.sections else { return included.isEmpty ? [:] : ["": included] }
    return Dictionary(grouping: included) { sections.name(rows[Int($0)]) }
  }
}
