#if SQLite
  public import FreshetLists
  public import GRDB

  // A column of it compares as its collation says, which is BINARY unless the schema names another.
  extension BinaryText: DatabaseValueConvertible {
    /// The text, as the database keeps it.
    public var databaseValue: DatabaseValue { text.databaseValue }

    /// The text that a column holds.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> BinaryText? {
      String.fromDatabaseValue(value).map { BinaryText($0) }
    }
  }
#endif
