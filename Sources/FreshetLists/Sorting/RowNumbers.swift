/// The numbers of rows, section after section, by their places.
struct RowNumbers {
  /// The number of each section's first row, and the orders of all, by the section's number.
  private var sections: [Int32: (start: Int, orders: ContiguousArray<RowOrder>)] = [:]
  private(set) var count = 0

  init(_ index: RowIndex) {
    for section in index.sections {
      sections[section.number] = (count, ContiguousArray(section.rows.orders))
      count += section.rows.count
    }
  }

  /// - Complexity: O(1) in a section that was laid out and not changed since; else O(log *n*).
  func number(of entry: RowIndex.Entry) -> Int? {
    guard let section = sections[entry.section] else { return nil }
    let laidOut = Int(entry.order / OrderedTree<RowRef>.step)
    let isThere =
      section.orders.indices.contains(laidOut) && section.orders[laidOut] == entry.order
    return section.start + (isThere ? laidOut : section.orders.partition { $0 >= entry.order })
  }

  /// The number of the first row of a section.
  func start(ofSection number: Int32) -> Int { sections[number]?.start ?? 0 }
}
