#if SQLite
  public import Foundation
  public import GRDB

  // These are for an app that has no schema yet.
  extension SQLiteStore where Item: EncodableRecord, Item.ID: DatabaseValueConvertible {
    /// Opens a separate database file and creates the table.
    ///
    /// The folder and the file are created if needed, private to the user. The file is in WAL mode,
    /// and a connection waits five seconds for another one that writes.
    ///
    /// ```swift
    /// let store = try SQLiteStore(at: file, like: example)
    /// ```
    ///
    /// - Parameters:
    ///   - file: the location of the database, which need not exist yet.
    ///   - example: any item: see `createTable(like:in:)`.
    /// - Throws: `SQLiteStoreError.noIDColumn`, or errors of GRDB or the file system.
    public convenience init(at file: URL, like example: Item) throws {
      let queue = try DatabaseQueue.opened(at: file)
      try queue.write { try Self.createTable(like: example, in: $0) }
      self.init(queue)
    }

    /// Creates a table with a column for every one that an item is encoded in.
    ///
    /// If the table exists, missing columns are added to it.
    ///
    /// The column whose value is the item's id is the primary key. Everything else is work for
    /// GRDB's `DatabaseMigrator`, in which this may be a step: changed or removed columns, and
    /// indexes.
    ///
    /// - Parameters:
    ///   - example: any item; its values determine the types of the columns.
    ///   - db: an open database.
    /// - Throws: `SQLiteStoreError.noIDColumn`, or errors of GRDB.
    public static func createTable(like example: Item, in db: Database) throws {
      let values = try example.databaseDictionary
      let (table, id) = (databaseTableName, example.id.databaseValue)
      let columns = values.keys.sorted()
      guard
        let key = values["id"] == id ? "id" : columns.first(where: { values[$0] == id })
      else { throw SQLiteStoreError.noIDColumn(table: table) }
      if try db.tableExists(table) {
        let existing = Set(try db.columns(in: table).map { $0.name.lowercased() })
        for column in columns where !existing.contains(column.lowercased()) {
          try db.alter(table: table) { $0.add(column: column, Self.type(of: values[column])) }
        }
        return
      }
      try db.create(table: table) { definition in
        definition.column(key, Self.type(of: id)).primaryKey().notNull()
        for column in columns where column != key {
          definition.column(column, Self.type(of: values[column]))
        }
      }
    }

    private static var databaseTableName: String { Item.databaseTableName }

    private static func type(of value: DatabaseValue?) -> Database.ColumnType? {
      switch value?.storage {
      case .int64: .integer
      case .double: .double
      case .string: .text
      case .blob: .blob
      case .null, nil: nil
      }
    }
  }

  extension DatabaseQueue {
    /// Opens or creates a file, with settings for a list on screen.
    static func opened(at file: URL) throws -> DatabaseQueue {
      let files = FileManager.default
      try files.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      // SQLite gives its other files the mode of this one.
      if !files.fileExists(atPath: file.path) {
        _ = files.createFile(
          atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      // The mode is read first: setting the mode of a file that already has it costs a write.
      configuration.prepareDatabase { db in
        if try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" {
          try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
      }
      return try DatabaseQueue(path: file.path, configuration: configuration)
    }
  }
#endif
