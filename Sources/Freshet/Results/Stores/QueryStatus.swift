/// The status of a running query, as its store reports it.
public struct QueryStatus: Sendable {
  /// Whether all initial items are enqueued.
  public internal(set) var isComplete = false
  /// The progress of the initial results, if the store reports it.
  public internal(set) var progress: FetchProgress?
  /// The reason why no changes arrive at the moment.
  public internal(set) var interruption: (any Error)?
  /// The number of rows left out because they do not decode or share an id with another row.
  public internal(set) var invalidItems = 0
  /// The error of the first of them.
  public internal(set) var invalidItem: (any Error)?
  /// The number of times that the status changed.
  var revision = 0
}

/// The progress of a fetch.
public struct FetchProgress: Equatable, Sendable {
  /// The number of items that were examined.
  public let completed: Int
  /// The number of items that there are, if known; it may be an estimate.
  public let total: Int?

  /// Creates the progress of a fetch.
  public init(completed: Int, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The completed part, from 0 to 1, if it is known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, Double(completed) / Double(total))
  }
}
