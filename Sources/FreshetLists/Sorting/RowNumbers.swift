/// The numbers of rows, counted section after section.
struct RowNumbers {
  /// The index, the first row's number and the orders of each section, by the section's number.
  private var sections: [Int32: (index: Int, start: Int, orders: ContiguousArray<RowOrder>)] = [:]
  private(set) var count = 0

  init(_ index: RowIndex) {
    for (index, section) in index.sections.enumerated() {
      sections[section.number] = (index, count, ContiguousArray(section.rows.orders))
      count += section.rows.count
    }
  }

  /// Returns the number of a row, its section's index and its index in that section.
  ///
  /// - Complexity: O(1) if the section has not changed since it was laid out; otherwise O(log
  ///   *n*).
  func number(of entry: RowIndex.Entry) -> (all: Int, section: Int, row: Int)? {
    guard let section = sections[entry.section] else { return nil }
    let laidOut = Int(entry.order / OrderedTree<RowRef>.step)
    let isThere =
      section.orders.indices.contains(laidOut) && section.orders[laidOut] == entry.order
    let row = isThere ? laidOut : section.orders.partition { $0 >= entry.order }
    return (section.start + row, section.index, row)
  }

  /// Returns the number of the first row of a section.
  func start(ofSection number: Int32) -> Int { sections[number]?.start ?? 0 }
}
