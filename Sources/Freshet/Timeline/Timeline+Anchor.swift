internal import FreshetLists

/// Where the reader is: an item, followed wherever it goes.
struct Anchor<ID: Hashable & Sendable>: Sendable {
  var id: ID
  /// Where it stands: its neighbours are found by it once it is gone.
  var order: RowOrder
}

extension Timeline {
  /// The reader's item as an index among all rows.
  var anchorIndex: Int? { anchor.map { content.index(of: $0.order) } }

  /// The reader came to an item.
  mutating func setAnchor(_ id: Item.ID?) {
    anchor = id.flatMap { id in order(of: id).map { Anchor(id: id, order: $0) } }
  }

  /// Follows the reader's item; where it is gone, the nearest one that is left takes its place,
  /// below rather than above.
  mutating func followAnchor() {
    guard let old = anchor else { return }
    if let order = order(of: old.id) {
      anchor?.order = order
      return
    }
    let index = content.index(of: old.order)
    let below = rows.slice(index..<min(index + 2, count)).lazy.compactMap(\.item).first
    let above = rows.slice(max(0, index - 2)..<index).lazy.compactMap(\.item).last
    setAnchor((below ?? above)?.id)
  }
}
