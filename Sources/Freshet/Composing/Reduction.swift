/// One value made of the rows of a list: a count, a sum.
public struct Reduction<Value: Sendable>: Sendable {
  /// What the rows that are there make.
  public let value: Value
  /// Whether these are all rows: no gap is among them, and neither end may go on (rule A4).
  public let isComplete: Bool
}

extension Reduction: Equatable where Value: Equatable {}
