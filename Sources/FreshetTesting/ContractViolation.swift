/// A rule that a store or a cache broke.
public struct ContractViolation: Error, CustomStringConvertible {
  /// The rule that was broken.
  public let rule: String
  /// What happened instead of what was promised.
  public let found: String

  /// The rule, and what happened instead.
  public var description: String { "\(rule): \(found)" }
}
