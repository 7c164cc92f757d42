import Freshet

/// An item that many lists have changes in one of them.
func sharedItems() async -> [Figure] {
  var table = Table(
    "Shared items",
    """
    50 feeds of 100,000 rows with one identity map: from an event of one of them until all show the change. \
    Recomputing means that each list maps its array and compares it by id and by `==`.
    """, ["Freshet", "recomputing"])
  let (count, map) = (100_000, IdentityMap<Row>())
  var lists: [Feed<Row>] = []
  for _ in 0..<50 { lists.append(await loaded(count, identity: map)) }
  var round = 0
  func change() async -> Duration {
    await median {
      for _ in 0..<20 {
        round += 1
        let index = round &* 7_919 % count
        var row = Row(index)
        row.title = "title \(round)"
        lists[0].receive(.upsert(row))
        for list in lists {
          while list.value.items[index].title != row.title { await Task.yield() }
        }
      }
    } / 20
  }
  table.add(
    "a change that 50 lists show", rows: count,
    [("Freshet", await change()), ("recomputing", recomputing(count) * 50)])
  var others: [Feed<Row>] = []
  for index in 0..<1_000 {
    let feed = Feed<Row>(identity: map) { (_: PageRequest<Int>) in
      Page(rows((count + index * 10)..<(count + index * 10 + 10)), next: nil)
    }
    await feed.refresh()
    others.append(feed)
  }
  table.add(
    "beside 1,000 lists without the item", rows: count,
    [("Freshet", await change()), ("recomputing", nil)])
  withExtendedLifetime(others) {}
  return table.figures
}

/// What one list computes if it looks at all of its rows.
private func recomputing(_ count: Int) -> Duration {
  var shown = rows(0..<count)
  var round = 0
  return medians(
    {
      round += 1
      let id = Row(round).id
      let rows = shown.map { row in
        guard row.id == id else { return row }
        var row = row
        row.title = "title \(round)"
        return row
      }
      _ = rows.map(\.id).difference(from: shown.map(\.id))
      precondition(zip(rows, shown).count { $0 != $1 } == 1)
      shown = rows
    }, {}
  ).first
}
