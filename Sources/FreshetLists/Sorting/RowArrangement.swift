/// The layout of a list without the item type; an `Arrangement` contains one.
@usableFromInline
struct RowArrangement: Sendable {
  @usableFromInline
  struct Sections: Sendable {
    var name: @Sendable (RowRef) -> String
    let compare: @Sendable (RowRef, RowRef) -> Int
    let keepsEmpty: Bool

    @usableFromInline
    init(
      name: @escaping @Sendable (RowRef) -> String,
      compare: @escaping @Sendable (RowRef, RowRef) -> Int, keepsEmpty: Bool
    ) {
      self.name = name
      self.compare = compare
      self.keepsEmpty = keepsEmpty
    }
  }

  @usableFromInline var isIncluded: (@Sendable (RowRef) -> Bool)?
  @usableFromInline var orders: [RowComparison] = []
  /// The order of the ids, which decides if all other orders tie.
  ///
  /// It is `nil` if ids cannot be compared. Then the order of arrival decides (rule A2).
  let ids: RowComparison?
  @usableFromInline var sections: Sections?
  @usableFromInline var limit: Int?

  @usableFromInline
  init(ids: RowComparison?) { self.ids = ids }

  /// Returns a comparison of a row with others: negative, zero or positive.
  func comparing(_ first: RowRef) -> (RowRef) -> Int {
    let comparisons = (orders + [ids].compactMap(\.self)).map { $0.comparing(first) }
    if comparisons.count == 1 { return comparisons[0] }
    return { second in
      for compare in comparisons {
        let difference = compare(second)
        if difference != 0 { return difference }
      }
      return 0
    }
  }

  /// Sorts indices of rows in this order; rows that tie keep theirs.
  func sort(_ indices: inout [Int32], of rows: [RowRef]) {
    var ties = indices.count > 1 ? [0..<indices.count] : []
    for order in orders { ties = ties.flatMap { order.sort(rows, &indices, $0) } }
    guard let ids else { return }
    for run in ties { _ = ids.sort(rows, &indices, run) }
  }

  /// Returns whether two rows tie in all orders.
  func tie(_ first: RowRef, _ second: RowRef) -> Bool {
    orders.allSatisfy { $0.comparing(first)(second) == 0 }
  }

  /// Returns the name of the section that a row belongs to.
  func sectionName(of row: RowRef) -> String { sections?.name(row) ?? "" }

  func includes(_ row: RowRef) -> Bool { isIncluded?(row) ?? true }
}
