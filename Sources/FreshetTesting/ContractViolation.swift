/// A rule that a store or a cache broke.
public struct ContractViolation: Error, CustomStringConvertible {
  /// The rule that was broken.
  public let rule: String
  /// The result that was found instead.
  public let found: String

  /// The rule and the result that was found instead.
  public var description: String { "\(rule): \(found)" }
}
