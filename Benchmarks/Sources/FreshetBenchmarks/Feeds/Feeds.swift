import Freshet

/// Feeds from the outside: a call until the exact step is there, against what a view model does by
/// hand.
func feeds() async -> [Figure] {
  var table = Table(
    "A feed",
    """
    From a call until the rows and the exact changes are there, without a cache and without what it takes to make \
    the rows. By hand means an array, a set of its ids and the ids' `difference(from:)`.
    """, ["Freshet", "by hand"])
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    let feed = await loaded(count, pages: 7 * repeats)
    await measure(feed, count, pages: true, &table)
    await held(feed, count, &table)
    await measure(await loaded(count) { $0.author }, count, pages: false, &table)
    await chain(count, &table)
  }
  await shown(&table)
  return table.figures + (await reading())
}

/// Rows that waited come all at once.
private func shown(_ table: inout Table) async {
  let count = 100_000
  let feed = await loaded(count) { $0.author }
  var updates = feed.updates.makeAsyncIterator()
  _ = await updates.next()
  var times: [Duration] = []
  for round in 0..<3 {
    feed.holdNew()
    for id in 0..<1_000 { feed.receive(.insert(Row(10_000_000 + round * 1_000 + id))) }
    let start = Measure.computing.now
    feed.showNew()
    _ = await updates.next()
    times.append(Measure.computing.now - start)
  }
  table.add(
    "1,000 rows that waited are shown, in sections", rows: count,
    [("Freshet", times.sorted()[1]), ("by hand", nil)])
}

/// What it takes to read items, beside the rows in which they are.
private func reading() async -> [Figure] {
  let (count, value) = (100_000, await loaded(100_000).value)
  var table = Table("Reading", "A million reads; milliseconds.", ["Freshet", "`rows`"])
  var sum = 0
  let (item, row) = medians(
    { for index in 0..<1_000_000 { sum &+= value.items[index &* 7_919 % count].title.utf8.count } },
    {
      for index in 0..<1_000_000 {
        sum &+= value.rows[index &* 7_919 % count].item?.title.utf8.count ?? 0
      }
    })
  table.add("a row of `items`", rows: count, [("Freshet", item), ("`rows`", row)])
  let (items, rows) = medians(
    { for _ in 0..<10 { for item in value.items { sum &+= item.title.utf8.count } } },
    { for _ in 0..<10 { for row in value.rows { sum &+= row.item?.title.utf8.count ?? 0 } } })
  table.add("all of `items`", rows: count, [("Freshet", items), ("`rows`", rows)])
  precondition(sum > 0)
  return table.figures
}

private let repeats = 20

private func measure(
  _ feed: Feed<Row>, _ count: Int, pages: Bool, _ table: inout Table
) async {
  let rounds = count > 100_000 ? 3 : 7
  var hand = ByHand(count)
  var updates = feed.updates.makeAsyncIterator()
  _ = await updates.next()
  if pages {
    let page = await median(rounds: rounds) {
      for _ in 0..<repeats {
        _ = await feed.loadNext()
        _ = await updates.next()
      }
    }
    var pages = (0..<rounds).map { rows((count + 25 * $0)..<(count + 25 * ($0 + 1))) }[...]
    let (_, theirs) = medians(rounds: rounds, {}, { hand.append(pages.removeFirst()) })
    table.add("a page of 25", rows: count, [("Freshet", page / repeats), ("by hand", theirs)])
  }
  var changed = (1...(rounds * (repeats + 1))).map { round in
    var row = Row(round &* 7_919 % count)
    row.title = "title \(round)"
    return row
  }
  let event = await median(rounds: rounds) {
    for _ in 0..<repeats {
      feed.receive(.upsert(changed.removeLast()))
      _ = await updates.next()
    }
  }
  let (_, theirs) = medians(rounds: rounds, {}, { hand.upsert(changed.removeLast()) })
  table.add(
    pages ? "an event" : "an event, in sections", rows: count,
    [("Freshet", event / repeats), ("by hand", theirs)])
}

/// Events while deletions are pending and rows wait.
private func held(_ feed: Feed<Row>, _ count: Int, _ table: inout Table) async {
  for id in 0..<500 { feed.receive(.delete(Row(id).id)) }
  feed.holdNew()
  for id in 0..<500 { feed.receive(.insert(Row(10_000_000 + id))) }
  var updates = feed.updates.makeAsyncIterator()
  _ = await updates.next()
  var round = 0
  let event = await median(rounds: 5) {
    for _ in 0..<repeats {
      round += 1
      var row = Row(500 + round &* 7_919 % (count - 500))
      row.title = "held \(round)"
      feed.receive(.upsert(row))
      _ = await updates.next()
    }
  }
  table.add(
    "an event, 500 rows deleted, 500 waiting", rows: count,
    [("Freshet", event / repeats), ("by hand", nil)])
}

/// One change through merge, filter, separators, map and sections.
private func chain(_ count: Int, _ table: inout Table) async {
  let first = await numbered(0..<(count / 2)) { $0 * 2 }
  let second = await numbered(0..<(count / 2)) { $0 * 2 + 1 }
  let list = first.merged(with: second, sortedBy: \.id)
    .filter { $0.id % 10 != 3 }
    .separated { above, below in
      above.map { $0.id / 100 == below.id / 100 } ?? false ? nil : Divider(id: below.id / 100)
    }
    .map { Model($0) }
    .sectioned { "\($0.number / 1_000)" }
  var updates = list.updates.makeAsyncIterator()
  _ = await updates.next()
  var round = 0
  let change = await median {
    for _ in 0..<repeats {
      round += 1
      first.receive(.upsert(Numbered(id: round &* 1_000 % (count / 2 * 2), text: "\(round)")))
      _ = await updates.next()
    }
  }
  table.add(
    "through merge, filter, separators, map, sections", rows: count,
    [("Freshet", change / repeats), ("by hand", nil)])
}

/// What a view model does without a library.
private struct ByHand {
  var rows: [Row]
  var ids: Set<Row.ID>

  init(_ count: Int) {
    rows = (0..<count).map(Row.init)
    ids = Set(rows.map(\.id))
  }

  mutating func append(_ page: [Row]) {
    let before = rows.map(\.id)
    rows += page.filter { ids.insert($0.id).inserted }
    _ = rows.map(\.id).difference(from: before)
  }

  mutating func upsert(_ row: Row) {
    let before = rows.map(\.id)
    if let index = rows.firstIndex(where: { $0.id == row.id }) { rows[index] = row }
    _ = rows.map(\.id).difference(from: before)
  }
}

/// A feed that has shown rows of a list that goes on.
///
/// - Parameter pages: how many of its next pages are made already.
func loaded(
  _ count: Int, cache: FeedCacheChoice<Row>? = nil, pages: Int = 0,
  identity: IdentityMap<Row>? = nil, _ section: (@Sendable (Row) -> String)? = nil
) async -> Feed<Row> {
  let ahead = rows(count..<(count + 25 * pages))
  let feed = Feed<Row>(
    cache: cache, sectionedBy: section, identity: identity,
    configuration: FeedConfiguration(pageSize: 25)
  ) { (request: PageRequest<Int>) in
    let start = request.key ?? 0
    let end = start + (start == 0 ? count : 25)
    let isMade = start >= count && end - count <= ahead.count
    return Page(
      isMade ? Array(ahead[(start - count)..<(end - count)]) : rows(start..<end), next: end)
  }
  await feed.refresh()
  return feed
}

private struct Numbered: ListItem {
  let id: Int
  var text = ""
}

private struct Divider: ListItem {
  let id: Int
}

private struct Model: ListItem {
  let id: SeparatedRow<Numbered, Divider>.ID
  let number: Int
  let text: String

  init(_ row: SeparatedRow<Numbered, Divider>) {
    id = row.id
    switch row {
    case .item(let item): (number, text) = (item.id, item.text)
    case .separator(let divider, _): (number, text) = (divider.id * 100, "from \(divider.id)")
    }
  }
}

private func numbered(
  _ numbers: Range<Int>, _ id: @escaping @Sendable (Int) -> Int
) async -> Feed<Numbered> {
  let feed = Feed<Numbered> { (_: PageRequest<Int>) in
    Page(numbers.map { Numbered(id: id($0)) }, next: nil)
  }
  await feed.refresh()
  return feed
}
