internal import FreshetLists

/// What the source says by itself, and what the app says in its place.
///
/// The keys of pages stay where they lead: with the rows around the place of a row that goes.
extension Timeline {
  /// Puts an item before the row at an index; one with its id moves there.
  ///
  /// - Parameters:
  ///   - isBetweenPages: whether the pages around it go on ending and beginning with the rows that
  ///     they did: no answer has the item yet.
  ///   - isRenewed: whether one that stands there already gets another order: above that of its row
  ///     where it was put before it, below that where it was put behind it.
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

  /// Takes an item out.
  mutating func remove(_ id: RowID) -> TimelineEdit {
    guard let index = index(of: id) else { return TimelineEdit() }
    let seam = seam(of: id)
    var edit = replace(index..<(index + 1), with: [])
    mend(seam, &edit)
    return edit
  }

  /// What is known of the pages around an item, and who stands there.
  private typealias Seam = (mark: PageBoundary, above: RowID?, below: RowID?)

  private func seam(of id: RowID) -> Seam? {
    guard let mark = marks[id] else { return nil }
    let neighbours = neighbours(of: id)
    return (mark, neighbours.above, neighbours.below)
  }

  /// Gives what was known of an item's pages to its neighbours.
  private mutating func mend(_ seam: Seam?, _ edit: inout TimelineEdit) {
    guard let seam else { return }
    if let above = seam.above, let next = seam.mark.next { mark(above, &edit) { $0.next = next } }
    if let below = seam.below, let previous = seam.mark.previous {
      mark(below, &edit) { $0.previous = previous }
    }
  }

  /// An item by its id.
  func item(_ id: RowID) -> AnyItem? { index(of: id).flatMap { rows[$0].item } }

  /// The items right above and right below an item.
  func neighbours(of id: RowID) -> (above: RowID?, below: RowID?) {
    guard let index = index(of: id) else { return (nil, nil) }
    return (itemID(at: index - 1), itemID(at: index + 1))
  }

  /// The item that stands at an index, if one does.
  func itemID(at index: Int) -> RowID? {
    rows.indices.contains(index) ? rows[index].item?.id : nil
  }
}
