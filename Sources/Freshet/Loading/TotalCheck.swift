/// By how many rows the total that the source speaks of differs from the list (rule T8).
struct TotalCheck: Sendable {
  /// The difference when all of the list was last read: the total counts something else.
  private var surplus = 0
  /// The difference for which the list is being read again.
  private var pending: Int?
  /// How often reading again left a difference.
  private var fruitless = 0
  /// After so many, totals are taken to count something else.
  private static var fruitlessLimit: Int { 2 }

  /// Notes the difference after all of the list was read; `nil` if the answer has no total.
  mutating func settle(_ difference: Int?) {
    surplus = difference ?? pending ?? 0
    if surplus == 0 {
      fruitless = 0
    } else if pending != nil {
      fruitless += 1
    }
    pending = nil
  }

  /// Whether a difference at the head is another one than when all of the list was last read.
  func isUnexplained(_ difference: Int) -> Bool {
    difference != surplus && fruitless < Self.fruitlessLimit
  }

  /// Notes that the list is being read again because of a difference.
  mutating func begin(for difference: Int) { pending = difference }
}
