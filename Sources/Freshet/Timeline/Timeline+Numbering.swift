internal import FreshetLists

// Numbers for rows that come.
extension Timeline {
  /// The distance between the orders of neighbours, and between a new gap and the rows around it.
  private static var step: RowOrder { 1 << 20 }
  private static var gapRoom: RowOrder { 1 << 40 }

  /// An order for each row, ascending between the rows around the range; `nil` if there is no room.
  func orders(
    for rows: [NewRow<Item>], in range: Range<Int>
  ) -> [(order: RowOrder, row: NewRow<Item>)]? {
    var placed: [(order: RowOrder, row: NewRow<Item>)] = []
    placed.reserveCapacity(rows.count)
    var lower = range.lowerBound > 0 ? content.orders[range.lowerBound - 1] : nil
    var start = 0
    while start < rows.count {
      if let index = rows[start].keeps {
        placed.append((content.orders[index], rows[start]))
        lower = placed[placed.count - 1].order
        start += 1
        continue
      }
      let end = rows[start...].firstIndex { $0.keeps != nil } ?? rows.count
      let above =
        if start > 0 { rows[start - 1].row } else if range.lowerBound > 0 {
          self.rows[range.lowerBound - 1]
        } else { FeedRow<Item>?.none }
      let upper =
        if end < rows.count {
          rows[end].keeps.map { content.orders[$0] }
        } else if range.upperBound
          < count
        { content.orders[range.upperBound] } else { RowOrder?.none }
      guard
        let orders = Self.orders(
          for: rows[start..<end], above: upper, below: lower, isBelowGap: above?.gap != nil)
      else { return nil }
      placed += zip(orders, rows[start..<end]).map { (order: $0, row: $1) }
      lower = orders.last
      start = end
    }
    return placed
  }

  /// Orders between two bounds.
  ///
  /// Rows keep away from gaps, so that there is room where a gap will be filled, from above or from
  /// below.
  private static func orders(
    for rows: ArraySlice<NewRow<Item>>, above upper: RowOrder?, below lower: RowOrder?,
    isBelowGap: Bool
  ) -> [RowOrder]? {
    let gapRooms = RowOrder(rows.count { $0.row.gap != nil })
    let slots = RowOrder(rows.count + 1)
    let wanted = slots * step + gapRooms * gapRoom
    let low: RowOrder
    let high: RowOrder
    switch (lower, upper) {
    case (nil, nil): (low, high) = (-wanted / 2, wanted / 2)
    case (let lower?, nil): (low, high) = (lower, lower + wanted)
    case (nil, let upper?): (low, high) = (upper - wanted, upper)
    case (let lower?, let upper?): (low, high) = (lower, upper)
    }
    guard abs(low) < 1 << 61, abs(high) < 1 << 61 else { return nil }
    let span = high - low
    let stride = min(step, span / (2 * slots))
    guard stride >= 1 else { return nil }
    let room = gapRooms == 0 ? 0 : min(gapRoom, (span - stride * slots) / gapRooms)
    var order = isBelowGap && upper != nil && gapRooms == 0 ? high - stride * slots : low
    return rows.map { row in
      let isGap = row.row.gap != nil
      order += stride + (isGap ? room / 2 : 0)
      defer { order += isGap ? room / 2 : 0 }
      return order
    }
  }
}
