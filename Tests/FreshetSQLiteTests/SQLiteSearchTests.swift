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

    /// Makes a family of searches for the numbers that begin with a text.
    ///
    /// - Parameter endless: the condition of the search for the text "endless".
    private static func search(
      _ queue: DatabaseQueue, endless: SQL = "FALSE"
    ) -> FeedFamily<String, Sample> {
      let configuration = FeedConfiguration(pageSize: 20, prefetchDistance: 0, maximumRows: 100)
      return FeedFamily(configuration: configuration) { (text: String) in
        Source(queue, sortedBy: [.ascending("a")]) {
          text == "endless"
            ? $0.filter(literal: endless) : $0.filter { _ in Column("number").like("\(text)%") }
        }
      }
    }

    @Test func `R3: the next keystroke stops the search for the text before it`() async throws {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 1_000, in: queue)
      let compared = Locked(0)
      let isFound = DatabaseFunction("isFound", argumentCount: 1) { _ in
        compared.withLock { $0 += 1 }
        return false
      }
      try await queue.writeWithoutTransaction { $0.add(function: isFound) }
      // Only an interrupt ends the statement, and the database has one connection.
      let family = Self.search(
        queue,
        endless: """
          EXISTS (WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n)
            SELECT 1 FROM n WHERE isFound(n))
          """)
      let list = QueryFeed(family, query: "")
      await list.refresh()
      #expect(list.value.items.first?.id == 10)
      list.show("endless")
      let begins = await eventually { compared.withLock(\.self) > 0 }
      #expect(begins && list.value.state.isShowingOldRows)
      list.show("777")
      #expect(await eventually { list.value.items.map(\.id) == [7_770] })
      #expect(!list.value.state.isShowingOldRows)
    }

    @Test func `the results of a search follow the table, and a search before it is kept`()
      async throws
    {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 1_000, in: queue)
      let family = Self.search(queue)
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
