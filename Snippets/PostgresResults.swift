// Live results of a table of PostgreSQL, shared by many processes.

#if Postgres
  import Foundation
  import Freshet
  import FreshetPostgres

  struct Quake: ListItem, Codable {
    let id: String
    var magnitude: Double
    var place: String
    var time: Date
  }

  func run(pattern: String, quake: Quake) async throws {
    // snippet.show
    let store = PostgresStore(
      "postgres://app@db.example.com/quakes?sslmode=verify-full", table: "quakes", of: Quake.self)
    try await store.install()  // once, as the table's owner: triggers that tell of changes

    let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
    await results.fetch("magnitude >= \(5) AND place ILIKE \(pattern)")
    try await store.write(inserting: [quake])

    for await value in results.values {
      print(value.list.count, value.fetchStatus?.progress?.fraction ?? 1)
      if let error = value.fetchStatus?.interruption { print("may be out of date: \(error)") }
    }
    // snippet.hide
  }

  @MainActor
  func page(_ store: PostgresStore<Quake>, firstOfMay: Date) async throws {
    // snippet.pages
    let source = PostgresFeedSource(
      store, sortedBy: [.descending("time")], where: "magnitude >= \(5)")
    let quakes = FeedController(source, configuration: FeedConfiguration(maximumRows: 500))
    await quakes.refresh()
    // snippet.hide
    // snippet.following
    try await quakes.follow(source.changes())
    // snippet.hide
    // snippet.jumps
    let middle = try await source.key(ofRowAt: source.estimatedCount() / 2)
    let may = try await source.key(at: [firstOfMay])
    let older = FeedController(source, startingAt: may ?? middle)
    await older.refresh()
    await older.loadPrevious()
    // snippet.hide
    // snippet.rows
    if let may = try await source.key(at: [firstOfMay]) {
      try await quakes.load(rowAt: source.rowsAbove(may))
    }
    // snippet.hide
    // snippet.sections
    let changes = source.changes()
    var counts = try await source.sectionCounts(by: "to_char(time, 'YYYY-MM')")
    for try await _ in changes {
      counts = try await source.sectionCounts(by: "to_char(time, 'YYYY-MM')")
      print(counts["2026-05", default: 0])  // also of rows that are not loaded
    }
    // snippet.hide
    // snippet.values
    let largest: Double? = try await source.value(of: "max(magnitude)")
    let strongest: [String: Double] = try await source.sectionValues(
      of: "max(magnitude)", by: "to_char(time, 'YYYY-MM')", uniquingKeysWith: max)
    // snippet.hide
    print(largest ?? 0, strongest)
  }

  let order: [SortColumn] =
    // snippet.order
    [.ascending("place", nulls: .first, collation: "und-x-icu"), .descending("time")]
// snippet.hide
#endif
