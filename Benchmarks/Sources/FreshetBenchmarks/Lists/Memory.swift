import FreshetLists

/// What a list costs beside its items.
func memory() -> [Figure] {
  print("\n## Memory\n")
  print("Bytes a row, of a row with four texts. The list holds its snapshot and the one before a")
  print("hundred changes.\n")
  print("| rows | an array of them | sorted list and two snapshots | ratio |")
  print("|---:|---:|---:|---:|")
  for count in [10_000, 100_000, 1_000_000] {
    let start = allocatedBytes()
    let items = rows(0..<count)
    let array = allocatedBytes() - start
    var list = SortedList(items, arrangement: .sorted(by: \.title))
    let before = list.snapshot
    for number in 0..<100 {
      var row = items[number * 97 % count]
      row.title = "title \(number)"
      list.change(upserting: [row])
    }
    let whole = allocatedBytes() - start
    let shares = Double(whole) / Double(array)
    print(
      "| \(count) | \(array / count) | \(whole / count) | \((shares * 100).rounded() / 100)x |")
    withExtendedLifetime((items, list, before)) {}
  }
  return []
}
