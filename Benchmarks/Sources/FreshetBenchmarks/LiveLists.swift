import FreshetLists

/// A list that stays sorted, against sorting it anew.
func liveLists() {
  print("\n## A list that stays sorted\n")
  print(
    "By one change and by a hundred that move items; snapshot and exact batch included; medians in")
  print("milliseconds. Sorting anew finds the changes by id.\n")
  print("| rows | changes | Freshet | sort and `difference(from:)` | ratio |")
  print("|---:|---:|---:|---:|---:|")
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    for changes in [1, 100] { change(changes, of: count) }
  }
  let count = 100_000
  let (loading, sorting) = medians(
    rounds: 3, { _ = ArrangedList(rows(0..<count), arrangement: .sorted(by: \.title)) },
    { _ = rows(0..<count).sorted { $0.title < $1.title } })
  print(
    "\nInitial load of \(count) rows: \(milliseconds(loading)) ms; decoding and sorting them \(milliseconds(sorting)) ms."
  )
  var list = ArrangedList(rows(0..<count), arrangement: .sorted(by: \.title))
  var array = rows(0..<count)
  let (arranging, resorting) = medians(
    rounds: 4, { list.arrange(.sorted(by: list.snapshot.isByAuthor ? \.title : \.author)) },
    {
      let before = array.map(\.id)
      array.sort { ($0.author, $0.id) < ($1.author, $1.id) }
      _ = Set(array.map(\.id)).subtracting(before)
    })
  print(
    "Another order, with the fewest moves: \(milliseconds(arranging)) ms; sorting alone \(milliseconds(resorting)) ms."
  )
}

extension ListSnapshot<Row> {
  fileprivate var isByAuthor: Bool {
    items.prefix(200).allSatisfy { $0.author == items.first?.author }
  }
}

private func change(_ changes: Int, of count: Int) {
  var sorted = rows(0..<count).sorted { $0.title < $1.title }
  var list = ArrangedList(sorted, arrangement: .sorted(by: \.title))
  var round = 0
  func changed() -> [Row] {
    round += 1
    return (0..<changes).map { change in
      var row = sorted[(change * 7919 + round * 104_729) % count]
      row.title = "title \(round) \(change)"
      return row
    }
  }
  let repeats = 50
  // The standard library's difference of whole rows would take minutes.
  let (ours, theirs) = medians(
    rounds: count > 100_000 ? 3 : 7,
    { for _ in 0..<repeats { list.change(upserting: changed()) } },
    {
      let changed = Dictionary(changed().map { ($0.id, $0) }) { $1 }
      let before = sorted.map(\.id)
      for index in sorted.indices {
        if let row = changed[sorted[index].id] { sorted[index] = row }
      }
      sorted.sort { $0.title < $1.title }
      _ = sorted.map(\.id).difference(from: before)
    })
  let each = ours / repeats
  print(
    "| \(count) | \(changes) | \(milliseconds(each)) | \(milliseconds(theirs)) | \(ratio(theirs, each)) |"
  )
}
