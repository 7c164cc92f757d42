import Foundation
import FreshetLists
import FreshetTesting

private let columns = ["Freshet", "Heckel", "`difference(from:)` by `==`", "by id, moves, updates"]

/// The difference of any two lists, against Heckel's and the standard library's.
func differences() -> [Figure] {
  var table = Table(
    "Difference of two lists",
    """
    Freshly decoded unless said otherwise; medians in milliseconds. Heckel's algorithm is that of \
    DifferenceKit and IGListKit. By id means the ids' `difference(from:)` with moves inferred, and a pass \
    that compares the rows that stayed. A dash stands where a baseline takes minutes.
    """, columns)
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    compare("append 50", rows(0..<count), rows(0..<(count + 50)), &table)
    compare("mixed refresh", rows(0..<count), mixed(count), plain: count < 100_000, &table)
  }
  let count = 100_000
  let before = rows(0..<count)
  for (name, after) in workloads(before) {
    compare(name, before, after, plain: !name.contains("%"), &table)
  }
  compare("nothing changed, rows that share storage", before, before, &table)
  compare(
    "append 50, whole numbers as ids", numbered(0..<count), numbered(0..<(count + 50)), &table)
  compare("append 50, classes", objects(0..<count), objects(0..<(count + 50)), &table)
  own("DifferenceKit's own, ids alone", 5_000, Bare.init, deleted: 1_000, shuffled: 200, &table)
  own(
    "DifferenceKit's own, ids alone", 100_000, Bare.init, deleted: 10_000, shuffled: 2_000, &table)
  own("DifferenceKit's own", 100_000, Row.init, deleted: 10_000, shuffled: 2_000, &table)
  var random = SeededGenerator(seed: 1)
  for count in [10_000, 100_000] {
    compare(
      "shuffled", rows(0..<count), rows((0..<count).shuffled(using: &random)), plain: false,
      byID: false, &table)
  }
  acrossSections(&table)
  return table.figures
}

/// New rows on top, and some of the others gone, changed and moved.
private func mixed(_ count: Int) -> [Row] {
  var mixed = rows(count..<(count + 50)) + rows((0..<count).filter { $0 % 200 != 7 })
  for index in stride(from: 3, to: mixed.count, by: 200) { mixed[index].title += "!" }
  // Rows change places by hundreds, without a memory move of all behind them.
  for index in stride(from: 99, to: mixed.count - 500, by: 1_000) {
    let row = mixed[index]
    mixed.replaceSubrange(index..<(index + 401), with: mixed[(index + 1)...(index + 400)] + [row])
  }
  return mixed
}

private func workloads(_ before: [Row]) -> [(name: String, after: [Row])] {
  let count = before.count
  var updated = rows(0..<count)
  for index in stride(from: 3, to: count, by: 100) { updated[index].title += "!" }
  return [
    ("nothing changed", rows(0..<count)),
    ("prepend 50", rows(count..<(count + 50)) + rows(0..<count)),
    ("1 % deleted", rows((0..<count).filter { $0 % 100 != 7 })),
    ("1 % updated", updated),
    ("first row to the end", rows(1..<count) + rows(0..<1)),
  ]
}

/// Deletes as many rows as it inserts, and shuffles some: what DifferenceKit is measured by.
private func own<Item: ListItem>(
  _ name: String, _ count: Int, _ item: (Int) -> Item, deleted: Int, shuffled: Int,
  _ table: inout Table
) {
  var random = SeededGenerator(seed: 1)
  // Numbers change places, not rows: both lists are made afresh.
  var after = Array(0..<count)
  for _ in 0..<deleted { after.remove(at: .random(in: 0..<after.count, using: &random)) }
  for number in 0..<deleted {
    after.insert(count + number, at: .random(in: 0...after.count, using: &random))
  }
  for _ in 0..<shuffled {
    after.swapAt(
      .random(in: 0..<after.count, using: &random), .random(in: 0..<after.count, using: &random))
  }
  compare(name, (0..<count).map(item), after.map(item), plain: false, byID: count < 10_000, &table)
}

private func compare<Item: ListItem>(
  _ name: String, _ before: [Item], _ after: [Item], plain: Bool = true, byID: Bool = true,
  _ table: inout Table
) {
  let (old, new) = (ListSnapshot(before), ListSnapshot(after))
  let rounds = before.count > 100_000 ? 3 : 7
  let (ours, heckel) = medians(
    rounds: rounds, { _ = new.changes(from: old) },
    { _ = HeckelDifference(from: before, to: after) })
  let (equal, ids) = medians(
    rounds: 3, { if plain { _ = after.difference(from: before) } },
    { if byID { _ = changesByID(before, after) } })
  let times: [Duration?] = [ours, heckel, plain ? equal : nil, byID ? ids : nil]
  table.add(name, rows: before.count, Array(zip(columns, times)).map { ($0, $1) })
}

/// Rows that came, went, moved or changed, as the standard library finds them.
private func changesByID<Item: ListItem>(_ before: [Item], _ after: [Item]) -> Int {
  let difference = after.map(\.id).difference(from: before.map(\.id)).inferringMoves()
  let old = Dictionary(before.map { ($0.id, $0) }) { $1 }
  var updated = 0
  for item in after { if let other = old[item.id], other != item { updated += 1 } }
  return difference.count + updated
}

private func acrossSections(_ table: inout Table) {
  var random = SeededGenerator(seed: 1)
  var sections = (0..<1_000).map { section in Array((section * 100)..<(section * 100 + 100)) }
  // Each list makes its rows afresh.
  func snapshot() -> ListSnapshot<Row> {
    ListSnapshot(
      sections: sections.enumerated().map { ListSection(name: "\($0)", rows: RowTree(rows($1))) })
  }
  let (before, flat) = (snapshot(), rows(sections.joined()))
  for _ in 0..<1_000 {
    let from = Int.random(in: 0..<1_000, using: &random)
    guard !sections[from].isEmpty else { continue }
    let row = sections[from].remove(at: .random(in: 0..<sections[from].count, using: &random))
    let to = Int.random(in: 0..<1_000, using: &random)
    sections[to].insert(row, at: .random(in: 0...sections[to].count, using: &random))
  }
  let (after, flatAfter) = (snapshot(), rows(sections.joined()))
  let (ours, heckel) = medians(
    rounds: 5, { _ = after.changes(from: before) },
    { _ = HeckelDifference(from: flat, to: flatAfter) })
  table.add(
    "1 % moved across 1000 sections (Heckel's without sections)", rows: 100_000,
    [(columns[0], ours), (columns[1], heckel), (columns[2], nil), (columns[3], nil)])
}

private func numbered(_ numbers: Range<Int>) -> [NumberedRow] { numbers.map(NumberedRow.init) }
private func objects(_ numbers: Range<Int>) -> [ObjectRow] { numbers.map(ObjectRow.init) }
