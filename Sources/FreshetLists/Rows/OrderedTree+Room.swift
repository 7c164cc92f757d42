// If no order is left between two rows, their neighbours are renumbered.
extension OrderedTree {
  /// Renumbers neighbours so that there is room for new rows between any two of them.
  ///
  /// The window of renumbered rows grows until its orders are far enough apart. The distance
  /// between two of them must exceed `4 * (added + 1)` and the number of neighbours on either side
  /// of the range.
  ///
  /// - Parameter moved: is called with each row, its old order and its new one, ascending.
  /// - Complexity: O(log *n*) renumbered rows on average for each insertion, besides those in the
  ///   range. This holds wherever rows are inserted.
  @inlinable
  package mutating func makeRoom(
    for added: Int, in range: Range<Int>, moved: (Row, _ old: RowOrder, _ new: RowOrder) -> Void
  ) {
    var width = 16
    while true {
      let window = max(0, range.lowerBound - width)..<min(count, range.upperBound + width)
      if window.count == count {
        let step = max(Self.step, 4 * RowOrder(added + 1))
        return renumber(window, (0..<count).map { RowOrder($0 - count / 2) * step }, moved: moved)
      }
      let low = window.lowerBound > 0 ? orders[window.lowerBound - 1] : orders[0] - Self.step
      let high =
        window.upperBound < count ? orders[window.upperBound] : orders[count - 1] + Self.step
      let stride = (high - low) / RowOrder(window.count + 1)
      if stride > max(RowOrder(width), 4 * RowOrder(added + 1)) {
        let new = (1...window.count).map { low + RowOrder($0) * stride }
        return renumber(window, new, moved: moved)
      }
      width *= 2
    }
  }

  /// Gives adjacent rows these orders.
  @inlinable
  mutating func renumber(
    _ range: Range<Int>, _ new: [RowOrder], moved: (Row, _ old: RowOrder, _ new: RowOrder) -> Void
  ) {
    var (rows, old) = (TreeCursor(rows), TreeCursor(orders))
    orders.replaceSubrange(range, with: new)
    for (index, order) in zip(range, new) {
      let (row, place) = (rows.seek(index), old.seek(index))
      moved(rows.leaf[row], old.leaf[place], order)
    }
  }

  /// Applies the renumbering of another tree to the rows with the same orders.
  ///
  /// - Complexity: O(log *n*), and O(*k*) for *k* rows in the range.
  @usableFromInline
  package mutating func renumber(_ renumbering: Renumbering) {
    let range =
      index(of: renumbering.range.lowerBound)..<index(of: renumbering.range.upperBound + 1)
    guard !range.isEmpty else { return }
    orders.replaceSubrange(range, with: orders.slice(range).map(renumbering.order(_:)))
  }

  @usableFromInline
  mutating func makeRoom(for added: Int, at index: Int) -> Renumbering {
    var renumbering = Renumbering()
    makeRoom(for: added, in: index..<index) { _, old, new in renumbering.note(old, new) }
    return renumbering
  }
}

/// The new orders of a range of rows that were renumbered.
@usableFromInline
package struct Renumbering: Sendable {
  private var orders: [RowOrder: RowOrder] = [:]
  /// The old orders of the range, from its first row to its last one.
  @usableFromInline package private(set) var range: ClosedRange<RowOrder> = 0...0

  @usableFromInline
  package init() {}

  /// Records a row, after the rows recorded before.
  @usableFromInline
  package mutating func note(_ old: RowOrder, _ new: RowOrder) {
    range = (orders.isEmpty ? old : range.lowerBound)...old
    orders[old] = new
  }

  /// The number of rows in the range.
  @usableFromInline
  package var count: Int { orders.count }

  /// Each old order and its new one, in no particular order.
  @usableFromInline
  package var pairs: [(old: RowOrder, new: RowOrder)] { orders.map { ($0.key, $0.value) } }

  /// Returns the new order for an old one.
  @usableFromInline
  package func order(_ old: RowOrder) -> RowOrder { orders[old] ?? old }
}
