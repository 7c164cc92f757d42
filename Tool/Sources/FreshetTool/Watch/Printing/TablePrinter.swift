import Freshet

/// A printer of lists for people: the whole list first, then its changes.
struct TablePrinter {
  private var isFirst = true
  /// The lines that were printed before the whole list was known.
  private var begun: [String]?
  /// The width of the ids so far.
  private var width = 4
  /// The widest column of ids.
  ///
  /// Rows with longer ids are not aligned, as all others would be moved far to the right.
  private static let widestColumn = 40

  /// Returns the lines of the first rows, before the others are known.
  mutating func begin<Row: PrintedRow>(_ list: ListSnapshot<Row>) -> [String] {
    widen(to: list.items.lazy.compactMap(\.item))
    let lines = lines(of: list)
    begun = lines
    return lines
  }

  /// Returns the lines of an update; rows that were `pushedOut` by others are only counted.
  ///
  /// - Complexity: O(*k*) for *k* rows that changed.
  mutating func lines<Row: PrintedRow>(
    for list: ListStep<Row>, at time: String, pushedOut: Set<RowID> = []
  ) -> [String] {
    let summary =
      list.after.isEmpty
      ? "\(time)  the list is empty"
      : "\(time)  \(list.after.count) \(list.after.count == 1 ? "row" : "rows") from the \(list.origin.rawValue)"
    if isFirst {
      isFirst = false
      if begun == nil { widen(to: list.after.items.lazy.compactMap(\.item)) }
      let (lines, printed) = (lines(of: list.after), begun ?? [])
      if begun != nil { widen(to: list.after.items.lazy.compactMap(\.item)) }
      begun = nil
      return (lines.starts(with: printed) ? Array(lines[printed.count...]) : lines)
        + (list.after.isEmpty ? [] : [""]) + [summary]
    }
    let changes = list.changes
    let deleted =
      changes.deletedSections.flatMap { list.before.sections[$0].rows }
      + changes.deletedRows.map { list.before[$0] }
    let inserted =
      changes.insertedSections.flatMap { list.after.sections[$0].rows }
      + changes.insertedRows.map { list.after[$0] }
    let gone = deleted.compactMap(\.item)
    let new = inserted.compactMap(\.item)
    let moved = changes.movedRows.compactMap { list.after[$0.to].item }
    let updated = changes.updatedRows.compactMap { list.after[$0].item }
    widen(to: new)
    let beyond = gone.count { pushedOut.contains($0.id) }
    var lines = [beyond == 0 ? summary : "\(summary), \(beyond) more no longer kept"]
    lines += gone.filter { !pushedOut.contains($0.id) }.map { line("-", $0) }
    lines += new.map { line("+", $0) } + moved.map { line("↕", $0) }
    return lines + updated.map { line("~", $0) }
  }

  /// Returns the line that reports a refresh without changes.
  func unchanged(at time: String) -> String { "\(time)  nothing changed" }

  private func lines<Row: PrintedRow>(of list: ListSnapshot<Row>) -> [String] {
    list.sections.flatMap { section in
      (section.name.isEmpty ? [] : ["", section.name.visible])
        + section.rows.compactMap { row in row.item.map { line(" ", $0) } }
    }
  }

  private func line(_ mark: String, _ item: WatchedItem) -> String {
    let id = item.id.shown
    guard !item.title.isEmpty else { return "\(mark) \(id)" }
    let space = String(repeating: " ", count: max(0, width - id.count))
    return "\(mark) \(id)\(space)  \(item.title.visible)"
  }

  /// Widens the column for the ids of new rows.
  private mutating func widen(to items: some Sequence<WatchedItem>) {
    width = min(Self.widestColumn, items.reduce(width) { max($0, $1.id.shown.count) })
  }
}
