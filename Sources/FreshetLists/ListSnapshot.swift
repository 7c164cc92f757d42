/// The content of a list at one moment: an immutable value of sections and rows.
///
/// A snapshot costs O(1) to copy and to hand to another thread. It shares its rows with the list
/// that made it and with the snapshots before and after.
///
/// ```swift
/// let snapshot = ListSnapshot(posts)
/// print(snapshot.sections[0].count)
/// print(try snapshot.item(at: RowPath(section: 0, row: 3)))
/// ```
public struct ListSnapshot<Item: ListItem>: Sendable {
  @usableFromInline package let refs: SnapshotRefs

  @inlinable
  package init(refs: SnapshotRefs) { self.refs = refs }

  /// The sections, top to bottom.
  @inlinable public var sections: ListSections<Item> { ListSections(refs.sections) }
  /// The number of rows in all sections.
  @inlinable public var count: Int { refs.count }

  /// Creates a snapshot of these sections.
  ///
  /// Section names and the ids of the rows must be unique (rule L1);
  /// `RowTree.init(uniquing:)` makes rows from data that may repeat ids.
  ///
  /// - Complexity: O(sections).
  @inlinable
  public init(sections: [ListSection<Item>] = []) {
    refs = SnapshotRefs(sections.map { $0.refs })
  }

  /// Creates a snapshot of one unnamed section, or of no section if there are no rows.
  ///
  /// - Complexity: O(1) for a `RowTree`, else O(*n*).
  @inlinable
  public init(_ rows: some Sequence<Item>) { self.init(RowTree(rows)) }

  /// Creates a snapshot of one unnamed section, or of no section if there are no rows.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(_ rows: RowTree<Item>) {
    refs = SnapshotRefs(rows.refs)
  }

  /// Whether there are no rows.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// Returns the number of rows in the sections above one, or in all sections for the end index.
  ///
  /// - Complexity: O(1).
  package func rowsAbove(_ section: Int) -> Int { refs.rowsAbove(section) }

  /// Returns this list with other rows in some of its sections.
  ///
  /// - Complexity: O(sections).
  @inlinable
  package func replacing(_ replaced: [(section: Int, rows: RowTree<Item>)]) -> ListSnapshot {
    ListSnapshot(refs: refs.replacing(replaced.map { ($0.section, $0.rows.refs) }))
  }

  /// Returns this list with one row moved.
  ///
  /// - Parameters:
  ///   - from: the path of the row.
  ///   - target: the path at which to insert the row once it is removed.
  /// - Complexity: O(log *n* + sections).
  package func moving(_ from: RowPath, to target: RowPath) -> ListSnapshot {
    var rows = sections[from.section].rows
    let row = rows.remove(at: from.row)
    let list = replacing([(from.section, rows)])
    rows = list.sections[target.section].rows
    rows.insert(row, at: target.row)
    return list.replacing([(target.section, rows)])
  }

  /// The item at a path.
  ///
  /// - Precondition: the path names a row; `item(at:)` throws instead.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(path: RowPath) -> Item { Item._item(of: refs[path]) }

  /// Returns the item at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` if there is no row at the path.
  /// - Complexity: O(log *n*).
  @inlinable
  public func item(at path: RowPath) throws(ListError) -> Item {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.row)
    else { throw .invalidIndexPath(path) }
    return self[path]
  }
}

extension ListSnapshot: Equatable {
  /// Returns whether both snapshots have the same sections with equal rows.
  ///
  /// - Complexity: O(sections) for rows that share storage, else O(*n*).
  @inlinable
  public static func == (first: ListSnapshot, second: ListSnapshot) -> Bool {
    first.count == second.count && first.sections == second.sections
  }
}

extension ListSnapshot: CustomStringConvertible {
  /// The rows of each section: `Monday: [a, b]`, or `[a, b]` for a section without a name.
  public var description: String {
    sections.map { $0.name.isEmpty ? "\($0.rows)" : "\($0.name): \($0.rows)" }.joined(
      separator: ", ")
  }
}
