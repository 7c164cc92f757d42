#if SQLite
  internal import Freshet

  /// The positions between which a window is, in the order of its rows.
  struct WindowBounds: Sendable {
    /// The rows after the start of the window.
    let rows: [KeysetRange<StoredValue>]
    /// The rows after the end of the window; `nil` for one without an end.
    let rowsPastEnd: [KeysetRange<StoredValue>]?

    /// Returns whether a row is in the window.
    ///
    /// - Returns: `nil` if a query is needed.
    func contains(_ row: ColumnValues) -> Bool? {
      let isAfterStart = rows.contains(row)
      if isAfterStart == false { return false }
      let isPastEnd = rowsPastEnd.map { $0.contains(row) } ?? false
      if isPastEnd == true { return false }
      return isAfterStart == true && isPastEnd == false ? true : nil
    }
  }
#endif
