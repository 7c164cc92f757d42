#if SQLite
  import Foundation
  import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// A search over a table is a family of feeds: one for each text.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteSearchTests {
    typealias Source = SQLiteFeedSource<Sample>

    /// The number of rows that were compared with each text.
    private final class Comparisons: Sendable {
      private let counts = Locked<[String: Int]>([:])

      subscript(text: String) -> Int { counts.withLock { $0[text, default: 0] } }

      func count(_ text: String) { counts.withLock { $0[text, default: 0] += 1 } }
    }

    /// Makes a family over a table whose rows are compared with a text by a function.
    private static func search(
      of count: Int, _ compared: Comparisons = Comparisons()
    ) throws -> (queue: DatabaseQueue, family: FeedFamily<String, Sample>) {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: count, in: queue)
      let matches = DatabaseFunction("matches", argumentCount: 2, pure: true) { values in
        guard let number = Int.fromDatabaseValue(values[0]),
          let text = String.fromDatabaseValue(values[1])
        else { return false }
        compared.count(text)
        // A search that goes on takes minutes.
        if text == "0" { Thread.sleep(forTimeInterval: 0.002) }
        return "\(number)".hasPrefix(text)
      }
      queue.writeWithoutTransaction { $0.add(function: matches) }
      let configuration = FeedConfiguration(pageSize: 20, prefetchDistance: 0, maximumRows: 100)
      return (
        queue,
        FeedFamily(configuration: configuration) { (text: String) in
          Source(queue, sortedBy: [.ascending("a")]) {
            text.isEmpty ? $0 : $0.filter { _ in matches(Column("number"), text) }
          }
        }
      )
    }

    @Test func `R3: the next keystroke stops the search for the text before it`() async throws {
      let compared = Comparisons()
      let count = 100_000
      let (queue, family) = try Self.search(of: count, compared)
      let list = QueryFeed(family, query: "")
      await list.refresh()
      #expect(list.value.items.first?.id == 10)
      // No row begins with it, so all of them are compared.
      list.show("0")
      let begins = await eventually { compared["0"] > 0 }
      #expect(begins)
      list.show("777")
      let isShown = await eventually { list.value.items.first?.id == 7_770 }
      #expect(isShown && !list.value.state.isShowingOldRows)
      #expect(compared["0"] < count)
      let expected = try await queue.read {
        try Int.fetchAll(
          $0, sql: "SELECT number FROM sample WHERE number LIKE '777%' ORDER BY a LIMIT 20")
      }
      #expect(list.value.items.map(\.id) == expected)
    }

    @Test func `the results of a search follow the table, and a search before it is kept`()
      async throws
    {
      let (queue, family) = try Self.search(of: 1_000)
      let list = QueryFeed(family, query: "12")
      await list.refresh()
      #expect(list.value.items.map(\.id) == [120] + stride(from: 1_200, to: 1_300, by: 10))
      let all = Source(queue, sortedBy: [])
      let following = Task { [changes = all.changes()] in
        for await _ in changes { family.invalidate() }
      }
      try await queue.write {
        try $0.execute(sql: "DELETE FROM sample WHERE number = 1210")
      }
      #expect(await eventually { !list.value.items.contains { $0.id == 1_210 } })
      list.show("121")
      #expect(await eventually { list.value.items.isEmpty && !list.value.state.isShowingOldRows })
      list.show("12")
      #expect(await eventually { list.value.items.count == 10 })
      following.cancel()
    }
  }
#endif
