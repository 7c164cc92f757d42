/// The sections of an index, each with a number that never changes.
///
/// Entries of rows refer to their section by its number. The section's index is found by its order
/// in an `OrderedTree`. The orders of other sections stay as they are if one is removed, or is
/// inserted between neighbours that leave room.
struct NumberedSections: Sendable {
  @usableFromInline
  struct Section: Sendable {
    let number: Int32
    @usableFromInline var rows: OrderedTree<RowRef>
  }

  private var ordered = OrderedTree<Section>()
  /// The order of each section, by its number.
  private var orders: [RowOrder] = []
  /// The numbers of removed sections, to be reused for others.
  private var free: [Int32] = []

  init() {}

  /// Creates numbered sections of these rows.
  init(_ contents: [OrderedTree<RowRef>]) {
    ordered = OrderedTree(contents.enumerated().lazy.map { Section(number: Int32($0), rows: $1) })
    orders = Array(ordered.orders)
  }

  /// The sections, top to bottom.
  var all: CountedTree<Section> { ordered.rows }

  /// Returns the index of the section with a number that is in use.
  ///
  /// - Complexity: O(log sections).
  func index(of number: Int32) -> Int {
    ordered.count == 1 ? 0 : ordered.index(of: orders[Int(number)])
  }

  /// Changes the rows of a section.
  ///
  /// - Complexity: O(log sections).
  @discardableResult
  mutating func change<Result>(
    at index: Int, _ body: (inout OrderedTree<RowRef>) -> Result
  ) -> Result {
    ordered.change(atIndex: index) { body(&$0.rows) }
  }

  /// Inserts a section of these rows.
  ///
  /// - Complexity: the cost of inserting a section that already has a number.
  mutating func insert(_ rows: OrderedTree<RowRef>, at index: Int) -> Section {
    let number: Int32
    if let unused = free.popLast() {
      number = unused
    } else {
      number = Int32(orders.count)
      orders.append(0)
    }
    let section = Section(number: number, rows: rows)
    insert(section, at: index)
    return section
  }

  /// Inserts a section that already has a number.
  ///
  /// - Complexity: O(log sections) on average, and a copy of all orders if they are shared.
  mutating func insert(_ section: Section, at index: Int) {
    let order = ordered.insert(section, at: index) { orders[Int($0.number)] = $1 }
    orders[Int(section.number)] = order
  }

  /// Removes a section, which keeps its number until `release(_:)` is called.
  ///
  /// - Complexity: O(log sections).
  mutating func remove(at index: Int) -> Section {
    let section = ordered.rows[index]
    ordered.removeRows([index])
    return section
  }

  /// Makes a number available for another section.
  mutating func release(_ number: Int32) { free.append(number) }
}
