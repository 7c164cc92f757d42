import Foundation
import Freshet

/// What survives a relaunch: a feed in files, against one file of JSON.
func caches() async throws -> [Figure] {
  var table = Table(
    "On disk",
    """
    A page is saved until it is on disk; the first screen is read by an app that was just launched. The \
    baseline writes and reads all rows as one file of JSON.
    """, ["Freshet", "one file of JSON"])
  for count in [1_000, 10_000, 100_000] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    let directory = CacheDirectory(folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let choice = FeedCacheChoice<Row>.file("rows", in: directory)
    let feed = await loaded(count, cache: choice)
    await feed.flush()
    let saved = await median(rounds: 5, .waiting) {
      for _ in 0..<10 {
        _ = await feed.loadNext()
        await feed.flush()
      }
    }
    let file = folder.appending(path: "rows.json")
    var all = rows(0..<count)
    let rounds = count > 10_000 ? 3 : 5
    let wrote = try await median(rounds: rounds, .waiting) {
      all += rows(all.count..<(all.count + 25))
      try JSONEncoder().encode(all).write(to: file, options: .atomic)
    }
    table.add(
      "a page of 25 is saved", rows: count, [("Freshet", saved / 10), ("one file of JSON", wrote)])
    let screen = await median(rounds: 9, .waiting) {
      let feed = Feed<Row>(cache: choice) { (_: PageRequest<Int>) in Page([], next: nil) }
      feed.loadCacheSynchronously()
      precondition(feed.value.items.count >= 25)
    }
    let decoded = try await median(rounds: rounds, .waiting) {
      _ = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
    }
    table.add(
      "the first screen", rows: count, [("Freshet", screen), ("one file of JSON", decoded)])
  }
  for count in [1_000, 10_000, 100_000, 1_000_000] { try await scrolled(count, &table) }
  return table.figures
}

/// What a launch reads of rows that came in pages of 50, as scrolling brings them.
private func scrolled(_ count: Int, _ table: inout Table) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  let choice = FeedCacheChoice<Row>.file("rows", in: CacheDirectory(folder))
  do {
    let feed = Feed<Row>(cache: choice, configuration: FeedConfiguration(pageSize: 50)) {
      (request: PageRequest<Int>) in
      let start = request.key ?? 0
      return Page(rows(start..<(start + 50)), next: start + 50)
    }
    for _ in 0..<(count / 50) { _ = await feed.loadNext() }
    await feed.flush()
  }
  let file = folder.appending(path: "rows.json")
  try JSONEncoder().encode(rows(0..<count)).write(to: file, options: .atomic)
  let rounds = count > 10_000 ? 3 : 9
  let screen = await median(rounds: 9, .waiting) {
    let feed = Feed<Row>(cache: choice) { (_: PageRequest<Int>) in Page([], next: nil) }
    feed.loadCacheSynchronously()
    precondition(feed.value.items.count >= 50)
  }
  var (all, decoded) = ([Duration](), [Duration]())
  // They take turns, so that neither has the quieter machine.
  for _ in 0..<rounds {
    all.append(
      await median(rounds: 1, .waiting) {
        let feed = Feed<Row>(cache: choice) { (_: PageRequest<Int>) in Page([], next: nil) }
        await feed.loadCache()
        precondition(feed.value.items.count == count)
      })
    decoded.append(
      try await median(rounds: 1, .waiting) {
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
        precondition(rows.count == count)
      })
  }
  let (ours, theirs) = (all.sorted()[rounds / 2], decoded.sorted()[rounds / 2])
  table.add(
    "the first screen, after scrolling", rows: count,
    [("Freshet", screen), ("one file of JSON", theirs)])
  table.add(
    "all rows, after scrolling", rows: count, [("Freshet", ours), ("one file of JSON", theirs)])
}
