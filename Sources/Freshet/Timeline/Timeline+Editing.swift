internal import FreshetLists

/// Changes that the source reports by itself, and changes that the app reports in its place.
///
/// Page keys keep leading to the same place. When a row is removed or moved, its old neighbours
/// get its keys.
extension Timeline {
  /// Inserts an item before the row at an index.
  ///
  /// An item with its id moves there.
  ///
  /// - Parameters:
  ///   - isBetweenPages: whether the pages around it keep ending and beginning with the same rows
  ///     as before, because no answer has the item yet.
  ///   - isRenewed: whether an item that is already there gets a new order. The order is above
  ///     that of its row if `row` is the row's index, and below it if `row` is the index after.
  mutating func put(
    _ item: AnyItem, at row: Int, isBetweenPages: Bool = false, isRenewed: Bool = false
  ) -> TimelineEdit {
    let old = index(of: item.id)
    if let old, row == old || row == old + 1 {
      guard isRenewed else {
        return replace(old..<(old + 1), with: [NewRow(row: .item(item), keeps: old)])
      }
      let own = marks[item.id] ?? PageBoundary()
      var edit = replace(row..<row, with: [NewRow(row: .item(item))])
      if let order = edit.inserted.last?.order { markUnproven(order...order) }
      mark(item.id, &edit) { $0 = own }
      return edit
    }
    let seam = seam(of: item.id)
    let above = row > 0 ? rows[row - 1].item?.id : nil
    let below = row < count ? rows[row].item?.id : nil
    let (next, previous) = (
      above.flatMap { marks[$0]?.next }, below.flatMap { marks[$0]?.previous }
    )
    var edit = replace(row..<row, with: [NewRow(row: .item(item))])
    if let order = edit.inserted.last?.order { markUnproven(order...order) }
    mend(seam, &edit)
    if isBetweenPages { return edit }
    if let above, next != nil { mark(above, &edit) { $0.next = nil } }
    if let below, previous != nil { mark(below, &edit) { $0.previous = nil } }
    mark(item.id, &edit) { ($0.next, $0.previous) = (next, previous) }
    return edit
  }

  /// Removes an item.
  mutating func remove(_ id: RowID) -> TimelineEdit {
    guard let index = index(of: id) else { return TimelineEdit() }
    let seam = seam(of: id)
    var edit = replace(index..<(index + 1), with: [])
    mend(seam, &edit)
    return edit
  }

  /// The page boundary of an item, and its neighbours.
  private typealias Seam = (mark: PageBoundary, above: RowID?, below: RowID?)

  private func seam(of id: RowID) -> Seam? {
    guard let mark = marks[id] else { return nil }
    let neighbours = neighbours(of: id)
    return (mark, neighbours.above, neighbours.below)
  }

  /// Gives the page keys of an item to the neighbours that it had.
  private mutating func mend(_ seam: Seam?, _ edit: inout TimelineEdit) {
    guard let seam else { return }
    if let above = seam.above, let next = seam.mark.next { mark(above, &edit) { $0.next = next } }
    if let below = seam.below, let previous = seam.mark.previous {
      mark(below, &edit) { $0.previous = previous }
    }
  }

  /// Returns the item with an id.
  func item(_ id: RowID) -> AnyItem? { index(of: id).flatMap { rows[$0].item } }

  /// Returns the items right above and right below an item.
  func neighbours(of id: RowID) -> (above: RowID?, below: RowID?) {
    guard let index = index(of: id) else { return (nil, nil) }
    return (itemID(at: index - 1), itemID(at: index + 1))
  }

  /// Returns the id of the item at an index, if there is an item.
  func itemID(at index: Int) -> RowID? {
    rows.indices.contains(index) ? rows[index].item?.id : nil
  }
}
