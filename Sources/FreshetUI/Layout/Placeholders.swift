internal import Freshet
internal import FreshetLists

/// The placeholders of a list: blocks of rows for those that are not loaded, between its rows.
///
/// Paths in the list know nothing of placeholders. Rows of the list below a block have other paths
/// on screen, within their section.
struct Placeholders: Sendable {
  /// The largest number of placeholders in one block.
  static var limit: Int { 1_000_000 }

  /// A block of placeholders.
  struct Block: Sendable {
    let place: PlaceholderRow.Place
    /// The path in the list of the row below the block, or the end of a section.
    var path: RowPath
    let count: Int
    /// The number of rows that are not loaded, for which there may be fewer placeholders.
    let rows: Int
    /// The number of placeholders above the block, in its section and in the whole list.
    fileprivate(set) var (aboveInSection, above) = (0, 0)

    init(_ place: PlaceholderRow.Place, at path: RowPath, count rows: Int) {
      (self.place, self.path, self.rows) = (place, path, rows)
      count = min(rows, Placeholders.limit)
    }

    /// The first row of the block in its section.
    var start: Int { path.row + aboveInSection }
  }

  /// The blocks, in their order.
  private(set) var blocks: [Block] = []

  var isEmpty: Bool { blocks.isEmpty }

  /// Returns how many rows above a path have no placeholder, because their block is too long.
  ///
  /// Those of the rows above the list are the first ones, and those of a gap its last ones.
  func rowsCut(above path: RowPath) -> Int {
    blocks.reduce(0) { sum, block in
      let (section, end) = (block.path.section, block.start + block.count)
      let isAbove = section < path.section || section == path.section && end <= path.row
      return isAbove || block.place == .above ? sum + block.rows - block.count : sum
    }
  }

  /// Without placeholders.
  init() {}

  /// The placeholders for all rows that are not loaded, as far as their numbers are known.
  ///
  /// A gap is a row already: it has placeholders for all its rows but one.
  ///
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  init<Item: ListItem>(_ value: ListValue<Item>) {
    let state = value.state
    guard let last = value.list.sections.indices.last else { return }
    func add(_ place: PlaceholderRow.Place, at path: RowPath, _ count: Int?) {
      guard let count, count > 0 else { return }
      blocks.append(Block(place, at: path, count: count))
    }
    add(.above, at: RowPath(section: 0, row: 0), state.count(of: .above))
    let gaps = state.gapSizes.compactMap { id, size in
      value.path(ofGap: id).map { (id: id, path: $0, count: size.count - 1) }
    }
    for gap in gaps.sorted(by: { $0.path < $1.path }) {
      add(.gap(gap.id), at: RowPath(section: gap.path.section, row: gap.path.row + 1), gap.count)
    }
    let end = RowPath(section: last, row: value.list.sections[last].count)
    add(.below, at: end, state.rowsBelow?.count)
    count()
  }

  /// Places blocks at given paths.
  init(_ blocks: [Block]) {
    self.blocks = blocks
    count()
  }

  private mutating func count() {
    var (section, inSection, above) = (-1, 0, 0)
    for index in blocks.indices {
      if blocks[index].path.section != section {
        (section, inSection) = (blocks[index].path.section, 0)
      }
      (blocks[index].aboveInSection, blocks[index].above) = (inSection, above)
      inSection += blocks[index].count
      above += blocks[index].count
    }
  }

  /// Returns whether a place has placeholders.
  func contains(_ place: PlaceholderRow.Place) -> Bool { blocks.contains { $0.place == place } }

  // MARK: - Paths

  /// The number of placeholders in the sections above one.
  func count(above section: Int) -> Int {
    count(before: blocks.partition { $0.path.section >= section })
  }

  /// The number of placeholders in a section.
  func count(in section: Int) -> Int { count(above: section + 1) - count(above: section) }

  private func count(before index: Int) -> Int {
    index == 0 ? 0 : blocks[index - 1].above + blocks[index - 1].count
  }

  /// Returns the path of a row of the list among the placeholders.
  func path(ofListRow path: RowPath) -> RowPath {
    if blocks.isEmpty { return path }
    let above = count(before: blocks.partition { $0.path > path }) - count(above: path.section)
    return RowPath(section: path.section, row: path.row + above)
  }

  /// A row among the placeholders.
  enum Row {
    /// A row of the list, by its path there.
    case list(RowPath)
    /// A placeholder: its block, and its index in the block.
    case placeholder(Block, Int)
  }

  /// Returns what is at a path among the placeholders.
  func row(at path: RowPath) -> Row {
    let next = blocks.partition {
      $0.path.section > path.section || $0.path.section == path.section && $0.start > path.row
    }
    guard next > 0, case let block = blocks[next - 1], block.path.section == path.section else {
      return .list(path)
    }
    let index = path.row - block.start
    if index < block.count { return .placeholder(block, index) }
    return .list(RowPath(section: path.section, row: path.row - block.aboveInSection - block.count))
  }

  // MARK: - Changes

  /// Returns the placeholders of the list without one of its rows.
  func removing(_ row: RowPath) -> Placeholders {
    Placeholders(
      blocks.map { block in
        var block = block
        if block.path.section == row.section, block.path.row > row.row { block.path.row -= 1 }
        return block
      })
  }

  /// Returns the placeholders of the list with one more row.
  ///
  /// Beside a block, the row is below it, unless the block ends the list.
  func inserting(_ row: RowPath) -> Placeholders {
    Placeholders(
      blocks.map { block in
        var block = block
        let isAbove = block.path.row > row.row || block.path.row == row.row && block.place == .below
        if block.path.section == row.section, isAbove { block.path.row += 1 }
        return block
      })
  }

  /// The last placeholders of a block.
  struct Part {
    let block: Block
    let rows: Range<Int>

    init?(_ block: Block, from start: Int) {
      if start >= block.count { return nil }
      (self.block, rows) = (block, start..<block.count)
    }

    var paths: [RowPath] {
      rows.map { RowPath(section: block.path.section, row: block.start + $0) }
    }
  }

  /// Returns the placeholders that are removed and inserted beside changes of a list.
  ///
  /// Those of sections that are removed or inserted are not among them. A block that grows or
  /// shrinks does so at its end.
  func parts(
    changedBy list: ListChanges, since old: Placeholders
  ) -> (deleted: [Part], inserted: [Part]) {
    let survivors = SurvivingBlocks(list)
    let now = Dictionary(blocks.map { ($0.place, $0) }) { first, _ in first }
    var kept: Set<PlaceholderRow.Place> = []
    var (deleted, inserted) = ([Part](), [Part]())
    for block in old.blocks {
      if let new = now[block.place], survivors.isSame(block, new) {
        kept.insert(block.place)
        if let part = Part(block, from: new.count) { deleted.append(part) }
        if let part = Part(new, from: block.count) { inserted.append(part) }
      } else if !survivors.deleted.contains(block.path.section), let part = Part(block, from: 0) {
        deleted.append(part)
      }
    }
    for block in blocks
    where !kept.contains(block.place) && !survivors.inserted.contains(block.path.section) {
      if let part = Part(block, from: 0) { inserted.append(part) }
    }
    return (deleted, inserted)
  }

  /// Returns changes of a list as changes among its placeholders, and those of the placeholders.
  func changes(_ list: ListChanges, since old: Placeholders) -> ListChanges {
    if isEmpty, old.isEmpty { return list }
    var all = ListChanges()
    (all.deletedSections, all.insertedSections) = (list.deletedSections, list.insertedSections)
    all.deletedRows = list.deletedRows.map(old.path(ofListRow:))
    all.insertedRows = list.insertedRows.map(path(ofListRow:))
    all.movedRows = list.movedRows.map {
      ListChanges.Move(from: old.path(ofListRow: $0.from), to: path(ofListRow: $0.to))
    }
    all.updatedRows = list.updatedRows.map(path(ofListRow:))
    let parts = parts(changedBy: list, since: old)
    all.deletedRows += parts.deleted.flatMap(\.paths)
    all.insertedRows += parts.inserted.flatMap(\.paths)
    all.deletedRows.sort()
    all.insertedRows.sort()
    return all
  }
}

extension ListState {
  /// Returns the number of rows that are not loaded in a place.
  func count(of place: PlaceholderRow.Place) -> Int? {
    switch place {
    // New rows that are held back are loaded.
    case .above: previous == .end ? nil : rowsAbove.map { $0.count - newItems }
    case .gap(let id): gapSizes[id]?.count
    case .below: rowsBelow?.count
    }
  }
}

/// Decides which blocks of placeholders stay in place through changes of a list.
private struct SurvivingBlocks {
  let deleted: Set<Int>
  let inserted: Set<Int>
  /// The rows that are removed or moved away, and those that are inserted or moved there.
  private let taken: Set<RowPath>
  private let put: Set<RowPath>

  init(_ changes: ListChanges) {
    (deleted, inserted) = (Set(changes.deletedSections), Set(changes.insertedSections))
    taken = Set(changes.deletedRows + changes.movedRows.map(\.from))
    put = Set(changes.insertedRows + changes.movedRows.map(\.to))
  }

  func isSame(_ old: Placeholders.Block, _ new: Placeholders.Block) -> Bool {
    let sections = (old.path.section, new.path.section)
    if deleted.contains(sections.0) || inserted.contains(sections.1) { return false }
    if case .gap = old.place {
      // The gap's own row is above its block.
      return !taken.contains(RowPath(section: sections.0, row: old.path.row - 1))
        && !put.contains(RowPath(section: sections.1, row: new.path.row - 1))
    }
    return sections.0 - deleted.count { $0 < sections.0 }
      == sections.1 - inserted.count { $0 < sections.1 }
  }
}
