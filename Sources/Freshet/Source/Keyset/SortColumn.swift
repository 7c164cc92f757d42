/// A column of the order in which a database's table is read as a feed.
///
/// ```swift
/// [.descending("time"), .ascending("place", nulls: .last, collation: "NOCASE")]
/// ```
///
/// The database alone compares values.
public struct SortColumn: Hashable, Sendable {
  /// A position of the rows without a value.
  public enum Nulls: Hashable, Sendable {
    /// Before all values.
    case first
    /// After all values.
    case last
  }

  /// The name of the column.
  public var name: String
  /// Whether larger values are first.
  public var isDescending: Bool
  /// The position of the rows without a value; `nil` for the one that an index has.
  ///
  /// SQLite treats `NULL` as smaller than all values, and PostgreSQL as larger. An index serves
  /// this position best.
  public var nulls: Nulls?
  /// The collation that compares texts, as the database names it; `nil` for that of the column.
  public var collation: String?

  /// Sorts by a column, with smaller values first.
  ///
  /// - Parameters:
  ///   - name: the name of the column.
  ///   - nulls: the position of the rows without a value; `nil` for the one that an index has.
  ///   - collation: the collation that compares texts; `nil` for that of the column.
  public static func ascending(
    _ name: String, nulls: Nulls? = nil, collation: String? = nil
  ) -> SortColumn {
    SortColumn(name: name, isDescending: false, nulls: nulls, collation: collation)
  }

  /// Sorts by a column, with larger values first: see `ascending(_:nulls:collation:)`.
  public static func descending(
    _ name: String, nulls: Nulls? = nil, collation: String? = nil
  ) -> SortColumn {
    SortColumn(name: name, isDescending: true, nulls: nulls, collation: collation)
  }
}
