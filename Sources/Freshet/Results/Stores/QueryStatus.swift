/// How a running query stands, as its store says.
public struct QueryStatus: Sendable {
  /// Whether all that there was is enqueued.
  public internal(set) var isComplete = false
  /// How far the initial results are, where the store says so.
  public internal(set) var progress: FetchProgress?
  /// Why no changes arrive at the moment.
  public internal(set) var interruption: (any Error)?
  /// How many rows were left out because they do not decode, or because another row has the same
  /// id.
  public internal(set) var invalidItems = 0
  /// What is wrong with the first of them.
  public internal(set) var invalidItem: (any Error)?
  /// How often any of it was said.
  var revision = 0
}

/// How far a fetch is.
public struct FetchProgress: Equatable, Sendable {
  /// How many items were looked at.
  public let completed: Int
  /// How many there are, as far as that is known; it may be an estimate.
  public let total: Int?

  /// Creates the progress of a fetch.
  public init(completed: Int, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The part that is done, from 0 to 1, where that is known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, Double(completed) / Double(total))
  }
}
