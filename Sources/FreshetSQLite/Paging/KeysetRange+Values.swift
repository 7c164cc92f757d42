#if SQLite
  internal import Foundation
  internal import Freshet

  // Positions that are compared without a query, as far as no collation decides.

  /// The values of a row in some columns, by the names of the columns; `nil` for `NULL`.
  typealias ColumnValues = [String: StoredValue?]

  extension [KeysetRange<StoredValue>] {
    /// Returns whether a row is in one of the ranges.
    ///
    /// - Returns: `nil` if that is uncertain: a value is missing, or a collation compares texts.
    func contains(_ values: ColumnValues) -> Bool? {
      var isCertain = true
      for range in self {
        switch range.contains(values) {
        case true?: return true
        case false?: continue
        case nil: isCertain = false
        }
      }
      return isCertain ? false : nil
    }
  }

  extension KeysetRange<StoredValue> {
    fileprivate func contains(_ values: ColumnValues) -> Bool? {
      var isCertain = true
      for condition in conditions {
        switch condition.holds(for: values) {
        case true?: continue
        case false?: return false
        case nil: isCertain = false
        }
      }
      return isCertain ? true : nil
    }
  }

  extension KeysetCondition<StoredValue> {
    fileprivate func holds(for values: ColumnValues) -> Bool? {
      switch self {
      case .isNull(let column): return values[column.name].map { $0 == nil }
      case .isValue(let column): return values[column.name].map { $0 != nil }
      case .isEqual(let column, let other):
        guard let known = values[column.name] else { return nil }
        guard let value = known else { return false }
        return value.compared(to: other).map { $0 == .orderedSame }
      case .isAfter(let column, let other):
        guard let known = values[column.name] else { return nil }
        guard let value = known else { return false }
        let after: ComparisonResult = column.isDescending ? .orderedAscending : .orderedDescending
        return value.compared(to: other).map { $0 == after }
      }
    }
  }

  // MARK: - The order of values

  extension StoredValue {
    /// Compares values of a column as SQLite does, if no collation and no type is needed for it.
    ///
    /// Numbers and texts are before blobs in any column. A text and a number may be compared as
    /// texts or as numbers, which depends on the type of the column.
    ///
    /// - Returns: `nil` for a text and a number, and for two texts.
    func compared(to other: StoredValue) -> ComparisonResult? {
      switch (self, other) {
      case (.integer(let one), .integer(let two)): one.compared(to: two)
      case (.real(let one), .real(let two)): one.compared(to: two)
      case (.integer(let one), .real(let two)): one.compared(exactlyTo: two)
      case (.real(let one), .integer(let two)): two.compared(exactlyTo: one).reversed
      case (.text, .text), (.text, .integer), (.text, .real), (.integer, .text), (.real, .text):
        nil
      case (.blob(let one), .blob(let two)):
        if one == two {
          .orderedSame
        } else {
          one.lexicographicallyPrecedes(two) ? .orderedAscending : .orderedDescending
        }
      case (.blob, _): .orderedDescending
      case (_, .blob): .orderedAscending
      }
    }
  }

  extension Comparable {
    fileprivate func compared(to other: Self) -> ComparisonResult {
      self == other ? .orderedSame : self < other ? .orderedAscending : .orderedDescending
    }
  }

  extension Int64 {
    /// Compares an integer with a number that has no exact counterpart among the integers.
    ///
    /// A conversion to `Double` would round integers beyond 2⁵³.
    fileprivate func compared(exactlyTo other: Double) -> ComparisonResult {
      if other >= 0x1p63 { return .orderedAscending }
      if other < -0x1p63 { return .orderedDescending }
      let whole = Int64(other)
      return self == whole ? Double(whole).compared(to: other) : compared(to: whole)
    }
  }

  extension ComparisonResult {
    fileprivate var reversed: ComparisonResult {
      switch self {
      case .orderedAscending: .orderedDescending
      case .orderedSame: .orderedSame
      case .orderedDescending: .orderedAscending
      }
    }
  }
#endif
