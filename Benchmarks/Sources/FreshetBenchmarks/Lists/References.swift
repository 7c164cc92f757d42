import FreshetLists

/// What rows cost that are references to items, beside the items themselves: what an engine would
/// pay whose rows are references.
func references() -> [Figure] {
  var table = Table(
    "Rows by reference",
    """
    Lists of references that were made once, with the hash of their id, beside lists of the items, \
    and an array of those; milliseconds. Reading is a million rows of 100,000.
    """, ["by reference", "by value", "an array"])
  let count = 100_000
  let items = rows(0..<count)
  let values = ListSnapshot(items)
  let references = ListSnapshot(items.map(RowReference.init))
  var sum = 0
  for (name, stride) in [("`items[i]`, near", 1), ("`items[i]`, anywhere", 7_919)] {
    let (ours, theirs) = medians(
      {
        for index in 0..<1_000_000 {
          sum &+= references.items[index &* stride % count].item.title.utf8.count
        }
      },
      {
        for index in 0..<1_000_000 {
          sum &+= values.items[index &* stride % count].title.utf8.count
        }
      })
    let (array, _) = medians(
      { for index in 0..<1_000_000 { sum &+= items[index &* stride % count].title.utf8.count } }, {}
    )
    table.add(name, rows: count, Array(zip(columns, [ours, theirs, array])))
  }
  let (ours, theirs) = medians(
    { for _ in 0..<10 { for row in references.items { sum &+= row.item.title.utf8.count } } },
    { for _ in 0..<10 { for row in values.items { sum &+= row.title.utf8.count } } })
  let (array, _) = medians(
    { for _ in 0..<10 { for row in items { sum &+= row.title.utf8.count } } }, {})
  table.add("all of `items`", rows: count, Array(zip(columns, [ours, theirs, array])))
  precondition(sum > 0)
  return table.figures + building()
}

private let columns = ["by reference", "by value", "an array"]

/// A row of a list that refers to its item.
private struct RowReference: ListItem {
  /// What tells it from others: the object knows the hash of its item's id.
  struct ID: Hashable {
    let box: Box

    static func == (first: ID, second: ID) -> Bool {
      first.box === second.box || first.box.item.id == second.box.item.id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }
  }

  final class Box: Sendable {
    let item: Row
    let hash: Int

    init(_ item: Row) {
      self.item = item
      hash = item.id.hashValue
    }
  }

  private let box: Box

  init(_ item: Row) { box = Box(item) }

  var item: Row { box.item }
  var title: String { box.item.title }
  var id: ID { ID(box: box) }

  static func == (first: RowReference, second: RowReference) -> Bool {
    first.box === second.box || first.box.item == second.box.item
  }
}

private func building() -> [Figure] {
  var table = Table(
    "Lists of references", "From items to the list or the changes; milliseconds.",
    ["by reference", "by value"])
  for count in [100_000, 1_000_000] {
    let items = rows(0..<count)
    let (ours, theirs) = medians(
      rounds: 5, { _ = ListSnapshot(items.map(RowReference.init)) }, { _ = ListSnapshot(items) })
    table.add("a snapshot", rows: count, [("by reference", ours), ("by value", theirs)])
    let (loading, valued) = medians(
      rounds: 3,
      { _ = ArrangedList(items.map(RowReference.init), arrangement: .sorted(by: \.title)) },
      { _ = ArrangedList(items, arrangement: .sorted(by: \.title)) })
    table.add("load, sorted", rows: count, [("by reference", loading), ("by value", valued)])
  }
  let count = 100_000
  let (old, fresh) = (rows(0..<count), rows(0..<(count + 50)))
  var changed = rows(0..<count)
  for index in stride(from: 3, to: count, by: 100) { changed[index].title += "!" }
  for (name, new) in [("append 50", fresh), ("1 % updated", changed)] {
    let values = (ListSnapshot(old), ListSnapshot(new))
    let boxes = (
      ListSnapshot(old.map(RowReference.init)), ListSnapshot(new.map(RowReference.init))
    )
    let (ours, theirs) = medians(
      { _ = boxes.1.changes(from: boxes.0) }, { _ = values.1.changes(from: values.0) })
    table.add(
      "difference, \(name), all afresh", rows: count,
      [("by reference", ours), ("by value", theirs)])
  }
  return table.figures
}
