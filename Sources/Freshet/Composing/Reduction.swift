/// One value computed from the rows of a list, such as a count or a sum.
public struct Reduction<Value: Sendable>: Sendable {
  /// The value for the rows that are loaded.
  public let value: Value
  /// Whether these are all rows: the list has no gap, and no more rows at either end (rule A4).
  public let isComplete: Bool
}

extension Reduction: Equatable where Value: Equatable {}
