#if SQLite
  internal import FreshetLists
  internal import GRDB

  /// The ids of items by the rowids of their rows, as SQLite reports a deleted row by its rowid.
  ///
  /// If the rowid is the id, nothing is stored. Otherwise, the rows that pages contained are.
  struct RowIDs<Item: ListItem>: Sendable {
    /// The name of the rowid that pages have to contain; `nil` if nothing has to be stored.
    private(set) var column: String?
    /// Whether the rowid is the id.
    private var isID = false
    private var ids: [Int64: Item.ID] = [:]

    /// Starts from scratch, for a table as it is now.
    mutating func begin(_ shape: TableShape?) {
      self = RowIDs()
      isID = shape?.isRowIDPrimaryKey == true && Self.id(0) != nil
      column = isID ? nil : shape?.rowID
    }

    private static func id(_ rowID: Int64) -> Item.ID? {
      (Item.ID.self as? any DatabaseValueConvertible.Type)?
        .fromDatabaseValue(rowID.databaseValue) as? Item.ID
    }

    /// Records the item of a row.
    mutating func note(_ rowID: Int64, _ id: Item.ID) { if !isID { ids[rowID] = id } }

    /// Checks whether the rowid is the id of an item, if that was assumed.
    ///
    /// If it is not, all ids are stored from now on.
    ///
    /// - Returns: whether the assumption was right.
    mutating func check(_ rowID: Int64, _ id: Item.ID, in column: String) -> Bool {
      guard isID, Self.id(rowID) != id else { return true }
      (isID, self.column) = (false, column)
      return false
    }

    /// Returns and forgets the item of a row; `nil` if no page contained it.
    mutating func remove(_ rowID: Int64) -> Item.ID? {
      isID ? Self.id(rowID) : ids.removeValue(forKey: rowID)
    }
  }
#endif
