import Foundation
import Freshet

/// Prints a list for people: whole at first, then what changed.
struct TablePrinter {
  private var isFirst = true

  /// The lines that say an update.
  mutating func lines(for list: ListUpdate<WatchedItem>) -> [String] {
    let width = min(24, list.after.items.reduce(4) { max($0, $1.id.count) })
    func line(_ mark: String, _ item: WatchedItem) -> String {
      item.title.isEmpty
        ? "\(mark) \(item.id)"
        : "\(mark) \(item.id.padding(toLength: width, withPad: " ", startingAt: 0))  \(item.title)"
    }
    if isFirst {
      isFirst = false
      return list.after.sections.flatMap { section in
        (section.name.isEmpty ? [] : ["", section.name]) + section.rows.map { line(" ", $0) }
      } + ["", Self.summary(list)]
    }
    let changes = list.changes
    var lines = [Self.summary(list)]
    lines += changes.deletedSections.flatMap { list.before.sections[$0].rows }.map { line("-", $0) }
    lines += changes.deletedRows.map { line("-", list.before[$0]) }
    lines += changes.insertedSections.flatMap { list.after.sections[$0].rows }.map { line("+", $0) }
    lines += changes.insertedRows.map { line("+", list.after[$0]) }
    lines += changes.movedRows.map { line("↕", list.after[$0.to]) }
    lines += changes.updatedRows.map { line("~", list.after[$0]) }
    return lines
  }

  private static func summary(_ list: ListUpdate<WatchedItem>) -> String {
    let time = Date().formatted(date: .omitted, time: .standard)
    return "\(time)  \(list.after.count) rows from the \(list.origin.rawValue)"
  }
}
