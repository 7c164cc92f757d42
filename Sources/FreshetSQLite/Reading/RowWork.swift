#if SQLite
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// What is done for each of many rows.
  ///
  /// A store is mostly made where the item's type is known: so is the code that these call.
  @usableFromInline
  struct RowWork<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    /// Decodes a row behind other items.
    let append: @Sendable (Row, inout [Item]) throws -> Void
    /// Remembers the rows that were told, by their rowids.
    let told: @Sendable (_ rowIDs: [Int64], _ items: [[Item]]) -> ToldRows<Int64, Item>

    @usableFromInline
    init(
      append: @escaping @Sendable (Row, inout [Item]) throws -> Void,
      told: @escaping @Sendable (_ rowIDs: [Int64], _ items: [[Item]]) -> ToldRows<Int64, Item>
    ) {
      (self.append, self.told) = (append, told)
    }

    @inlinable
    init() {
      self.init(
        append: { row, items in items.append(try Item(row: row)) },
        told: { rowIDs, items in ToldRows(rowIDs, items: items) })
    }
  }
#endif
