/// The difference between the total that the source reports and the list (rule T8).
struct TotalCheck: Sendable {
  /// The difference when the whole list was last read: the total counts something else.
  private var surplus = 0
  /// The difference for which the list is being read again.
  private var pending: Int?
  /// The number of times that a difference remained after the list was read again.
  private var fruitless = 0
  /// The number of such times after which totals are taken to count something else.
  private static var fruitlessLimit: Int { 2 }

  /// Records the difference after the whole list was read; `nil` if the answer has no total.
  mutating func settle(_ difference: Int?) {
    surplus = difference ?? pending ?? 0
    if surplus == 0 {
      fruitless = 0
    } else if pending != nil {
      fruitless += 1
    }
    pending = nil
  }

  /// Whether a difference at the head is not the one found when the whole list was last read.
  func isUnexplained(_ difference: Int) -> Bool {
    difference != surplus && fruitless < Self.fruitlessLimit
  }

  /// Records that the list is being read again because of a difference.
  mutating func begin(for difference: Int) { pending = difference }
}
