// If no number is left between two rows, their neighbours are renumbered.
extension OrderedTree {
  /// Renumbers neighbours, in a window that grows until there is room for twice as many,
  /// squared, and for so many new rows between any two.
  ///
  /// - Parameter moved: is called with each row, its old order and its new one, ascending.
  /// - Complexity: O(log *n*) rows on average for each insertion, wherever insertions come, besides
  ///   those in the range.
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

  /// Gives rows side by side these orders.
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

  /// Gives rows the orders that others of the same order were given.
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

/// What orders became in a range of rows that were renumbered.
@usableFromInline
package struct Renumbering: Sendable {
  private var orders: [RowOrder: RowOrder] = [:]
  /// The orders from the first row to the last one, before.
  @usableFromInline package private(set) var range: ClosedRange<RowOrder> = 0...0

  @usableFromInline
  package init() {}

  /// Notes a row, behind those noted before.
  @usableFromInline
  package mutating func note(_ old: RowOrder, _ new: RowOrder) {
    range = (orders.isEmpty ? old : range.lowerBound)...old
    orders[old] = new
  }

  /// How many rows there are in the range.
  @usableFromInline
  package var count: Int { orders.count }

  /// Each order that changed hands, and what it became; in no order.
  @usableFromInline
  package var pairs: [(old: RowOrder, new: RowOrder)] { orders.map { ($0.key, $0.value) } }

  /// What an order is now.
  @usableFromInline
  package func order(_ old: RowOrder) -> RowOrder { orders[old] ?? old }
}
