import Freshet

/// Says a list for people: whole at first, then what changed.
struct TablePrinter {
  private var isFirst = true
  /// The lines of the list that were said before it was whole, and how wide its ids are.
  private var begun: (lines: [String], width: Int)?
  /// Rows with longer ids are not aligned, rather than all others far to the right.
  private static let widestColumn = 40

  /// The lines of the first rows, before the others are known.
  mutating func begin(_ list: ListSnapshot<WatchedItem>) -> [String] {
    let width = Self.width(of: list)
    let lines = Self.lines(of: list, width: width)
    begun = (lines, width)
    return lines
  }

  /// The lines that say an update; rows that were `pushedOut` by others are counted only.
  mutating func lines(
    for list: ListUpdate<WatchedItem>, at time: String, pushedOut: Set<RowID> = []
  ) -> [String] {
    let width = Self.width(of: list.after)
    func line(_ mark: String, _ item: WatchedItem) -> String { Self.line(mark, item, width) }
    let summary =
      list.after.isEmpty
      ? "\(time)  the list is empty"
      : "\(time)  \(list.after.count) \(list.after.count == 1 ? "row" : "rows") from the \(list.origin.rawValue)"
    if isFirst {
      isFirst = false
      defer { begun = nil }
      let lines = Self.lines(of: list.after, width: begun?.width ?? width)
      let said = begun?.lines ?? []
      return (lines.starts(with: said) ? Array(lines[said.count...]) : lines)
        + (list.after.isEmpty ? [] : [""]) + [summary]
    }
    let changes = list.changes
    let gone =
      changes.deletedSections.flatMap { list.before.sections[$0].rows }
      + changes.deletedRows.map { list.before[$0] }
    let beyond = gone.count { pushedOut.contains($0.id) }
    var lines = [beyond == 0 ? summary : "\(summary), \(beyond) more no longer kept"]
    lines += gone.filter { !pushedOut.contains($0.id) }.map { line("-", $0) }
    lines += changes.insertedSections.flatMap { list.after.sections[$0].rows }.map { line("+", $0) }
    lines += changes.insertedRows.map { line("+", list.after[$0]) }
    lines += changes.movedRows.map { line("↕", list.after[$0.to]) }
    lines += changes.updatedRows.map { line("~", list.after[$0]) }
    return lines
  }

  /// The line that says that a refresh brought nothing.
  func unchanged(at time: String) -> String { "\(time)  nothing changed" }

  private static func lines(of list: ListSnapshot<WatchedItem>, width: Int) -> [String] {
    list.sections.flatMap { section in
      (section.name.isEmpty ? [] : ["", section.name.visible])
        + section.rows.map { line(" ", $0, width) }
    }
  }

  private static func line(_ mark: String, _ item: WatchedItem, _ width: Int) -> String {
    let id = item.id.shown
    guard !item.title.isEmpty else { return "\(mark) \(id)" }
    let space = String(repeating: " ", count: max(0, width - id.count))
    return "\(mark) \(id)\(space)  \(item.title.visible)"
  }

  private static func width(of list: ListSnapshot<WatchedItem>) -> Int {
    min(widestColumn, list.items.reduce(4) { max($0, $1.id.shown.count) })
  }
}
