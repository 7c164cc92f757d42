/// The numbers of rows, section after section, by their places.
struct RowNumbers {
  /// Where each section is, the number of its first row and the orders of all, by the section's
  /// number.
  private var sections: [Int32: (index: Int, start: Int, orders: ContiguousArray<RowOrder>)] = [:]
  private(set) var count = 0

  init(_ index: RowIndex) {
    for (index, section) in index.sections.enumerated() {
      sections[section.number] = (index, count, ContiguousArray(section.rows.orders))
      count += section.rows.count
    }
  }

  /// The number of a row, its section and its place there.
  ///
  /// - Complexity: O(1) in a section that was laid out and not changed since; else O(log *n*).
  func number(of entry: RowIndex.Entry) -> (all: Int, section: Int, row: Int)? {
    guard let section = sections[entry.section] else { return nil }
    let laidOut = Int(entry.order / OrderedTree<RowRef>.step)
    let isThere =
      section.orders.indices.contains(laidOut) && section.orders[laidOut] == entry.order
    let row = isThere ? laidOut : section.orders.partition { $0 >= entry.order }
    return (section.start + row, section.index, row)
  }

  /// The number of the first row of a section.
  func start(ofSection number: Int32) -> Int { sections[number]?.start ?? 0 }
}
