/// A list that stays filtered, sorted and sectioned while its items change.
///
/// The work depends on the change, not on the list (rule C4). A batch of *k* known changes costs
/// O(*k* log *n*). It gives the exact batch for the screen, and a snapshot that shares its rows
/// with the last one.
///
/// ```swift
/// var list = SortedList(quakes, arrangement: .sorted(by: \.time, .reverse))
/// let update = list.change(upserting: [revised], removing: [withdrawn.id])
/// ```
public struct SortedList<Item: ListItem>: Sendable {
  @usableFromInline var rows: SortedRows

  /// Creates a list of items; if several have the same id, the last one is used.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public init(_ items: some Sequence<Item>, arrangement: Arrangement<Item> = .all) {
    rows = SortedRows(items.map { Item._row(of: $0) }, arrangement.rows)
  }

  /// Creates a list without items.
  @inlinable
  public init(arrangement: Arrangement<Item> = .all) { rows = SortedRows([], arrangement.rows) }

  // MARK: - Looking

  /// The layout of the items.
  @inlinable public var arrangement: Arrangement<Item> { Arrangement(rows.layout) }

  /// The shown list: sorted, filtered and in sections.
  @inlinable public var snapshot: ListSnapshot<Item> { ListSnapshot(refs: rows.shown) }

  /// The position index of the snapshot, which may contain more rows than are shown.
  package var index: RowIndex { rows.index }

  /// The number of items, shown or not.
  @inlinable public var count: Int { rows.count }

  /// Whether the limit leaves items out.
  @inlinable public var isCut: Bool { rows.isCut }

  /// The ids of all items, shown or not.
  @inlinable public var ids: [Item.ID] { rows.all.map { Item._id(of: $0) } }

  /// The item with an id, shown or not.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(id: Item.ID) -> Item? {
    rows.row(like: Item._key(of: id)).map { Item._item(of: $0) }
  }

  /// Returns the path at which an item is shown, or `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func path(of id: Item.ID) -> RowPath? { rows.path(of: Item._key(of: id)) }

  // MARK: - Changing

  /// Inserts items, replaces those with the same ids, and removes others.
  ///
  /// - Returns: the step of the shown list; `nil` if nothing shown changed (rule L3).
  /// - Complexity: O(*k* log *n* + sections) for *k* changes, plus O(*n*) if they are more than a
  ///   thirtieth of the list.
  @discardableResult @inlinable
  public mutating func change(
    upserting upserted: [Item], removing removed: [Item.ID] = [],
    origin: ListOrigin = .network
  ) -> ListStep<Item>? {
    let before = snapshot
    let changes = rows.change(
      upserting: upserted.map { Item._row(of: $0) }, removing: removed.map { Item._key(of: $0) })
    return update(changes, since: before, origin)
  }

  /// Replaces the arrangement of the items.
  ///
  /// An empty section stays only if it belongs to the new arrangement too, and if that keeps empty
  /// sections.
  ///
  /// - Returns: the step of the shown list, in one batch with the fewest moves; `nil` if nothing
  ///   changed.
  /// - Complexity: O(*n* log *n*).
  @discardableResult @inlinable
  public mutating func arrange(_ arrangement: Arrangement<Item>) -> ListStep<Item>? {
    let before = snapshot
    let changes = rows.arrange(arrangement.rows)
    return update(changes, since: before, .edit)
  }

  @inlinable
  func update(
    _ changes: ListChanges, since before: ListSnapshot<Item>, _ origin: ListOrigin
  ) -> ListStep<Item>? {
    changes.isEmpty
      ? nil : ListStep(before: before, after: snapshot, changes: changes, origin: origin)
  }
}
