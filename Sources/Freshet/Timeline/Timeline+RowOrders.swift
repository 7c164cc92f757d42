internal import FreshetLists

// Orders for rows that are inserted.
extension Timeline {
  /// Returns ascending orders for rows between those around a range; `nil` if there is no room.
  func orders(for rows: [NewRow], in range: Range<Int>) -> [RowOrder]? {
    var orders: [RowOrder] = []
    orders.reserveCapacity(rows.count)
    let (above, below) = (range.lowerBound - 1, range.upperBound)
    var room = RoomForRows()
    if above >= 0 {
      (room.lower, room.isBelowGap) = (content.orders[above], self.rows[above].gap != nil)
    }
    while orders.count < rows.count {
      if let kept = rows[orders.count].keeps {
        orders.append(content.orders[kept])
      } else {
        var end = orders.count
        room.areGaps = []
        while end < rows.count, rows[end].keeps == nil {
          room.areGaps.append(rows[end].row.gap != nil)
          end += 1
        }
        let next = end < rows.count ? rows[end].keeps : below < count ? below : nil
        room.upper = next.map { content.orders[$0] }
        guard let new = room.orders else { return nil }
        orders += new
      }
      (room.lower, room.isBelowGap) = (orders.last, rows[orders.count - 1].row.gap != nil)
    }
    return orders
  }
}

/// The room between two orders for rows to insert.
///
/// Rows keep a distance from gaps. This leaves room for the rows that will fill the gap from above
/// or from below.
private struct RoomForRows {
  /// The distance between the orders of neighbours, and between a new gap and the rows around it.
  static let step: RowOrder = 1 << 20
  static let gapRoom: RowOrder = 1 << 40

  /// For each row, whether it is a gap.
  var areGaps: [Bool] = []
  var lower: RowOrder?
  var upper: RowOrder?
  /// Whether the row above them is a gap.
  var isBelowGap = false

  /// An order for each row; `nil` if there is no room.
  var orders: [RowOrder]? {
    let gaps = RowOrder(areGaps.count { $0 })
    let slots = RowOrder(areGaps.count + 1)
    let wanted = slots * Self.step + gaps * Self.gapRoom
    let (low, high): (RowOrder, RowOrder) =
      switch (lower, upper) {
      case (nil, nil): (-wanted / 2, wanted / 2)
      case (let lower?, nil): (lower, lower + wanted)
      case (nil, let upper?): (upper - wanted, upper)
      case (let lower?, let upper?): (lower, upper)
      }
    guard abs(low) < 1 << 61, abs(high) < 1 << 61 else { return nil }
    let span = high - low
    let stride = min(Self.step, span / (2 * slots))
    guard stride >= 1 else { return nil }
    let room = gaps == 0 ? 0 : min(Self.gapRoom, (span - stride * slots) / gaps)
    var order = isBelowGap && upper != nil && gaps == 0 ? high - stride * slots : low
    return areGaps.map { isGap in
      order += stride + (isGap ? room / 2 : 0)
      defer { order += isGap ? room / 2 : 0 }
      return order
    }
  }
}
