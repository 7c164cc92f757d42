import Foundation
import Freshet

/// The marks of what happened to rows a moment ago.
struct RowMarks {
  enum Mark: String {
    case new = "+"
    case moved = "↕"
    case changed = "~"
    case gone = "-"
    /// An edit of the row is not sent; the only mark that stays.
    case unsent = "↑"

    var colour: CellStyle.Colour {
      switch self {
      case .new: .green
      case .moved: .cyan
      case .changed: .yellow
      case .gone: .red
      case .unsent: .magenta
      }
    }
  }

  /// A removed row, shown above the row that followed it; `above` is `nil` if it was the last.
  struct Gone {
    let item: WatchedItem
    let above: WatchScreen.Row.ID?
    let until: Date
  }

  /// How long a mark is shown, in seconds.
  static let duration: TimeInterval = 3
  /// The most changes of an update whose rows are marked.
  ///
  /// A reader could not follow more changes at once. The marks of several updates are limited too.
  static let limit = 500

  private var marks: [WatchScreen.Row.ID: (mark: Mark, until: Date)] = [:]
  private(set) var gone: [Gone] = []
  /// The rows with edits that are not sent.
  var unsent: Set<RowID> = []

  subscript(id: WatchScreen.Row.ID) -> Mark? {
    if let mark = marks[id]?.mark { return mark }
    if case .item(let id) = id, unsent.contains(id) { return .unsent }
    return nil
  }

  /// Removes the marks that have expired by a date.
  mutating func forget(before date: Date) {
    if marks.values.contains(where: { $0.until <= date }) {
      marks = marks.filter { $0.value.until > date }
    }
    gone.removeAll { $0.until <= date }
  }

  /// Removes the marks of what happened.
  mutating func forgetAll() { (marks, gone) = ([:], []) }

  /// Marks the rows that were inserted into the source's list.
  ///
  /// Rows after the last one were loaded, and are not marked as new. The list on display may be a
  /// step older; the marks appear together with the rows.
  mutating func noteNews(_ update: ListStep<WatchScreen.Row>, at date: Date) {
    let inserted = update.insertedPaths
    guard isOfFew(update, inserted.count + update.deletedPaths.count) else { return }
    mark(Self.news(inserted, in: update.after), .new, in: update.after, at: date)
    forgetGoneThatCameBack()
  }

  /// Marks what an update did to rows on display.
  ///
  /// A row that a filter removed is still in the source's list, and is not marked as removed.
  mutating func note(
    _ update: ListStep<WatchScreen.Row>, at date: Date, in list: ScreenList
  ) {
    let deleted = update.deletedPaths
    guard isOfFew(update, update.insertedPaths.count + deleted.count) else { return }
    mark(update.changes.updatedRows, .changed, in: update.after, at: date)
    mark(update.changes.movedRows.map(\.to), .moved, in: update.after, at: date)
    noteGone(deleted, in: update.before, at: date) { !list.has($0.id) }
  }

  /// Returns whether an update has few enough changes for a reader to see each of them.
  ///
  /// It is false for an update of an empty list.
  ///
  /// - Parameter count: how many rows it inserts and deletes.
  private func isOfFew(_ update: ListStep<WatchScreen.Row>, _ count: Int) -> Bool {
    let others = update.changes.movedRows.count + update.changes.updatedRows.count
    return !update.before.isEmpty && count + others <= Self.limit
  }

  private mutating func mark(
    _ paths: some Collection<RowPath>, _ mark: Mark, in list: ListSnapshot<WatchScreen.Row>,
    at date: Date
  ) {
    if marks.count + paths.count > 4 * Self.limit { marks = [:] }
    let until = date.addingTimeInterval(Self.duration)
    for path in paths {
      if case .item(let item) = list[path] { marks[.item(item.id)] = (mark, until) }
    }
  }

  /// Returns the inserted rows, without those after all other rows.
  private static func news(
    _ inserted: [RowPath], in list: ListSnapshot<WatchScreen.Row>
  ) -> ArraySlice<RowPath> {
    var news = inserted[...]
    var section = list.sections.count - 1
    while section >= 0 {
      for row in (0..<list.sections[section].count).reversed() {
        let path = RowPath(section: section, row: row)
        if news.last == path {
          news.removeLast()
        } else if list[path].gap == nil {
          return news
        }
      }
      section -= 1
    }
    return news
  }

  private mutating func noteGone(
    _ deleted: [RowPath], in list: ListSnapshot<WatchScreen.Row>, at date: Date,
    where isGone: (WatchedItem) -> Bool
  ) {
    let paths = Set(deleted)
    for path in deleted {
      guard case .item(let item) = list[path], isGone(item) else { continue }
      marks[.item(item.id)] = nil
      var next: RowPath? = path
      while let at = next, paths.contains(at) { next = list.path(after: at) }
      let until = date.addingTimeInterval(Self.duration)
      gone.append(Gone(item: item, above: next.map { list[$0].id }, until: until))
    }
    forgetGoneThatCameBack()
    gone.removeFirst(max(0, gone.count - Self.limit))
  }

  private mutating func forgetGoneThatCameBack() {
    gone.removeAll { marks[.item($0.item.id)] != nil }
  }
}

extension ListStep<WatchScreen.Row> {
  /// The paths of the inserted rows, including those of inserted sections.
  fileprivate var insertedPaths: [RowPath] {
    (changes.insertedRows + after.paths(in: changes.insertedSections)).sorted()
  }

  /// The paths of the deleted rows, including those of deleted sections.
  fileprivate var deletedPaths: [RowPath] {
    (changes.deletedRows + before.paths(in: changes.deletedSections)).sorted()
  }
}

extension ListSnapshot {
  /// Returns the paths of all rows in these sections.
  fileprivate func paths(in sections: some Sequence<Int>) -> [RowPath] {
    sections.flatMap { section in
      self.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
  }

  /// Returns the path of the next row; `nil` after the last one.
  fileprivate func path(after path: RowPath) -> RowPath? {
    if path.row + 1 < sections[path.section].count {
      return RowPath(section: path.section, row: path.row + 1)
    }
    return sections.indices.dropFirst(path.section + 1).first { sections[$0].count > 0 }
      .map { RowPath(section: $0, row: 0) }
  }
}
