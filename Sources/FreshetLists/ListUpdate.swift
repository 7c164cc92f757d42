/// One step of a list: what it was, what it is, and the exact changes between.
///
/// ```swift
/// let update = ListUpdate(from: ListSnapshot(players), to: ListSnapshot(fresh))
/// print(update.changes)  // "1 row deleted, 2 rows moved": one batch for a table view
/// ```
public struct ListUpdate<Item: ListItem>: Equatable, Sendable {
  /// Where a step came from.
  public typealias Origin = ListOrigin

  /// The list before the step.
  public let before: ListSnapshot<Item>
  /// The list after the step.
  public let after: ListSnapshot<Item>
  /// The batch that leads from the one to the other.
  public let changes: ListChanges
  /// Where the step came from.
  public let origin: Origin

  /// Creates a step whose changes are known.
  ///
  /// - Precondition: performing `changes` on `before` gives `after` (rule C1).
  @inlinable
  public init(
    before: ListSnapshot<Item>, after: ListSnapshot<Item>, changes: ListChanges, origin: Origin
  ) {
    self.before = before
    self.after = after
    self.changes = changes
    self.origin = origin
  }

  /// Creates the step between two snapshots, finding the changes.
  ///
  /// - Complexity: O(*n*), and O(*m* log *m*) for *m* rows that are out of place; parts that share
  ///   storage are skipped.
  @inlinable
  public init(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>, origin: Origin = .network
  ) {
    self.init(
      before: before, after: after, changes: after.changes(from: before), origin: origin)
  }
}

/// Where a step of a list came from.
@nonexhaustive
public enum ListOrigin: String, Codable, CaseIterable, Sendable {
  /// The rows were read from disk.
  case cache
  /// An answer of the source.
  case network
  /// The list was edited here.
  case edit
}
