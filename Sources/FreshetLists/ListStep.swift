/// One step of a list: the list before, the list after, and the exact changes between them.
///
/// ```swift
/// let update = ListStep(from: ListSnapshot(players), to: ListSnapshot(fresh))
/// print(update.changes)  // "1 row deleted, 2 rows moved": one batch for a table view
/// ```
public struct ListStep<Item: ListItem>: Equatable, Sendable {
  @usableFromInline package let refs: StepRefs

  /// The list before the step.
  @inlinable public var before: ListSnapshot<Item> { ListSnapshot(refs: refs.before) }
  /// The list after the step.
  @inlinable public var after: ListSnapshot<Item> { ListSnapshot(refs: refs.after) }
  /// The batch that leads from `before` to `after`.
  @inlinable public var changes: ListChanges { refs.changes }
  /// The origin of the step.
  @inlinable public var origin: ListOrigin { refs.origin }

  /// Creates a step from existing rows.
  ///
  /// - Precondition: the rows are of this item type.
  @inlinable
  package init(refs: StepRefs) { self.refs = refs }

  /// Creates a step whose changes are known.
  ///
  /// - Precondition: performing `changes` on `before` gives `after` (rule C1).
  @inlinable
  public init(
    before: ListSnapshot<Item>, after: ListSnapshot<Item>, changes: ListChanges, origin: ListOrigin
  ) {
    refs = StepRefs(before: before.refs, after: after.refs, changes: changes, origin: origin)
  }

  /// Creates the step between two snapshots by computing the changes.
  ///
  /// - Complexity: O(*n*), and O(*m* log *m*) for *m* rows that are out of place; parts that share
  ///   storage are skipped.
  @inlinable
  public init(
    from before: ListSnapshot<Item>, to after: ListSnapshot<Item>, origin: ListOrigin = .network
  ) {
    self.init(
      before: before, after: after, changes: after.changes(from: before), origin: origin)
  }

  /// Returns whether both steps lead from equal lists to equal lists by the same changes.
  ///
  /// - Complexity: O(1) for copies, otherwise the cost of comparing the lists.
  @inlinable
  public static func == (first: ListStep, second: ListStep) -> Bool {
    first.refs === second.refs
      || first.changes == second.changes && first.origin == second.origin
        && first.before == second.before && first.after == second.after
  }
}

extension ListStep: CustomReflectable {
  /// The lists, the changes between them, and the origin of the step.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["before": before, "after": after, "changes": changes, "origin": origin])
  }
}

/// A step of a list without its item type, copied as one reference.
@usableFromInline
package final class StepRefs: Sendable {
  @usableFromInline package let before: SnapshotRefs
  @usableFromInline package let after: SnapshotRefs
  @usableFromInline package let changes: ListChanges
  @usableFromInline package let origin: ListOrigin

  @inlinable
  package init(
    before: SnapshotRefs, after: SnapshotRefs, changes: ListChanges, origin: ListOrigin
  ) {
    self.before = before
    self.after = after
    self.changes = changes
    self.origin = origin
  }
}

/// The origin of a step of a list.
@nonexhaustive
public enum ListOrigin: String, Codable, CaseIterable, Sendable {
  /// The rows were read from disk.
  case cache
  /// A response of the source.
  case network
  /// A local edit of the list.
  case edit
}
