#if SQLite
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// The work that is done for each of many rows.
  ///
  /// A store is usually created by code that knows the item's type. The code that these closures
  /// call is then compiled for that type.
  @usableFromInline
  struct RowDecoding<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    /// A closure that decodes a row and appends its item to others.
    let append: @Sendable (Row, inout [Item]) throws -> Void
    /// A closure that records the rows that the query has received, by their rowids.
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
