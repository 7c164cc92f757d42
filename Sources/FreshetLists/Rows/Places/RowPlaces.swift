/// Where the rows of a list stand, by their ids: what a snapshot does not know by itself.
///
/// It follows the list by its changes, and shares with its copies what they have in common. So it
/// goes along with each snapshot that is published: who has the snapshot finds its rows, whatever
/// is done to the list meanwhile.
///
/// A row is known by the hash of its id and by its order, a number that stays while rows come and
/// go around it. Ids themselves are not kept: rows know theirs, and who asks compares. So its parts
/// are plain numbers, whatever the rows are.
///
/// - Complexity: O(1) to copy; about 40 bytes a row.
package struct RowPlaces: Sendable {
  private typealias Place = HashedPlaces.Place

  struct Section: Sendable {
    let number: Int
    /// The hashes of its rows' ids, with the orders of the rows.
    fileprivate(set) var hashes: OrderedRows<Int>
  }

  /// How the ids of rows are hashed: in code that knows what rows they are, or in code for any.
  package typealias Hashing<Row> = (RowTree<Row>, Range<Int>) -> [Int]

  /// All rows, by their hashes.
  private var places = HashedPlaces()
  private(set) var sections = RowTree<Section>()
  /// The index of each section, by its number.
  private var indices: [Int: Int] = [:]
  private var lastSection = 0

  /// Creates the places of a list without rows.
  package init() {}

  /// Creates the places of the rows of a list.
  ///
  /// - Complexity: O(*n* log *n*).
  package init<Row: ListItem>(
    _ list: ListSnapshot<Row>, hashing: Hashing<Row> = { $0.hashes(in: $1) }
  ) {
    var all: [Place] = []
    all.reserveCapacity(list.count)
    for section in list.sections {
      all += addSection(of: hashing(section.rows, 0..<section.count), at: sections.count)
    }
    numberSections()
    places = HashedPlaces(all)
  }

  /// Where the row with an id stands; `nil` where there is none.
  ///
  /// - Parameter list: the list whose places these are.
  /// - Complexity: O(log *n*).
  package func path<Row: ListItem>(of id: Row.ID, in list: ListSnapshot<Row>) -> RowPath? {
    path(of: id.hashValue) { list.sections[$0.section].rows[$0.row].id == id }
  }

  private func path(of hash: Int, where isIt: (RowPath) -> Bool) -> RowPath? {
    for place in places.near(hash) where place.hash == hash {
      guard let section = indices[place.section] else { continue }
      let row = sections[section].hashes.index(of: place.order)
      let path = RowPath(section: section, row: row)
      if isIt(path) { return path }
    }
    return nil
  }

  // MARK: - Following the list

  /// Takes in what became of the list.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that are named, and O(sections) where sections come
  ///   or go; that of a new list where a quarter of its rows are named.
  package mutating func apply<Row: ListItem>(
    _ changes: ListChanges, from before: ListSnapshot<Row>, to after: ListSnapshot<Row>,
    hashing: Hashing<Row> = { $0.hashes(in: $1) }
  ) {
    let left = changes.deletedRows + changes.movedRows.map(\.from)
    let arrived = changes.insertedRows + changes.movedRows.map(\.to)
    let passing = passing(changes, from: before, to: after)
    var (gone, came) = (left.count, arrived.count)
    for section in changes.deletedSections {
      gone += passing.gone[section] ?? before.sections[section].count
    }
    for section in changes.insertedSections {
      came += passing.came[section]?.changed ?? after.sections[section].count
    }
    if gone + came > 32 + (before.count + after.count) / 8 {
      return self = RowPlaces(after, hashing: hashing)
    }
    Self.forEachSection(of: left) { remove($1, from: $0) }
    let kept = passing.came.mapValues { sections[$0.section] }
    removeSections(changes.deletedSections, keepingRowsOf: passing.gone)
    for section in changes.insertedSections {
      if let kept = kept[section] {
        sections.insert(kept, at: section)
        continue
      }
      let rows = after.sections[section].rows
      for place in addSection(of: hashing(rows, 0..<rows.count), at: section) {
        places.insert(place)
      }
    }
    if !(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty) { numberSections() }
    for (section, came) in passing.came {
      for part in came.replaced.reversed() { replace(part, in: section) }
    }
    Self.forEachSection(of: arrived) { section, rows in
      for run in rows.runs {
        insert(hashing(after.sections[section].rows, run), at: run.lowerBound, into: section)
      }
    }
    // A row that stays in its place may have another id.
    for path in changes.updatedRows {
      let rows = after.sections[path.section].rows
      rename(path, to: hashing(rows, path.row..<(path.row + 1))[0])
    }
  }

  /// Calls `body` with the rows of each section, ascending.
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

  // MARK: - Sections

  /// Adds a section, and returns what is to be known of its rows.
  private mutating func addSection(of hashes: [Int], at index: Int) -> [Place] {
    lastSection += 1
    let rows = OrderedRows(hashes)
    sections.insert(Section(number: lastSection, hashes: rows), at: index)
    return zip(hashes, rows.orders).map { Place(hash: $0, section: lastSection, order: $1) }
  }

  private mutating func removeSections(_ removed: [Int], keepingRowsOf kept: [Int: Int]) {
    for index in removed.reversed() {
      let section = sections.remove(at: index)
      if kept[index] != nil { continue }
      for (hash, order) in zip(section.hashes.rows, section.hashes.orders) {
        places.remove(Place(hash: hash, section: section.number, order: order))
      }
    }
  }

  private mutating func numberSections() {
    indices = Dictionary(uniqueKeysWithValues: zip(sections.lazy.map(\.number), sections.indices))
  }

  // MARK: - Rows

  private mutating func remove(_ rows: [Int], from index: Int) {
    var section = sections[index]
    for row in rows {
      let (hash, order) = (section.hashes.rows[row], section.hashes.orders[row])
      places.remove(Place(hash: hash, section: section.number, order: order))
    }
    section.hashes.removeRows(rows)
    sections.update(section, at: index)
  }

  private mutating func replace(_ replaced: ReplacedHashes, in index: Int) {
    if !replaced.rows.isEmpty { remove(Array(replaced.rows), from: index) }
    if !replaced.hashes.isEmpty {
      insert(Array(replaced.hashes), at: replaced.rows.lowerBound, into: index)
    }
  }

  private mutating func insert(_ hashes: [Int], at row: Int, into index: Int) {
    var section = sections[index]
    if let renumbering = section.hashes.insert(hashes, at: row) { renumber(section, renumbering) }
    for (offset, hash) in hashes.enumerated() {
      let order = section.hashes.orders[row + offset]
      places.insert(Place(hash: hash, section: section.number, order: order))
    }
    sections.update(section, at: index)
  }

  /// Rows of a section have other orders now.
  private mutating func renumber(_ section: Section, _ renumbering: Renumbering) {
    let rows = renumbering.pairs.map { old, new in
      let hash = section.hashes.rows[section.hashes.index(of: new)]
      return (hash: hash, old: old, new: new)
    }
    for row in rows {
      places.remove(Place(hash: row.hash, section: section.number, order: row.old))
    }
    for row in rows {
      places.insert(Place(hash: row.hash, section: section.number, order: row.new))
    }
  }

  private mutating func rename(_ path: RowPath, to hash: Int) {
    var section = sections[path.section]
    let old = section.hashes.rows[path.row]
    if old == hash { return }
    let order = section.hashes.orders[path.row]
    places.remove(Place(hash: old, section: section.number, order: order))
    places.insert(Place(hash: hash, section: section.number, order: order))
    section.hashes.update(hash, at: order)
    sections.update(section, at: path.section)
  }
}

extension RowTree where Row: ListItem {
  /// The hashes of the ids of rows.
  @inlinable
  package func hashes(in range: Range<Int>) -> [Int] {
    var hashes: [Int] = []
    hashes.reserveCapacity(range.count)
    var cursor = RowCursor(self)
    for index in range {
      let offset = cursor.seek(index)
      hashes.append(cursor.leaf[offset].id.hashValue)
    }
    return hashes
  }
}
