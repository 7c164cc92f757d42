import FreshetLists

/// The difference of any two lists, against the standard library's.
func differences() {
  print("\n## Difference of two lists\n")
  print(
    "Freshly decoded unless said otherwise; medians in milliseconds. By id means what an app does")
  print(
    "with the standard library: the ids' `difference(from:)` with moves inferred, and a pass that")
  print("compares the rows that stayed.\n")
  print("| workload | Freshet | `difference(from:)` by `==` | by id, moves, updates | ratios |")
  print("|---|---:|---:|---:|---:|")
  let count = 100_000
  let before = rows(0..<count)
  for (name, after) in workloads(before) { compare(name, before, after) }
  compare("nothing changed, rows that share storage", before, before)
  own("DifferenceKit's own, ids alone", 5_000, Bare.init, deleted: 1_000, shuffled: 200)
  own("DifferenceKit's own, ids alone", 100_000, Bare.init, deleted: 10_000, shuffled: 2_000)
  own("DifferenceKit's own", 100_000, Row.init, deleted: 10_000, shuffled: 2_000)
  compare(
    "append 50 to 1000000", rows(0..<1_000_000), rows(0..<1_000_050), rounds: 3)
  var random = Random()
  compare(
    "10000 shuffled", rows(0..<10_000), rows((0..<10_000).shuffled(using: &random)), rounds: 1)
  acrossSections()
}

private func workloads(_ before: [Row]) -> [(name: String, after: [Row])] {
  let count = before.count
  var updated = rows(0..<count)
  for index in stride(from: 3, to: count, by: 100) { updated[index].title += "!" }
  var mixed = rows(count..<(count + 50)) + rows((0..<count).filter { $0 % 200 != 7 })
  for index in stride(from: 3, to: mixed.count, by: 200) { mixed[index].title += "!" }
  for index in stride(from: 99, to: mixed.count - 2_000, by: 1_000) {
    mixed.insert(mixed.remove(at: index), at: index + 400)
  }
  return [
    ("nothing changed", rows(0..<count)),
    ("prepend 50", rows(count..<(count + 50)) + rows(0..<count)),
    ("append 50", rows(0..<(count + 50))),
    ("1 % deleted", rows((0..<count).filter { $0 % 100 != 7 })),
    ("1 % updated", updated),
    ("first row to the end", rows(1..<count) + rows(0..<1)),
    ("mixed refresh", mixed),
  ]
}

/// Deletes as many rows as it inserts, and shuffles some: what DifferenceKit is measured by.
private func own<Item: ListItem>(
  _ name: String, _ count: Int, _ item: (Int) -> Item, deleted: Int, shuffled: Int
) {
  var random = Random()
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
  compare("\(name), \(count)", (0..<count).map(item), after.map(item), rounds: 1)
}

private func compare<Item: ListItem>(
  _ name: String, _ before: [Item], _ after: [Item], rounds: Int = 5
) {
  let (old, new) = (ListSnapshot(before), ListSnapshot(after))
  let (ours, plain) = medians(
    rounds: rounds, { _ = new.changes(from: old) },
    // By `==` where it does not take minutes.
    { if rounds > 1 { _ = after.difference(from: before) } })
  let (_, byID) = medians(rounds: min(3, rounds), {}, { _ = changesByID(before, after) })
  let ratios = (rounds > 1 ? ratio(plain, ours) + ", " : "") + ratio(byID, ours)
  print(
    "| \(name) | \(milliseconds(ours)) | \(rounds > 1 ? milliseconds(plain) : "–") "
      + "| \(milliseconds(byID)) | \(ratios) |")
}

/// Rows that came, went, moved or changed, as the standard library finds them.
private func changesByID<Item: ListItem>(_ before: [Item], _ after: [Item]) -> Int {
  let difference = after.map(\.id).difference(from: before.map(\.id)).inferringMoves()
  let old = Dictionary(before.map { ($0.id, $0) }) { $1 }
  var updated = 0
  for item in after { if let other = old[item.id], other != item { updated += 1 } }
  return difference.count + updated
}

private func acrossSections() {
  var random = Random()
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
  let (ours, byID) = medians(
    rounds: 3, { _ = after.changes(from: before) }, { _ = changesByID(flat, flatAfter) })
  print(
    "| 1 % moved across 1000 sections | \(milliseconds(ours)) | – | \(milliseconds(byID)) | \(ratio(byID, ours)) |"
  )
}
