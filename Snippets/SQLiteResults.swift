// Live results of a table of SQLite.

#if SQLite
  import Foundation
  import Freshet
  import FreshetSQLite
  import GRDB

  // snippet.show
  struct Quake: ListItem, Codable, FetchableRecord, PersistableRecord {
    let id: String
    var magnitude: Double
    var time: Date
  }

  @MainActor
  func show(_ database: DatabasePool) {
    let store = SQLiteStore(database, Quake.self)
    let results = ResultsController(store: store, arrangement: .sorted(by: \.time, .reverse))
    results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
  }
  // snippet.hide

  @MainActor
  func fetch(_ results: ResultsController<Quake, SQLiteStore<Quake>.Request>) {
    // snippet.requests
    results.performFetch(.all)
    results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
    results.performFetch(.init { $0.order(Column("time").desc).limit(10) })
    results.performFetch(.init { _ in SQLRequest(sql: "SELECT * FROM quake WHERE magnitude >= 5") })
    // snippet.hide
  }

  @MainActor
  func page(_ database: DatabasePool, firstOfMay: Date) async throws {
    // snippet.show
    let source = SQLiteFeedSource(database, Quake.self, sortedBy: [.descending("time")]) {
      $0.filter { _ in Column("magnitude") >= 5 }
    }
    let quakes = FeedController(source, configuration: FeedConfiguration(maximumRows: 500))
    await quakes.refresh()
    // snippet.hide
    // snippet.changes
    try await quakes.follow(source.changes())
    // snippet.hide
    // snippet.jumps
    let middle = try await source.key(ofRowAt: source.count() / 2)
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
    var counts = try await source.sectionCounts(by: "strftime('%Y-%m', time)")
    for await _ in changes {
      counts = try await source.sectionCounts(by: "strftime('%Y-%m', time)")
      print(counts["2026-05", default: 0])  // also of rows that are not loaded
    }
    // snippet.hide
    // snippet.values
    let largest: Double? = try await source.value(of: "max(magnitude)")
    let strongest: [String: Double] = try await source.sectionValues(
      of: "max(magnitude)", by: "strftime('%Y-%m', time)", uniquingKeysWith: max)
    // snippet.hide
    print(largest ?? 0, strongest)
  }

  @MainActor
  func search(_ database: DatabasePool) async {
    // snippet.search
    let found = FeedFamily(configuration: FeedConfiguration(maximumRows: 500)) { (text: String) in
      SQLiteFeedSource(database, Quake.self, sortedBy: [.descending("time")]) {
        text.isEmpty ? $0 : $0.filter { _ in Column("place").like("%\(text)%") }
      }
    }
    let list = QueryController(found, query: "")
    list.show("masohi")  // at each keystroke: a search under way is stopped
    let all = SQLiteFeedSource(database, Quake.self, sortedBy: [])
    for await _ in all.changes() { found.invalidate() }  // follow the table
    // snippet.hide
  }

  let order: [SortColumn] =
    // snippet.order
    [.descending("time"), .ascending("place", nulls: .last, collation: "NOCASE")]
  // snippet.hide

  let file = FileManager.default.temporaryDirectory.appending(path: "freshet/quakes.sqlite")
  // snippet.show
  let example = Quake(id: "us1", magnitude: 6.1, time: .now)
  let store = try SQLiteStore(at: file, like: example)
  // snippet.hide
  try await store.write(inserting: [example])
#endif
