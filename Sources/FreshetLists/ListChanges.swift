/// What to do to the screen, as one batch update of a table or collection view.
///
/// Deletions and the sources of moves are in the coordinates *before* the batch, insertions, the
/// targets of moves and updates in those *after* it (rule C1). A deleted section takes its rows
/// with it and an inserted one brings its own: neither are listed. No row is moved and deleted,
/// none moves out of a deleted or into an inserted section (rule C2), and rows that keep their
/// relative order are not moved (rule C3). A section that changes its place among the others is
/// deleted and inserted.
///
/// Updated rows changed their contents; a moved row may also be updated. Reconfigure them once
/// the batch is done: a table view cannot move and reload one row at once. A view that reloads rows
/// inside of the batch finds their places before it in `updatedRowsBefore`.
///
/// ```swift
/// let changes = update.changes
/// for path in changes.deletedRows { print("row \(path) of the list before goes") }
/// for path in changes.insertedRows { print("row \(path) of the list after is new") }
/// for move in changes.movedRows { print("\(move.from) goes to \(move.to)") }
/// ```
public struct ListChanges: Hashable, Codable, Sendable {
  /// A row that stands elsewhere after the batch.
  public struct Move: Hashable, Codable, Sendable {
    /// Where the row stood before the batch.
    public var from: RowPath
    /// Where the row stands after the batch.
    public var to: RowPath

    /// Creates the move of a row.
    @inlinable
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// The sections that go, in coordinates before the batch, ascending.
  public var deletedSections: [Int] = []
  /// The sections that come, in coordinates after the batch, ascending.
  public var insertedSections: [Int] = []
  /// The rows that go from sections that stay, in coordinates before the batch, ascending.
  public var deletedRows: [RowPath] = []
  /// The rows that come to sections that stay, in coordinates after the batch, ascending.
  public var insertedRows: [RowPath] = []
  /// The rows that move between or within sections that stay, ascending by their new place.
  public var movedRows: [Move] = []
  /// The rows in sections that stay whose contents changed, in coordinates after the batch,
  /// ascending.
  public var updatedRows: [RowPath] = []

  /// Creates a batch without changes.
  @inlinable public init() {}

  /// Whether there is nothing to do.
  @inlinable
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && movedRows.isEmpty && updatedRows.isEmpty
  }
}

extension ListChanges: CustomStringConvertible {
  /// What the batch does, for people: `1 section inserted, 3 rows deleted`.
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
  /// Where each of `updatedRows` stood before the batch: what `reloadRows(at:)` inside of a batch
  /// wants.
  ///
  /// A row that moved is among them, with the place it left; reload it after the batch, or not at
  /// all.
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
  /// This snapshot with a batch of changes performed on it, which take new contents from `after`.
  ///
  /// It does what a table view does: what the batch does not name keeps its place and contents.
  /// For every `ListStep`, `before.applying(changes, from: after)` equals `after` (rule C1).
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
