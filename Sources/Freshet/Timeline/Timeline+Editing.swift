internal import FreshetLists

/// Edits by hand.
///
/// The keys of pages stay where they lead: with the rows around the place of a row that goes.
extension Timeline {
  /// Puts an item behind another, or at the head where there is none; one with its id moves there.
  ///
  /// - Parameter isNews: whether it waits with other new rows, if any do.
  mutating func put(
    _ item: Item, after other: Item.ID?, isNews: Bool = false
  ) -> TimelineEdit<Item> {
    let head = isNews ? 0 : fold.map(content.index(of:)) ?? 0
    let row = other.flatMap(index(of:)).map { $0 + 1 } ?? head
    let old = index(of: item.id)
    if let old, row == old || row == old + 1 {
      return replace(old..<(old + 1), with: [NewRow(row: .item(item), keeps: old)])
    }
    let seam = seam(of: item.id)
    let below = row < count ? rows[row].item?.id : nil
    let (next, previous) = (
      other.flatMap { marks[$0]?.next }, below.flatMap { marks[$0]?.previous }
    )
    var edit = replace(row..<row, with: [NewRow(row: .item(item))])
    if !isNews, row == head, fold != nil { fold = order(of: item.id) }
    mend(seam, &edit)
    // What no answer speaks of stands between pages, not at the end of one.
    if held.contains(item.id) { return edit }
    if let other, next != nil { mark(other, &edit) { $0.next = nil } }
    if let below, previous != nil { mark(below, &edit) { $0.previous = nil } }
    mark(item.id, &edit) { mark in
      if other != nil { mark.next = next }
      mark.previous = previous
    }
    return edit
  }

  /// Takes an item out.
  mutating func remove(_ id: Item.ID) -> TimelineEdit<Item> {
    guard let index = index(of: id) else { return TimelineEdit() }
    let seam = seam(of: id)
    held.remove(id)
    if let place = place(of: id) { rebindStored(from: id, above: place.above, below: place.below) }
    var edit = replace(index..<(index + 1), with: [])
    mend(seam, &edit)
    return edit
  }

  /// What is known of the pages around an item, and who stands there.
  private typealias Seam = (mark: PageMark, above: Item.ID?, below: Item.ID?)

  private func seam(of id: Item.ID) -> Seam? {
    guard let mark = marks[id], let place = place(of: id) else { return nil }
    return (mark, place.above, place.below)
  }

  /// Gives what was known of an item's pages to its neighbours.
  private mutating func mend(_ seam: Seam?, _ edit: inout TimelineEdit<Item>) {
    guard let seam else { return }
    if let above = seam.above, let next = seam.mark.next { mark(above, &edit) { $0.next = next } }
    if let below = seam.below, let previous = seam.mark.previous {
      mark(below, &edit) { $0.previous = previous }
    }
  }

  /// Puts back an item that was taken out.
  mutating func restore(_ item: Item, at place: FeedOverlay<Item>.Place) -> TimelineEdit<Item> {
    if let above = place.above, index(of: above) != nil { return put(item, after: above) }
    guard let below = place.below.flatMap(index(of:)) else { return put(item, after: nil) }
    return replace(below..<below, with: [NewRow(row: .item(item))])
  }

  /// Gives an item other contents, where it stands.
  mutating func update(_ item: Item) -> TimelineEdit<Item> {
    guard let index = index(of: item.id) else { return TimelineEdit() }
    return replace(index..<(index + 1), with: [NewRow(row: .item(item), keeps: index)])
  }

  /// An item by its id.
  func item(_ id: Item.ID) -> Item? { index(of: id).flatMap { rows[$0].item } }

  /// Where an item stands, as its neighbours say.
  func place(of id: Item.ID) -> FeedOverlay<Item>.Place? {
    guard let index = index(of: id) else { return nil }
    let below = index + 1 < count ? rows[index + 1].item?.id : nil
    return FeedOverlay.Place(above: itemAbove(id), below: below)
  }

  private func itemAbove(_ id: Item.ID) -> Item.ID? {
    guard let index = index(of: id), index > 0 else { return nil }
    return rows[index - 1].item?.id
  }
}
