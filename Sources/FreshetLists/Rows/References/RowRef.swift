// Proof: nothing of it changes, and its two subclasses, here, keep `Sendable` values that do not
// either.

/// A reference to a row of a list: to an item, made once where the item enters the list.
///
/// What keeps rows works on references, and is the same code for all items. A reference knows the
/// hash of its row's id, and compares ids and contents; the type of the item makes and reads it
/// (`ListItem`).
@_documentation(visibility: internal)
public class RowRef: @unchecked Sendable {
  /// The hash of the row's id.
  public final let hash: UInt32
  /// What kind of row it is: zero for an item, else what the type says that makes the row.
  public final let kind: UInt16
  /// Whether it is an id alone, by which a row is looked for.
  public final let isKey: Bool

  @inlinable
  init(hash: UInt32, kind: UInt16, isKey: Bool) {
    self.hash = hash
    self.kind = kind
    self.isKey = isKey
  }

  /// Whether both rows have the same id.
  ///
  /// - Precondition: both are rows of lists of one type.
  /// - Complexity: O(1).
  @inlinable
  public final func hasID(of other: RowRef) -> Bool {
    self === other || hash == other.hash && kind == other.kind && sharesID(with: other)
  }

  /// Whether both rows are equal.
  ///
  /// - Precondition: both are rows of lists of one type.
  /// - Complexity: O(1).
  @inlinable
  public final func equals(_ other: RowRef) -> Bool {
    self === other
      || hash == other.hash && kind == other.kind && isKey == other.isKey
        && sharesContents(with: other)
  }

  /// Calls `body` with rows of two leaves side by side, until it returns `false`.
  ///
  /// - Parameter stride: 1 to go down, -1 to go up.
  /// - Returns: how many pairs it returned `true` for.
  // Proof: the arrays hold the rows while `body` runs, so that no reference needs to be counted:
  // that took as long as to compare integers.
  static func forEachPair(
    _ first: ContiguousArray<RowRef>, from a: Int, _ second: ContiguousArray<RowRef>, from b: Int,
    by stride: Int = 1, count: Int, _ body: (RowRef, RowRef, _ step: Int) -> Bool
  ) -> Int {
    unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { second in
        let firsts = unsafe first.assumingMemoryBound(to: Unmanaged<RowRef>.self)
        let seconds = unsafe second.assumingMemoryBound(to: Unmanaged<RowRef>.self)
        for step in 0..<count {
          let goesOn = unsafe firsts[a + step * stride]._withUnsafeGuaranteedRef { first in
            unsafe seconds[b + step * stride]._withUnsafeGuaranteedRef { body(first, $0, step) }
          }
          if !goesOn { return step }
        }
        return count
      }
    }
  }

  /// What the row with this row's id is looked for by.
  @usableFromInline
  package var key: RowRef { self }

  @usableFromInline
  func sharesID(with other: RowRef) -> Bool {
    preconditionFailure("A row is a RowBox or a RowKeyBox")
  }

  @usableFromInline
  func sharesContents(with other: RowRef) -> Bool {
    preconditionFailure("A row is a RowBox or a RowKeyBox")
  }
}

extension RowRef {
  /// A hash of 32 bits of one of 64.
  @inlinable
  public static func fold(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }
}
