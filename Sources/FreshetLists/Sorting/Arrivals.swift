/// The order in which the rows of a list arrived.
///
/// It decides the order of rows that tie in everything else (rule A2). If ids can be compared,
/// they decide instead, and nothing is recorded. The arrival of a row is forgotten when the row is
/// removed.
struct Arrivals: Sendable {
  let isNeeded: Bool
  private var numbers: [RowID: Int] = [:]
  private var last = 0

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Records rows that arrived; rows that are already recorded keep their number.
  mutating func note(_ rows: [RowRef]) {
    guard isNeeded else { return }
    numbers.reserveCapacity(numbers.count + rows.count)
    for row in rows where numbers[RowID(row)] == nil {
      last += 1
      numbers[RowID(row.key)] = last
    }
  }

  /// Forgets a row that was removed.
  mutating func forget(_ row: RowRef) { if isNeeded { numbers[RowID(row)] = nil } }

  /// Returns whether a row arrived before another.
  func precedes(_ first: RowRef, _ second: RowRef) -> Bool {
    guard isNeeded, let first = numbers[RowID(first)], let second = numbers[RowID(second)] else {
      return false
    }
    return first < second
  }

  /// Returns the indices of rows in the order in which the rows arrived.
  func order(of rows: [RowRef]) -> [Int32] {
    let indices = Array(0..<Int32(rows.count))
    guard isNeeded else { return indices }
    let numbers = rows.map { self.numbers[RowID($0)] ?? .max }
    return indices.sorted { numbers[Int($0)] < numbers[Int($1)] }
  }
}
