/// Whether a feed of a family is to be asked again, and how far, once somebody looks at it.
struct Freshness: Equatable, Sendable {
  /// What is to be asked.
  struct Question: Equatable, Sendable {
    var scope: RefreshScope
    /// How often the rows were said to be invalid before.
    var invalidations: Int
  }

  /// How far; `nil` where nothing is to be asked.
  private var scope: RefreshScope? = .head
  private var invalidations = 0

  /// What is to be asked now, if anything.
  ///
  /// - Parameter isAnswered: whether the source answered since the feed was made, whoever asked it:
  ///   that counts as long as the rows were not said to be invalid.
  func question(isAnswered: Bool) -> Question? {
    if isAnswered, invalidations == 0 { return nil }
    return scope.map { Question(scope: $0, invalidations: invalidations) }
  }

  /// The rows are not to be trusted any more.
  mutating func invalidate(_ scope: RefreshScope) {
    self.scope = max(self.scope ?? scope, scope)
    invalidations += 1
  }

  /// The source answered, which counts unless the rows became invalid after it was asked.
  mutating func answered(_ question: Question) {
    if question.invalidations == invalidations { scope = nil }
  }
}
