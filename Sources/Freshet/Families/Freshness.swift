/// Whether a feed of a family must be refreshed when it is next observed, and how far.
struct Freshness: Equatable, Sendable {
  /// A refresh that is due.
  struct Question: Equatable, Sendable {
    var scope: RefreshScope
    /// How often the rows were invalidated before.
    var invalidations: Int
  }

  /// How far to refresh; `nil` if no refresh is due.
  private var scope: RefreshScope? = .head
  private var invalidations = 0

  /// Returns the refresh that is due now, if any.
  ///
  /// - Parameter isAnswered: whether the source answered since the feed was created, for any
  ///   caller. Such an answer counts as long as the rows were not invalidated.
  func question(isAnswered: Bool) -> Question? {
    if isAnswered, invalidations == 0 { return nil }
    return scope.map { Question(scope: $0, invalidations: invalidations) }
  }

  /// Marks the rows as outdated.
  mutating func invalidate(_ scope: RefreshScope) {
    self.scope = max(self.scope ?? scope, scope)
    invalidations += 1
  }

  /// Notes an answer, which counts unless the rows were invalidated after the request.
  mutating func answered(_ question: Question) {
    if question.invalidations == invalidations { scope = nil }
  }
}
