/// The changes between two lists, as one batch update of a table or collection view.
///
/// Deletions and the sources of moves use coordinates *before* the batch. Insertions, the targets
/// of moves and updates use coordinates *after* it (rule C1). The rows of a deleted or inserted
/// section are not listed: the section includes them. No row is both moved and deleted. No row
/// moves out of a deleted section or into an inserted one (rule C2). Rows that keep their relative
/// order are not moved (rule C3). A section that changes its place among the others is deleted and
/// inserted.
///
/// Updated rows changed their contents; a moved row may also be updated. Reconfigure them once the
/// batch is done: a table view cannot move and reload one row at once. A view that reloads rows
/// inside the batch finds their places before it in `updatedRowsBefore`.
///
/// ```swift
/// let changes = update.changes
/// for path in changes.deletedRows { print("row \(path) of the list before goes") }
/// for path in changes.insertedRows { print("row \(path) of the list after is new") }
/// for move in changes.movedRows { print("\(move.from) goes to \(move.to)") }
/// ```
public struct ListChanges: Hashable, Codable, Sendable {
  /// The move of a row to another place.
  public struct Move: Hashable, Codable, Sendable {
    /// The path of the row before the batch.
    public var from: RowPath
    /// The path of the row after the batch.
    public var to: RowPath

    /// Creates the move of a row.
    @inlinable
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// The deleted sections, in coordinates before the batch, ascending.
  public var deletedSections: [Int] = []
  /// The inserted sections, in coordinates after the batch, ascending.
  public var insertedSections: [Int] = []
  /// The rows deleted from sections that stay, in coordinates before the batch, ascending.
  public var deletedRows: [RowPath] = []
  /// The rows inserted into sections that stay, in coordinates after the batch, ascending.
  public var insertedRows: [RowPath] = []
  /// The rows moved between or within sections that stay, ascending by their new place.
  public var movedRows: [Move] = []
  /// The updated rows in sections that stay, in coordinates after the batch, ascending.
  public var updatedRows: [RowPath] = []

  /// Creates a batch without changes.
  @inlinable public init() {}

  /// Whether there are no changes.
  @inlinable
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && movedRows.isEmpty && updatedRows.isEmpty
  }
}

extension ListChanges: CustomStringConvertible {
  /// A readable summary of the batch: `1 section inserted, 3 rows deleted`.
  public var description: String {
    let counts = [
      (deletedSections.count, "section", "deleted"),
      (insertedSections.count, "section", "inserted"),
      (deletedRows.count, "row", "deleted"), (insertedRows.count, "row", "inserted"),
      (movedRows.count, "row", "moved"), (updatedRows.count, "row", "updated"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s") \($0.2)" }
    return parts.isEmpty ? "no changes" : parts.joined(separator: ", ")
  }
}

extension ListChanges {
  /// The path of each of `updatedRows` before the batch.
  ///
  /// A call of `reloadRows(at:)` inside a batch needs these paths. They include rows that moved,
  /// with the place that each row left. Reload such a row after the batch, or not at all.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public var updatedRowsBefore: [RowPath] {
    let sources = Dictionary(uniqueKeysWithValues: movedRows.map { ($0.to, $0.from) })
    let came = Dictionary(grouping: insertedRows + sources.keys, by: \.section)
      .mapValues { $0.map(\.row).sorted() }
    let left = Dictionary(grouping: deletedRows + sources.values, by: \.section)
      .mapValues { $0.map(\.row).sorted() }
    let sections = RowEdits(deleted: deletedSections, inserted: insertedSections)
    return updatedRows.map { path in
      if let source = sources[path] { return source }
      let section = sections.placeBefore(path.section)
      let rows = RowEdits(deleted: left[section] ?? [], inserted: came[path.section] ?? [])
      return RowPath(section: section, row: rows.placeBefore(path.row))
    }
  }
}

extension ListSnapshot {
  /// Returns this snapshot after a batch of changes, which takes new contents from `after`.
  ///
  /// It does what a table view does: rows that the batch does not name keep their place and
  /// contents. For every `ListStep`, `before.applying(changes, from: after)` equals `after` (rule
  /// C1).
  ///
  /// - Precondition: the changes are legal between this snapshot and `after`.
  /// - Complexity: O(*n*).
  public func applying(_ changes: ListChanges, from after: ListSnapshot) -> ListSnapshot {
    var sections = sections.map { (name: $0.name, rows: Array($0.rows)) }
    let moved = changes.movedRows.map { (item: self[$0.from], to: $0.to) }
    for path in (changes.deletedRows + changes.movedRows.map(\.from)).sorted().reversed() {
      sections[path.section].rows.remove(at: path.row)
    }
    for section in changes.deletedSections.reversed() { sections.remove(at: section) }
    for section in changes.insertedSections {
      let inserted = after.sections[section]
      sections.insert((inserted.name, Array(inserted.rows)), at: section)
    }
    let inserted = changes.insertedRows.map { (item: after[$0], to: $0) }
    for row in (inserted + moved).sorted(by: { $0.to < $1.to }) {
      sections[row.to.section].rows.insert(row.item, at: row.to.row)
    }
    for path in changes.updatedRows { sections[path.section].rows[path.row] = after[path] }
    return ListSnapshot(
      sections: sections.map { ListSection(name: $0.name, rows: RowTree($0.rows)) })
  }
}
