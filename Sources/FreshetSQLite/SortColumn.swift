#if SQLite
  public import GRDB

  /// A column of the order in which a table is read.
  ///
  /// ```swift
  /// [.descending("time"), .ascending("place", nulls: .last, collation: .nocase)]
  /// ```
  public struct SortColumn: Hashable, Sendable {
    /// The position of the rows without a value.
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
    /// The position of the rows without a value.
    public var nulls: Nulls
    /// The collation that compares texts; `nil` for that of the column.
    public var collation: Database.CollationName?

    /// Sorts by a column, with smaller values first.
    ///
    /// - Parameters:
    ///   - name: the name of the column.
    ///   - nulls: the position of the rows without a value; an index serves the default best.
    ///   - collation: the collation that compares texts; `nil` for that of the column.
    public static func ascending(
      _ name: String, nulls: Nulls = .first, collation: Database.CollationName? = nil
    ) -> SortColumn {
      SortColumn(name: name, isDescending: false, nulls: nulls, collation: collation)
    }

    /// Sorts by a column, with larger values first: see `ascending(_:nulls:collation:)`.
    public static func descending(
      _ name: String, nulls: Nulls = .last, collation: Database.CollationName? = nil
    ) -> SortColumn {
      SortColumn(name: name, isDescending: true, nulls: nulls, collation: collation)
    }

    /// The column in the opposite order.
    var reversed: SortColumn {
      SortColumn(
        name: name, isDescending: !isDescending, nulls: nulls == .first ? .last : .first,
        collation: collation)
    }
  }
#endif
