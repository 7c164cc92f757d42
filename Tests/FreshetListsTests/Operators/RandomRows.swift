import FreshetLists
import FreshetTesting

/// A list that changes at random, step by step, and knows exactly how.
struct RandomRows {
  private(set) var rows: [Row] = []
  private let firstID: Int
  private let ids: Int

  /// Rows take their ids from a range of so many numbers.
  init(ids: Int, from firstID: Int = 0) {
    self.firstID = firstID
    self.ids = ids
  }

  /// Deletes, moves, updates and inserts some rows; an update may give a row another id.
  mutating func step(_ random: inout SeededGenerator) -> RowEdits {
    var edits = RowEdits()
    let share = Int.random(in: 2...12, using: &random)
    var staying: [(row: Row, isUpdated: Bool)] = []
    var free = Set(firstID..<(firstID + ids)).subtracting(rows.map(\.id))
    var moved: [Row] = []
    for (index, row) in rows.enumerated() {
      let changed = Row(id: row.id, version: Int.random(in: 0..<8, using: &random))
      if random.oneIn(share) {
        edits.deleted.append(index)
        if random.oneIn(2) {
          moved.append(random.oneIn(2) ? row : changed)
        } else {
          free.insert(row.id)
        }
      } else if random.oneIn(share) {
        if random.oneIn(3), let id = free.sorted().randomElement(using: &random) {
          free.remove(id)
          free.insert(row.id)
          staying.append((Row(id: id, version: changed.version), true))
        } else {
          staying.append((changed, changed != row))
        }
      } else {
        staying.append((row, false))
      }
    }
    let new = free.sorted().shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
    var coming = moved + new.map { Row(id: $0, version: Int.random(in: 0..<8, using: &random)) }
    coming.shuffle(using: &random)
    var kinds = staying.map { (row: $0.row, kind: $0.isUpdated ? 1 : 0) }
    var place = 0
    for row in coming {
      // Side by side as often as apart.
      place =
        random.oneIn(2) ? min(place + 1, kinds.count) : .random(in: 0...kinds.count, using: &random)
      kinds.insert((row, 2), at: place)
    }
    edits.updated = kinds.indices.filter { kinds[$0].kind == 1 }
    edits.inserted = kinds.indices.filter { kinds[$0].kind == 2 }
    rows = kinds.map(\.row)
    return edits
  }
}

extension RowEdits {
  /// What is wrong with these edits between two lists, in words; empty for nothing.
  func violations<Item: ListItem>(
    from before: RowTree<Item>, to after: RowTree<Item>
  ) -> [String] {
    var found: [String] = []
    for (name, list, count) in [
      ("deleted", deleted, before.count), ("inserted", inserted, after.count),
      ("updated", updated, after.count),
    ] {
      if list != Set(list).sorted() { found.append("\(name): out of order or twice") }
      if list.contains(where: { !(0..<count).contains($0) }) {
        found.append("\(name): no such row")
      }
    }
    if before.count - deleted.count + inserted.count != after.count {
      found.append("the counts do not add up")
    }
    guard found.isEmpty else { return found }
    let (old, new) = (ListSnapshot(before), ListSnapshot(after))
    let stays = !before.isEmpty && !after.isEmpty
    let sections = SectionRowEdits(before: 0, after: 0, rows: self)
    let changes = ListChanges(from: old, to: new, edits: stays ? [sections] : [])
    var checker = BatchUpdateChecker(old)
    found += checker.violations(
      performing: ListStep(before: old, after: new, changes: changes, origin: .edit))
    let fewest = new.changes(from: old)
    // Where a row stays that has another id now, others may move around it.
    let isRenamed = updated.contains { before[placeBefore($0)].id != after[$0].id }
    if !isRenamed, changes.movedRows.count > fewest.movedRows.count {
      found.append("\(changes.movedRows.count) moves where \(fewest.movedRows.count) do")
    }
    return found
  }
}
