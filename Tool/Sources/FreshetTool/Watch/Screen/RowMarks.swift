import Foundation
import Freshet

/// What happened to rows a moment ago.
struct RowMarks {
  enum Mark: String {
    case new = "+"
    case moved = "↕"
    case changed = "~"
    case gone = "-"

    var colour: CellStyle.Colour {
      switch self {
      case .new: .green
      case .moved: .cyan
      case .changed: .yellow
      case .gone: .red
      }
    }
  }

  /// A row that went, shown above the one that followed it; `nil` where it was the last.
  struct Gone {
    let item: WatchedItem
    let above: WatchScreen.Row.ID?
    let until: Date
  }

  /// How long a mark stays.
  static let duration: TimeInterval = 3
  /// Of an update with more changes nobody sees the single ones; neither of as many updates at
  /// once.
  static let limit = 500

  private var marks: [WatchScreen.Row.ID: (mark: Mark, until: Date)] = [:]
  private(set) var gone: [Gone] = []

  subscript(id: WatchScreen.Row.ID) -> Mark? { marks[id]?.mark }

  /// Forgets what happened long enough ago.
  mutating func forget(before date: Date) {
    if marks.values.contains(where: { $0.until <= date }) {
      marks = marks.filter { $0.value.until > date }
    }
    gone.removeAll { $0.until <= date }
  }

  mutating func forgetAll() { self = RowMarks() }

  /// Notes what an update did; rows that came behind the last one were loaded, and are no news.
  ///
  /// What a filter took away is still in the list, and what it brings back was there before.
  mutating func note(
    _ update: ListUpdate<WatchScreen.Row>, at date: Date, in list: ScreenList,
    after before: ScreenList
  ) {
    let changes = update.changes
    let newRows = changes.insertedSections.flatMap { section in
      update.after.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
    let goneRows = changes.deletedSections.flatMap { section in
      update.before.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
    func isNews(_ row: WatchScreen.Row) -> Bool { row.item.map { !before.has($0.id) } ?? true }
    let inserted = (changes.insertedRows + newRows).sorted()
    let deleted = (changes.deletedRows + goneRows).sorted()
    let count = inserted.count + deleted.count + changes.movedRows.count
    guard !update.before.isEmpty, count + changes.updatedRows.count <= Self.limit else { return }
    let until = date.addingTimeInterval(Self.duration)
    func mark(_ paths: some Sequence<RowPath>, _ mark: Mark) {
      for path in paths {
        if case .item(let item) = update.after[path] { marks[.item(item.id)] = (mark, until) }
      }
    }
    if marks.count + count > 4 * Self.limit { marks = [:] }
    mark(Self.news(inserted, in: update.after).filter { isNews(update.after[$0]) }, .new)
    mark(changes.updatedRows, .changed)
    mark(changes.movedRows.map(\.to), .moved)
    noteGone(deleted, in: update.before, until) { !list.has($0.id) }
  }

  /// Rows that came, without those behind all others.
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
    _ deleted: [RowPath], in list: ListSnapshot<WatchScreen.Row>, _ until: Date,
    where isGone: (WatchedItem) -> Bool
  ) {
    let paths = Set(deleted)
    for path in deleted {
      guard case .item(let item) = list[path] else { continue }
      marks[.item(item.id)] = nil
      guard isGone(item) else { continue }
      var next: RowPath? = path
      while let at = next, paths.contains(at) { next = list.path(after: at) }
      gone.append(Gone(item: item, above: next.map { list[$0].id }, until: until))
    }
    // A row that came back is not gone.
    gone.removeAll { marks[.item($0.item.id)] != nil }
    gone.removeFirst(max(0, gone.count - Self.limit))
  }
}

extension ListSnapshot {
  /// The path of the next row; `nil` behind the last one.
  fileprivate func path(after path: RowPath) -> RowPath? {
    if path.row + 1 < sections[path.section].count {
      return RowPath(section: path.section, row: path.row + 1)
    }
    return sections.indices.dropFirst(path.section + 1).first { sections[$0].count > 0 }
      .map { RowPath(section: $0, row: 0) }
  }
}
