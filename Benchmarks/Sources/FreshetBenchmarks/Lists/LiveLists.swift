import Freshet
import FreshetLists

/// A list that stays sorted, against sorting it anew.
func liveLists() async -> [Figure] {
  var table = Table(
    "A list that stays sorted",
    """
    By changes that move items; snapshot and exact batch included; medians in milliseconds. Sorting anew \
    finds the changes by Heckel's algorithm.
    """, ["Freshet", "sorting anew"])
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    for changes in [1, 100] { change(changes, of: count, &table) }
  }
  // A twenty-fifth, an eighth, all of them.
  for changes in [400, 1_200, 10_000] { change(changes, of: 10_000, &table) }
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    // What it takes to make the rows is none of either's.
    let items = rows(0..<count)
    let (loading, sorting) = medians(
      rounds: 3, { _ = SortedList(items, arrangement: .sorted(by: \.title)) },
      { _ = items.sorted { $0.title < $1.title } })
    table.add("load", rows: count, [("Freshet", loading), ("sorting anew", sorting)])
    if count >= 100_000 {
      let store = MemoryStore(items)
      let engine = await median(rounds: 3) {
        await LiveResults(store: store, arrangement: .sorted(by: \.title)).fetch(.all)
      }
      table.add(
        "load through the engine", rows: count, [("Freshet", engine), ("sorting anew", sorting)])
    }
  }
  let count = 100_000
  var list = SortedList(rows(0..<count), arrangement: .sorted(by: \.title))
  var array = rows(0..<count).sorted { $0.title < $1.title }
  var isByAuthor = false
  let (arranging, resorting) = medians(
    rounds: 4, { list.arrange(.sorted(by: list.snapshot.isByAuthor ? \.title : \.author)) },
    {
      let before = array
      isByAuthor.toggle()
      array.sort { isByAuthor ? ($0.author, $0.id) < ($1.author, $1.id) : $0.title < $1.title }
      _ = HeckelDifference(from: before, to: array)
    })
  table.add("another order", rows: count, [("Freshet", arranging), ("sorting anew", resorting)])
  return table.figures
}

extension ListSnapshot<Row> {
  fileprivate var isByAuthor: Bool {
    items.prefix(200).allSatisfy { $0.author == items.first?.author }
  }
}

private func change(_ changes: Int, of count: Int, _ table: inout Table) {
  var sorted = rows(0..<count).sorted { $0.title < $1.title }
  var list = SortedList(sorted, arrangement: .sorted(by: \.title))
  var round = 0
  func changed() -> [Row] {
    round += 1
    return (0..<changes).map { change in
      var row = sorted[(change * 7919 + round * 104_729) % count]
      row.title = "title \(round) \(change)"
      return row
    }
  }
  let repeats = changes > 100 ? 3 : 50
  let (ours, theirs) = medians(
    rounds: count > 100_000 ? 3 : 7,
    { for _ in 0..<repeats { list.change(upserting: changed()) } },
    {
      let changed = Dictionary(changed().map { ($0.id, $0) }) { $1 }
      let before = sorted
      for index in sorted.indices {
        if let row = changed[sorted[index].id] { sorted[index] = row }
      }
      sorted.sort { $0.title < $1.title }
      _ = HeckelDifference(from: before, to: sorted)
    })
  table.add(
    changes == 1 ? "one change" : "\(changes) changes", rows: count,
    [("Freshet", ours / repeats), ("sorting anew", theirs)])
}
