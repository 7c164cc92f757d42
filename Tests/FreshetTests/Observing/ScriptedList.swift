import FreshetTesting

@testable import Freshet

/// A live list that shows what a test tells it, at once.
final class ScriptedList: LiveList {
  typealias Item = Post

  let publisher = ListPublisher<Post>()
  private let asked = Locked<[String]>([])

  /// What was asked for since the last look.
  func takeAsked() -> [String] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
  }

  /// Shows rows, a negative id being that of a gap, and says how its edges stand.
  ///
  /// - Parameters:
  ///   - rows: the rows from now on.
  ///   - renamed: the ids that rows get without leaving their place, by those that they had.
  ///   - atTop: whether there is nothing above.
  ///   - atEnd: whether there is nothing behind.
  ///   - pending: the items that are being sent.
  func show(
    _ rows: [ListRow<Post>], renaming renamed: [Int: Int] = [:], atTop: Bool = true,
    atEnd: Bool = false, pending: ItemIDs<Int> = []
  ) {
    show(
      ListSnapshot(rows), renaming: renamed, atTop: atTop, atEnd: atEnd, pending: pending)
  }

  func show(
    _ list: ListSnapshot<ListRow<Post>>, renaming renamed: [Int: Int] = [:], atTop: Bool = true,
    atEnd: Bool = false, pending: ItemIDs<Int> = []
  ) {
    let before = publisher.value.list
    // The changes are those of rows that had their new ids and other contents before.
    let known = ListSnapshot(
      sections: before.sections.map { section in
        let rows = section.rows.map { row in
          row.item.flatMap { renamed[$0.id] }.map { .post($0, -1) } ?? row
        }
        return ListSection(name: section.name, rows: RowTree(rows))
      })
    let update = ListStep(
      before: before, after: list, changes: list.changes(from: known), origin: .network)
    let rows = RowTree(list.items)
    let gaps = rows.enumerated().filter { $0.element.gap != nil }
    var contents = publisher.value.contents
    contents.pendingEdits = pending.keys
    contents.list = list.refs
    contents.places = RowIndex(list)
    (contents.rows, contents.gaps) = (rows.refs, gaps.map(\.offset))
    contents.state.isShowingOldRows = false
    contents.state.refresh = .idle
    contents.state.next = atEnd ? .end : .idle
    contents.state.previous = atTop ? .end : .idle
    contents.state.gaps = Dictionary(
      uniqueKeysWithValues: gaps.compactMap { $0.element.gap.map { ($0.id, .idle) } })
    let value = ListValue<Post>(contents)
    let told = ListUpdate(step: update, value: value, duplicatesDropped: 0)
    publisher.show(value, update.changes.isEmpty ? [] : [told], isNew: true)()
  }

  /// Says that the rows are those of another query than the one asked for, of which nothing is
  /// known.
  func turnOld(refresh: LoadState = .loading) {
    var contents = publisher.value.contents
    contents.state = ListState()
    contents.state.refresh = refresh
    contents.state.isShowingOldRows = true
    publisher.show(ListValue(contents), [], isNew: true)()
  }

  private func note(_ what: String) -> LoadState {
    asked.withLock { $0.append(what) }
    return .idle
  }

  func refresh(_ scope: RefreshScope) async -> LoadState { note("refresh") }
  func loadNext() async -> LoadState { note("more") }
  func loadPrevious() async -> LoadState { note("previous") }
  func load(_ gap: Gap, from side: Gap.Side) async -> LoadState { note("gap \(gap.id)") }
  func retry() async -> LoadState { note("retry") }
  func willDisplay(_ item: Post) { _ = note("display \(item.id)") }
  func pause() { _ = note("pause") }
  func resume() { _ = note("resume") }
}

extension ListRow<Post> {
  static func post(_ id: Int, _ version: Int = 0) -> Self { .item(Post(id: id, version: version)) }
  static func gap(_ id: Int) -> Self { .gap(Gap(id: id)) }
}

/// What a view of a list shows, and every rule that an update broke.
struct ListView<Item: ListItem> {
  let observer: ListObserver<Item>
  private var checker: BatchUpdateChecker<ListRow<Item>>
  private(set) var value: ListValue<Item>

  init(_ publisher: ListPublisher<Item>) {
    observer = ListObserver(publisher)
    value = observer.first
    checker = BatchUpdateChecker(value.list)
  }

  /// Performs what is new.
  ///
  /// - Returns: what is wrong with it, in words.
  mutating func advance() -> [String] {
    var found: [String] = []
    while let update = observer.next() {
      let fewest = update.after.changes(from: update.before)
      // Where a row stays that has another id now, others may move around it.
      let isRenamed = fewest.insertedRows.count > update.changes.insertedRows.count
      if !isRenamed, update.changes.movedRows.count > fewest.movedRows.count {
        found.append("too many moves")
      }
      if update.changes.isEmpty { found.append("an update without changes") }
      if update.value.list != update.after { found.append("another value than the list after") }
      found += checker.violations(performing: update.step)
      value = update.value
    }
    guard let newest = observer.newest else { return found + ["something waits"] }
    if newest.list != checker.shown { found.append("the value is not what updates led to") }
    value = newest
    return found + misplaced(in: newest)
  }

  /// Items that are not found where they are shown.
  private func misplaced(in value: ListValue<Item>) -> [String] {
    var found: [String] = []
    for (section, content) in value.list.sections.enumerated() {
      for (row, content) in content.rows.enumerated() {
        guard let id = content.item?.id else { continue }
        if value.path(of: id) != RowPath(section: section, row: row) {
          found.append("\(id) is not found where it is shown")
        }
      }
    }
    return found
  }

  /// The rows, section after section.
  var rows: [ListRow<Item>] { Array(checker.shown.items) }
}
