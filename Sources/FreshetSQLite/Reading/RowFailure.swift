#if SQLite
  internal import GRDB

  /// The errors of rows that do not decode, without the contents of the rows.
  ///
  /// GRDB's errors show the whole row, the SQL and its arguments.
  enum RowFailure {
    /// Returns the error for a row of a table.
    static func error(_ error: any Error, table: String, rowID: Int64?) -> SQLiteStoreError {
      .row(table: table, rowID: rowID, reason: reason(error))
    }

    private static func reason(_ error: any Error) -> String {
      switch error {
      case let error as DecodingError: reason(error)
      case let error as RowDecodingError: reason(error)
      default: "\(error)"
      }
    }

    private static func reason(_ error: DecodingError) -> String {
      switch error {
      case .keyNotFound(let key, _):
        return "it has no \(key.stringValue): add the column, or make the property optional"
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty
          ? "a value is not what it should be" : "\(path) is not what it should be"
      @unknown default: return "it does not decode"
      }
    }

    /// Returns the reason, with the name of the column if it is found.
    ///
    /// GRDB gives the column in the text of the error, among values, and in private properties.
    private static func reason(_ error: RowDecodingError) -> String {
      func part(_ name: String, of subject: Any?) -> Any? {
        subject.flatMap { Mirror(reflecting: $0).children.first { $0.label == name }?.value }
      }
      func first(of subject: Any?) -> (label: String?, value: Any)? {
        subject.flatMap { Mirror(reflecting: $0).children.first }
      }
      let failure = first(of: part("impl", of: error))?.value
      let context = part(".1", of: failure)
      let key =
        first(of: first(of: part("key", of: context))?.value) ?? first(of: part(".0", of: failure))
      let columns = part("columns", of: part("rowImpl", of: context)) as? [(String, DatabaseValue)]
      let column =
        (key?.value as? Int).flatMap {
          columns?.indices.contains($0) == true ? columns?[$0].0 : nil
        }
        ?? key?.value as? String
      return column.map { "\($0) is not what it should be" }
        ?? "a column is missing, or not what it should be"
    }
  }
#endif
