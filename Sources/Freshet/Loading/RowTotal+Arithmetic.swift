// Sums and differences of numbers that may be estimates.
extension RowTotal {
  /// 1 if the number is not exact, else 0.
  var isInexact: Int { exact == nil ? 1 : 0 }

  /// The total with another number.
  func with(_ count: Int) -> RowTotal {
    switch self {
    case .exact: .exact(count)
    case .atLeast: .atLeast(count)
    case .estimated: .estimated(count)
    }
  }

  /// The largest number that is believed, so that sums do not overflow.
  static var limit: Int { 1 << 40 }

  /// The total without some of its rows.
  ///
  /// If it had fewer, it was wrong.
  func removing(_ rows: RowTotal) -> RowTotal {
    let count = min(max(self.count, -1), Self.limit)
    return rows.exact != nil && rows.count <= count
      ? with(count - rows.count) : .estimated(max(0, count - rows.count))
  }

  /// The sum of two totals, which is as exact as both.
  static func + (first: RowTotal, second: RowTotal) -> RowTotal {
    let count = first.count + second.count
    if first.exact != nil { return second.with(count) }
    return second.exact != nil ? first.with(count) : .estimated(count)
  }
}
