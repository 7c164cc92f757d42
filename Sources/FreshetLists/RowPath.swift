/// The place of a row: a section and a row in it, both counted from zero.
///
/// Paths are ordered as the list is read: by section, then by row. `Freshet` converts them to and
/// from `IndexPath`, which is too large and too slow for computations.
///
/// ```swift
/// print(try snapshot.item(at: RowPath(section: 0, row: 3)))
/// ```
public struct RowPath: Hashable, Codable, Comparable, Sendable {
  /// The section, counted from zero.
  public var section: Int
  /// The row in its section, counted from zero.
  public var row: Int

  /// Creates a path from a section and a row in it.
  @inlinable
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Returns whether the first path is above the second in the list.
  @inlinable
  public static func < (first: RowPath, second: RowPath) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as `[section, row]`.
  public var description: String { "[\(section), \(row)]" }
}
