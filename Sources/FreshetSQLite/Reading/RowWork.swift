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
    /// Records the rows that the query has received, by their rowids.
    let record: @Sendable (_ rowIDs: [Int64], _ items: [[Item]]) -> DeliveryRecord<Int64, Item>

    @usableFromInline
    init(
      append: @escaping @Sendable (Row, inout [Item]) throws -> Void,
      record:
        @escaping @Sendable (_ rowIDs: [Int64], _ items: [[Item]]) -> DeliveryRecord<Int64, Item>
    ) {
      (self.append, self.record) = (append, record)
    }

    @inlinable
    init() {
      self.init(
        append: { row, items in items.append(try Item(row: row)) },
        record: { rowIDs, items in DeliveryRecord(rowIDs, items: items) })
    }
  }
#endif
