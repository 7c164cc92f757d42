/// In which order rows came, for as long as they are there: what decides where nothing else does
/// (rule A2).
///
/// Where ids can be compared they decide, and nothing is noted.
struct Arrivals: Sendable {
  let isNeeded: Bool
  private var numbers: [RowID: Int] = [:]
  private var last = 0

  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Notes rows that came; those that are there came before.
  mutating func note(_ rows: [RowRef]) {
    guard isNeeded else { return }
    numbers.reserveCapacity(numbers.count + rows.count)
    for row in rows where numbers[RowID(row)] == nil {
      last += 1
      numbers[RowID(row.key)] = last
    }
  }

  /// Forgets a row that went.
  mutating func forget(_ row: RowRef) { if isNeeded { numbers[RowID(row)] = nil } }

  /// Whether a row came before another.
  func precedes(_ first: RowRef, _ second: RowRef) -> Bool {
    guard isNeeded, let first = numbers[RowID(first)], let second = numbers[RowID(second)] else {
      return false
    }
    return first < second
  }

  /// The indices of rows in the order in which the rows came.
  func order(of rows: [RowRef]) -> [Int32] {
    let indices = Array(0..<Int32(rows.count))
    guard isNeeded else { return indices }
    let numbers = rows.map { self.numbers[RowID($0)] ?? .max }
    return indices.sorted { numbers[Int($0)] < numbers[Int($1)] }
  }
}
