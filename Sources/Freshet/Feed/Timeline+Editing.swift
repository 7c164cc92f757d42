internal import FreshetLists

/// Edits by hand.
///
/// The key of a page stays where it leads: with the last row of the page that came before it.
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
    let (above, key) = (itemAbove(item.id), keys[item.id])
    let continuation = other.flatMap { keys[$0] }
    var edit = replace(row..<row, with: [NewRow(row: .item(item))])
    if !isNews, row == head, fold != nil { fold = order(of: item.id) }
    if let above, let key { note(key, continues: above, &edit) }
    if let other, let continuation {
      note(nil, continues: other, &edit)
      note(continuation, continues: item.id, &edit)
    }
    return edit
  }

  /// Takes an item out.
  mutating func remove(_ id: Item.ID) -> TimelineEdit<Item> {
    guard let index = index(of: id) else { return TimelineEdit() }
    let (above, key) = (itemAbove(id), keys[id])
    held.remove(id)
    var edit = replace(index..<(index + 1), with: [])
    if let above, let key { note(key, continues: above, &edit) }
    return edit
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
