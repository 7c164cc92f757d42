#if Postgres
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// A source that counts how often its feed reads windows.
  private struct CountingSource: WindowedFeedSource {
    final class Count: Sendable {
      let reads = Locked(0)
    }

    let source: PostgresFeedSource<Sample>
    let count = Count()

    func page(_ request: PageRequest<KeysetKey>) async throws -> Page<Sample, KeysetKey> {
      try await source.page(request)
    }

    func pages(
      in windows: [PageWindow<KeysetKey>]
    ) async throws -> [[Page<Sample, KeysetKey>]] {
      count.reads.withLock { $0 += 1 }
      return try await source.pages(in: windows)
    }
  }

  /// Several feeds of one source, for which one statement compares each commit.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct SharedWindowTests {
    typealias Source = PostgresFeedSource<Sample>

    private static func source(of count: Int) async throws -> (PostgresConnection, Source) {
      let (database, store) = try await PostgresFeedSourceTests.table("number", of: count)
      let owner = try await database.owner()
      try await owner.run("CREATE UNIQUE INDEX ON quake (number)")
      try await PostgresStore<Sample>(
        database.server.database(database.name), table: "quake", key: "number"
      ).install()
      return (owner, Source(store, sortedBy: [.ascending("number")]))
    }

    @Test func `W4: a commit is read again only by the feeds whose parts it concerns`()
      async throws
    {
      let (owner, source) = try await Self.source(of: 1_000)
      var (feeds, counts) = ([Feed<Sample>](), [CountingSource.Count]())
      for number in 0..<10 {
        let counting = CountingSource(source: source)
        counts.append(counting.count)
        feeds.append(
          Feed(
            counting, startingAt: try await source.key(ofRowAt: number * 100),
            configuration: FeedConfiguration(pageSize: 50, prefetchDistance: 0)))
      }
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      let following = feeds.map { feed in
        Task { [events = source.changes()] in try await feed.follow(events) }
      }
      func write(_ note: Int, in feed: Int) async throws {
        try await owner.run("UPDATE quake SET note = \(note) WHERE number = \(feed * 100 + 5)")
        #expect(await eventually { feeds[feed].value.items.contains { $0.note == note } })
      }
      // The first events have been received by all feeds once each shows a write.
      for feed in feeds.indices { try await write(1, in: feed) }
      let before = counts.map { $0.reads.withLock(\.self) }
      for note in 2...5 { try await write(note, in: 7) }
      // This is the event after those.
      try await write(6, in: 0)
      let reads = zip(counts, before).map { $0.reads.withLock(\.self) - $1 }
      #expect((4...8).contains(reads[7]), "\(reads)")
      #expect((1...2).contains(reads[0]), "\(reads)")
      #expect(reads.indices.allSatisfy { $0 == 0 || $0 == 7 || reads[$0] == 0 }, "\(reads)")
      for task in following { task.cancel() }
    }

    @Test func `W4: a feed that follows later than others shows what it missed`() async throws {
      let (owner, source) = try await Self.source(of: 100)
      let feeds = (0..<2).map { _ in Feed(source) }
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      let first = Task { [events = source.changes()] in try await feeds[0].follow(events) }
      try await owner.run("UPDATE quake SET note = 1 WHERE number = 5")
      #expect(await eventually { feeds[0].value.items.contains { $0.note == 1 } })
      #expect(!feeds[1].value.items.contains { $0.note == 1 })
      let second = Task { [events = source.changes()] in try await feeds[1].follow(events) }
      #expect(await eventually { feeds[1].value.items.contains { $0.note == 1 } })
      // One ends to follow, then both, then one begins again.
      first.cancel()
      try await owner.run("UPDATE quake SET note = 2 WHERE number = 5")
      #expect(await eventually { feeds[1].value.items.contains { $0.note == 2 } })
      second.cancel()
      _ = await (first.result, second.result)
      try await owner.run("UPDATE quake SET note = 3 WHERE number = 5")
      let third = Task { [events = source.changes()] in try await feeds[0].follow(events) }
      #expect(await eventually { feeds[0].value.items.contains { $0.note == 3 } })
      try await owner.run("UPDATE quake SET note = 4 WHERE number = 5")
      #expect(await eventually { feeds[0].value.items.contains { $0.note == 4 } })
      third.cancel()
    }

    // MARK: - Answers

    private static func window(_ number: Int, _ digest: String) -> PageWindow<KeysetKey> {
      func key(_ number: Int) -> KeysetKey {
        KeysetKey(order: 1, values: ["\(number)"], isUpward: false, isInclusive: true)
      }
      return PageWindow(start: key(number), end: key(number + 1), validator: digest)
    }

    @Test func `W4: parts with the same rows, such as none, have different validators`() {
      var answers = WindowAnswers()
      let (one, other) = (Self.window(1, "none"), Self.window(2, "none"))
      let validators = [answers.add(one), answers.add(other)]
      #expect(validators[0] != validators[1])
      #expect(answers.add(one) == validators[0])
      #expect(answers.check([one, other], ["none", "some"]) == [validators[0]])
      #expect(answers.windows == [one])
      // The answer is as before, for a feed that did not notice the change.
      #expect(answers.add(other) != validators[1])
      var later = WindowAnswers()
      #expect(later.add(one) != validators[0])
    }

    @Test func `W4: a part that no feed asked for in twenty checks is forgotten`() {
      var answers = WindowAnswers()
      let window = Self.window(1, "rows")
      var shown = window
      shown.validator = answers.add(window)
      #expect(WindowAnswers.digested(shown) == window)
      for _ in 0..<20 { #expect(!answers.check([window], ["rows"]).isEmpty) }
      #expect(answers.check([window], ["rows"]).isEmpty)
      #expect(answers.windows.isEmpty)
      // The feed asks, and its rows are the same.
      answers.keep(shown)
      #expect(answers.check([window], ["rows"]) == [shown.validator])
      // Another feed had asked before, and has another validator for the same rows.
      var other = WindowAnswers()
      let validators = [other.add(window), shown.validator]
      other.keep(shown)
      #expect(other.check([window], ["rows"]) == Set(validators.compactMap(\.self)))
      for number in 2...2_000 { _ = answers.add(Self.window(number, "rows")) }
      #expect((500...1_000).contains(answers.windows.count))
    }
  }
#endif
