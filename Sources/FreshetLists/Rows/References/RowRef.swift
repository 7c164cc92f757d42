// Proof: none of its properties change, and its two subclasses in this folder hold only `Sendable`
// values that do not change either.

/// A reference to a row of a list, created once when its item is inserted.
///
/// Collections of rows work on references, with the same code for all items. A reference knows the
/// hash of its row's id, and compares ids and contents. The item type makes and reads it
/// (`ListItem`).
@_documentation(visibility: internal)
public class RowRef: @unchecked Sendable {
  /// The hash of the row's id.
  public final let hash: UInt32
  /// The kind of the row: zero for an item, otherwise defined by the type that makes the row.
  public final let kind: UInt16
  /// Whether this is a key: only an id, which finds a row.
  public final let isKey: Bool

  @inlinable
  init(hash: UInt32, kind: UInt16, isKey: Bool) {
    self.hash = hash
    self.kind = kind
    self.isKey = isKey
  }

  /// Returns whether both rows have the same id.
  ///
  /// - Precondition: both are rows of lists of the same type.
  /// - Complexity: O(1).
  @inlinable
  public final func hasID(of other: RowRef) -> Bool {
    self === other || hash == other.hash && kind == other.kind && sharesID(with: other)
  }

  /// Returns whether both rows are equal.
  ///
  /// - Precondition: both are rows of lists of the same type.
  /// - Complexity: O(1).
  @inlinable
  public final func equals(_ other: RowRef) -> Bool {
    self === other
      || hash == other.hash && kind == other.kind && isKey == other.isKey
        && sharesContents(with: other)
  }

  /// Calls `body` with pairs of rows of two leaves, until it returns `false`.
  ///
  /// - Parameter stride: 1 to move down, -1 to move up.
  /// - Returns: the number of pairs for which `body` returned `true`.
  // Proof: the arrays hold the rows while `body` runs, so no reference needs to be counted.
  // Counting took as long as comparing integers.
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

  /// The key that finds the row with this row's id.
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
  /// Returns a 32-bit hash of a 64-bit hash.
  @inlinable
  public static func fold(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }
}
