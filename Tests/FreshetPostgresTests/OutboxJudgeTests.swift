#if Postgres && canImport(Glibc)
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Glibc
  import Testing

  /// An app that sends mutations to PostgreSQL over a network that is cut at any moment.
  ///
  /// It is killed again and again.
  ///
  /// The database is the judge: it applies each idempotency key once, in one statement with the
  /// change of the row.
  @Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: PostgresServer.isInstalled))
  struct OutboxJudgeTests {
    struct Counter: ListItem, Codable {
      let id: Int
      var number = 0
    }

    /// Sets a counter; the numbers grow in the order in which the mutations were performed.
    struct Count: Mutation {
      var target: Int
      var number: Int
      func edit() -> ItemEdit<Counter> { .update { [number] in $0.number = number } }
    }

    /// The moment of a mutation at which the app is killed.
    enum Moment: String, CaseIterable, Codable {
      case beforeItIsDurable, durable, inFlight, answeredAndNotRecorded, anyTime
    }

    private static let counters = 0..<3

    /// The parameters of the app that is killed.
    struct Round: Codable {
      let folder: URL
      let host: String
      let number: Int
      /// `nil` lets it send everything.
      let moment: Moment?
    }

    @Test
    func `O2, O3: a database applies each mutation once, wherever the app is killed or cut off`()
      async throws
    {
      let server = try await PostgresServer.shared.value
      let judge = try await server.connection()
      try await judge.run("DROP SCHEMA IF EXISTS outbox CASCADE; CREATE SCHEMA outbox")
      try await judge.run(
        """
        CREATE TABLE outbox.counters (id int PRIMARY KEY, number int NOT NULL);
        CREATE TABLE outbox.applied (
          key text PRIMARY KEY, target int, number int, place bigserial);
        CREATE TABLE outbox.attempts (key text);
        INSERT INTO outbox.counters SELECT id, 0 FROM generate_series(0, 2) AS id
        """)
      let proxy = try FaultyProxy(to: server)
      defer { proxy.stop() }
      let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let isOver = Locked(false)
      defer { isOver.withLock { $0 = true } }
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
          usleep(UInt32.random(in: 2_000..<60_000))
          proxy.cut()
        }
      }
      let url = folder.appending(path: "accepted")
      try Data().write(to: url)
      var accepted: Set<String> {
        get throws {
          let text = try String(contentsOf: url, encoding: .utf8)
          return Set(text.split(separator: "\n").map(String.init))
        }
      }
      let rounds = max(10, SeededGenerator.effort)
      var kills: [Moment: Int] = [:]
      for number in 0..<rounds {
        let moment = Moment.allCases[number % Moment.allCases.count]
        let round = Round(
          folder: folder, host: proxy.folder, number: number, moment: moment)
        await #expect(processExitsWith: .signal(SIGKILL)) { [round = round as Round] in
          try await OutboxJudgeTests.run(round)
          // It sent everything before its moment came.
          kill(getpid(), SIGKILL)
        }
        let text = try? String(contentsOf: folder.appending(path: "kill"), encoding: .utf8)
        if text == moment.rawValue { kills[moment, default: 0] += 1 }
        try? FileManager.default.removeItem(at: folder.appending(path: "kill"))
        try await compare(folder, accepted, with: judge)
      }
      let last = Round(folder: folder, host: proxy.folder, number: rounds, moment: nil)
      await #expect(processExitsWith: .success) { [round = last as Round] in
        try await OutboxJudgeTests.run(round)
      }
      let all = try await applied(by: judge)
      #expect(try !accepted.isEmpty && accepted.subtracting(all).isEmpty)
      #expect(Set(all).count == all.count)
      for target in Self.counters {
        let numbers = all.filter { $0.hasPrefix("\(target) ") }.compactMap { Int($0.dropFirst(2)) }
        #expect(numbers == numbers.sorted(), "counter \(target)")
      }
      for moment in Moment.allCases {
        let count = kills[moment] ?? 0
        #expect(count >= rounds / Moment.allCases.count * 9 / 10, "\(kills) in \(rounds) rounds")
      }
      // Some were sent more than once, or the network and the kills show nothing.
      let attempts = try await judge.run(
        "SELECT count(*), count(DISTINCT key) FROM outbox.attempts")
      #expect(attempts[0][0] != attempts[0][1])
    }

    /// Compares what the next launch shows, before it has sent anything, with the database and with
    /// what was accepted.
    private func compare(
      _ folder: URL, _ accepted: Set<String>, with judge: PostgresConnection
    ) async throws {
      let rows = try await judge.run("SELECT id, number FROM outbox.counters ORDER BY id")
      let counters = rows.compactMap { row in
        Counter(id: row[0].flatMap { Int($0) } ?? 0, number: row[1].flatMap { Int($0) } ?? 0)
      }
      let applied = Set(try await applied(by: judge))
      let outbox = Outbox(.file("outbox", in: folder), isPaused: true) {
        Sender(Count.self) { _, _ in }
      }
      let feed = Feed { (_: PageRequest<Int>) in Page(counters, next: nil) }
      outbox.attach(feed)
      await feed.refresh()
      await outbox.loaded()
      let pending = outbox.status.mutations.compactMap { $0.mutation(as: Count.self) }
      let waiting = Set(pending.map { "\($0.target) \($0.number)" })
      #expect(accepted.subtracting(applied).subtracting(waiting).isEmpty, "lost")
      for counter in counters {
        let expected = pending.last { $0.target == counter.id }?.number ?? counter.number
        let isShown = await eventually { feed.value.items[counter.id].number == expected }
        #expect(isShown, "\(counter), \(pending), \(feed.value.items)")
        let last = accepted.filter { $0.hasPrefix("\(counter.id) ") }
          .compactMap { Int($0.dropFirst(2)) }.max()
        #expect(feed.value.items[counter.id].number >= last ?? 0)
      }
      // It closes its file.
      try await outbox.signOut(.keep)
    }

    /// What the database applied, in its order.
    private func applied(by judge: PostgresConnection) async throws -> [String] {
      try await judge.run("SELECT target, number FROM outbox.applied ORDER BY place")
        .map { "\($0[0] ?? "") \($0[1] ?? "")" }
    }

    // MARK: - The app

    /// What the app does until it is killed, or until everything is sent.
    static func run(_ round: Round) async throws {
      var random = SeededGenerator(seed: round.number)
      let accepted = try FileHandle(forWritingTo: round.folder.appending(path: "accepted"))
      try accepted.seekToEnd()
      let fatal = Int.random(in: 0..<10, using: &random)
      if round.moment == .anyTime { die(round, within: 60_000) }
      let attempts = Locked(0)
      let outbox = Outbox(
        .file("outbox", in: round.folder),
        retryPolicy: RetryPolicy(base: .zero, limit: .milliseconds(2))
      ) {
        Sender(Count.self) { count, attempt in
          let isFatal = attempts.next() >= fatal
          do {
            let connection = try await PostgresConnection.open(
              "host=\(round.host) user=freshet dbname=postgres")
            if isFatal, round.moment == .inFlight { die(round, within: 3_000) }
            try await connection.run(
              "INSERT INTO outbox.attempts VALUES ($1)", [attempt.idempotencyKey])
            try await connection.run(
              """
              WITH new AS (
                INSERT INTO outbox.applied (key, target, number) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING RETURNING target, number)
              UPDATE outbox.counters SET number = new.number FROM new WHERE id = new.target
              """, [attempt.idempotencyKey, "\(count.target)", "\(count.number)"])
          } catch {
            throw URLError(.networkConnectionLost)
          }
          if isFatal, round.moment == .answeredAndNotRecorded { die(round) }
        }
      }
      for step in 0..<(round.moment == nil ? 1 : 20) {
        let count = Count(
          target: Int.random(in: counters, using: &random), number: round.number * 100 + step + 1)
        if step == fatal, round.moment == .beforeItIsDurable { die(round, within: 400) }
        try await outbox.perform(count)
        try accepted.write(contentsOf: Data("\(count.target) \(count.number)\n".utf8))
        if step == fatal, round.moment == .durable { die(round) }
      }
      for await status in outbox.statuses where status.mutations.isEmpty { break }
    }

    private static func die(_ round: Round, within microseconds: UInt32) {
      Thread.detachNewThread {
        usleep(UInt32.random(in: 0..<microseconds))
        die(round)
      }
    }

    /// Kills the app, which notes at what moment.
    private static func die(_ round: Round) {
      try? round.moment?.rawValue.write(
        to: round.folder.appending(path: "kill"), atomically: true, encoding: .utf8)
      kill(getpid(), SIGKILL)
    }
  }
#endif
