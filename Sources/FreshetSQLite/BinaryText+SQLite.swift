#if SQLite
  public import FreshetLists
  public import GRDB

  // The collation of a column decides how its texts compare: BINARY unless the schema names
  // another.
  extension BinaryText: DatabaseValueConvertible {
    /// The text, as the database stores it.
    public var databaseValue: DatabaseValue { text.databaseValue }

    /// Returns the text in a column.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> BinaryText? {
      String.fromDatabaseValue(value).map { BinaryText($0) }
    }
  }
#endif
