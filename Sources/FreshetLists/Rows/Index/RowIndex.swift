/// The position index of a list, which finds the row with an id.
///
/// A row is found by the hash of its id and by its order. An order is a number that stays the same
/// while rows around it are inserted and removed. The index is persistent: it shares unchanged
/// parts with its copies, so that each snapshot is published with its own index.
///
/// - Complexity: O(1) to copy; about 40 bytes a row.
package struct RowIndex: Sendable {
  typealias Entry = HashTrie.Entry
  typealias Section = NumberedSections.Section

  /// The entries of all rows, by their hashes.
  private(set) var entries = HashTrie()
  /// The number of rows.
  private(set) var count = 0
  private var numbered = NumberedSections()

  /// Creates the index of a list without rows.
  package init() {}

  /// Creates the index of a list.
  ///
  /// - Complexity: O(*n*).
  package init<Row>(_ list: ListSnapshot<Row>) {
    self.init(list.refs.sections.map { OrderedTree(rows: $0.rows) })
  }

  /// Creates the index of the rows of each section.
  init(_ sections: [OrderedTree<RowRef>]) {
    numbered = NumberedSections(sections)
    indexAll()
  }

  /// The sections, top to bottom.
  var sections: CountedTree<Section> { numbered.all }

  /// Indexes all rows from scratch.
  mutating func indexAll() {
    count = sections.reduce(0) { $0 + $1.rows.count }
    var all: [Entry] = []
    all.reserveCapacity(count)
    for section in sections { all += Self.entries(of: section) }
    entries = HashTrie(all)
  }

  // MARK: - Looking

  /// Returns the path of the row with an id in a list, or `nil` if there is none.
  ///
  /// - Parameter list: the list that is indexed, or its first rows.
  /// - Complexity: O(log *n*).
  package func path<Row: ListItem>(of id: Row.ID, in list: ListSnapshot<Row>) -> RowPath? {
    path(of: Row._key(of: id), in: list.refs)
  }

  /// Returns the path in a list of the row that has the id of another row, or of a key.
  func path(of row: RowRef, in list: SnapshotRefs) -> RowPath? {
    guard let path = path(of: row), path.section < list.sections.count,
      path.row < list.sections[path.section].rows.count
    else { return nil }
    return path
  }

  /// Returns the path of the row that has the id of another row or key, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  func path(of row: RowRef) -> RowPath? {
    for entry in entries.near(row.hash) where entry.hash == row.hash {
      let section = numbered.index(of: entry.section)
      let rows = sections[section].rows
      let index = rows.index(of: entry.order)
      if rows.rows[index].hasID(of: row) { return RowPath(section: section, row: index) }
    }
    return nil
  }

  /// The row at a path.
  subscript(path: RowPath) -> RowRef { sections[path.section].rows.rows[path.row] }

  /// Returns the index of the section with a number.
  ///
  /// - Complexity: O(log sections).
  func index(ofSection number: Int32) -> Int { numbered.index(of: number) }

  // MARK: - Following a list

  /// Applies the changes of the list.
  ///
  /// - Complexity: O(*k* log *n*) for *k* named rows and sections; the cost of a new index if a
  ///   quarter of the rows are named.
  package mutating func apply<Row>(
    _ changes: ListChanges, from before: ListSnapshot<Row>, to after: ListSnapshot<Row>
  ) {
    apply(
      changes, from: before.refs.sections, to: after.refs.sections, rows: before.count + after.count
    )
  }

  private mutating func apply(
    _ changes: ListChanges, from before: CountedTree<SectionRefs>,
    to after: CountedTree<SectionRefs>, rows: Int
  ) {
    let left = changes.deletedRows + changes.movedRows.map(\.from)
    let arrived = changes.insertedRows + changes.movedRows.map(\.to)
    let moved = movedSections(changes, from: before, to: after)
    var (gone, came) = (left.count, arrived.count)
    for section in changes.deletedSections {
      gone += moved.gone[section] ?? before[section].rows.count
    }
    for section in changes.insertedSections {
      came += moved.came[section]?.changed ?? after[section].rows.count
    }
    if gone + came > 32 + rows / 8 {
      return self = RowIndex(after.map { OrderedTree(rows: $0.rows) })
    }
    Self.forEachSection(of: left) { remove($1, from: $0) }
    let kept = moved.came.mapValues { sections[$0.section] }
    for section in changes.deletedSections.reversed() {
      removeSection(at: section, keepingRows: moved.gone[section] != nil)
    }
    for section in changes.insertedSections {
      if let kept = kept[section] {
        numbered.insert(kept, at: section)
        count += kept.rows.count
      } else {
        insertSection(OrderedTree(rows: after[section].rows), at: section)
      }
    }
    for (section, came) in moved.came {
      for part in came.replaced.reversed() { replace(part, in: section) }
    }
    Self.forEachSection(of: arrived) { section, rows in
      for run in rows.runs {
        insert(Array(after[section].rows.slice(run)), at: run.lowerBound, into: section)
      }
    }
    Self.forEachSection(of: changes.updatedRows) { update($1, of: $0, to: after[$0].rows) }
  }

  /// Calls `body` with each section and its rows, ascending.
  private static func forEachSection(
    of paths: [RowPath], _ body: (_ section: Int, [Int]) -> Void
  ) {
    if paths.isEmpty { return }
    let paths = paths.count == 1 ? paths : paths.sorted()
    var start = 0
    for end in 1...paths.count
    where end == paths.count || paths[end].section != paths[start].section {
      body(paths[start].section, paths[start..<end].map(\.row))
      start = end
    }
  }

  private mutating func replace(_ replaced: ReplacedRows, in index: Int) {
    if !replaced.rows.isEmpty { remove(Array(replaced.rows), from: index) }
    if !replaced.new.isEmpty {
      insert(Array(replaced.new), at: replaced.rows.lowerBound, into: index)
    }
  }
}

// Sections.
extension RowIndex {
  /// Inserts a section.
  mutating func insertSection(_ rows: OrderedTree<RowRef>, at index: Int) {
    let section = numbered.insert(rows, at: index)
    count += rows.count
    for entry in Self.entries(of: section) { entries.insert(entry) }
  }

  /// Removes a section; if its rows are kept, the section must be inserted again.
  mutating func removeSection(at index: Int, keepingRows: Bool = false) {
    let section = numbered.remove(at: index)
    count -= section.rows.count
    if keepingRows { return }
    numbered.release(section.number)
    for entry in Self.entries(of: section) { entries.remove(entry) }
  }

  private static func entries(of section: Section) -> [Entry] {
    if section.rows.count == 0 { return [] }
    return zip(section.rows.rows, section.rows.orders).map {
      Entry(hash: $0.hash, section: section.number, order: $1)
    }
  }
}

// Rows.
extension RowIndex {
  /// Removes the rows at ascending indices of a section.
  mutating func remove(_ removed: [Int], from index: Int) {
    let section = sections[index]
    for row in removed { entries.remove(entry(of: row, in: section)) }
    numbered.change(at: index) { $0.removeRows(removed) }
    count -= removed.count
  }

  /// Inserts rows into a section.
  ///
  /// - Returns: the new orders of other rows, if there was no room.
  @discardableResult
  mutating func insert(_ inserted: [RowRef], at row: Int, into index: Int) -> Renumbering? {
    let renumbering = numbered.change(at: index) { $0.insert(inserted, at: row) }
    let section = sections[index]
    if let renumbering { renumber(section, renumbering) }
    var orders = TreeCursor(section.rows.orders)
    for place in inserted.indices {
      let index = orders.seek(row + place)
      entries.insert(
        Entry(hash: inserted[place].hash, section: section.number, order: orders.leaf[index]))
    }
    count += inserted.count
    return renumbering
  }

  /// Updates the entries of a section's rows that were renumbered.
  private mutating func renumber(_ section: Section, _ renumbering: Renumbering) {
    let rows = renumbering.pairs.map { old, new in
      (hash: section.rows.rows[section.rows.index(of: new)].hash, old: old, new: new)
    }
    for row in rows {
      entries.remove(Entry(hash: row.hash, section: section.number, order: row.old))
    }
    for row in rows {
      entries.insert(Entry(hash: row.hash, section: section.number, order: row.new))
    }
  }

  /// Replaces a row; the new row may have another id.
  mutating func update(_ path: RowPath, to row: RowRef) {
    let old = entry(of: path.row, in: sections[path.section])
    numbered.change(at: path.section) { $0.update(row, atIndex: path.row) }
    if old.hash == row.hash { return }
    entries.remove(old)
    entries.insert(Entry(hash: row.hash, section: old.section, order: old.order))
  }

  /// Replaces rows at some indices of a section.
  ///
  /// - Parameter new: all rows of the section, which the index shares from now on.
  private mutating func update(_ updated: [Int], of index: Int, to new: CountedTree<RowRef>) {
    let old = sections[index]
    numbered.change(at: index) { $0.rows = new }
    for row in updated where old.rows.rows[row].hash != new[row].hash {
      let entry = entry(of: row, in: old)
      entries.remove(entry)
      entries.insert(Entry(hash: new[row].hash, section: entry.section, order: entry.order))
    }
  }

  private func entry(of row: Int, in section: Section) -> Entry {
    Entry(
      hash: section.rows.rows[row].hash, section: section.number, order: section.rows.orders[row])
  }

  /// Replaces the rows of a section by those that a batch left there.
  ///
  /// Call `update(removing:inserting:)` or `indexAll()` afterwards.
  mutating func setRows(_ rows: OrderedTree<RowRef>, ofSection index: Int) {
    count += rows.count - sections[index].rows.count
    numbered.change(at: index) { $0 = rows }
  }

  /// Removes and inserts entries of rows.
  mutating func update(removing removed: [Entry], inserting inserted: [Entry]) {
    for entry in removed { entries.remove(entry) }
    for entry in inserted { entries.insert(entry) }
  }
}
