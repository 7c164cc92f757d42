/// A rule that a store or a cache broke.
public struct ContractViolation: Error, CustomStringConvertible {
  /// The rule.
  public let rule: String
  /// What happened instead.
  public let found: String

  /// The rule, and what happened instead.
  public var description: String { "\(rule): \(found)" }
}
