#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting

  /// Many stores of one table, to which everything happens that a network, an administrator or
  /// another role can do.
  struct Attack {
    /// Something that happens, and is undone or not.
    enum Step: CaseIterable {
      case write, writeInBulk, truncate, writeByStore, changeKeys
      case notifyNonsense, createFunctions, replaceFunction
      case cut, forget, freeze, terminate, stop, promote
      case addColumn, changeType, disableTrigger, dropTrigger, rename, hideRows, revoke
    }

    private(set) var server: PostgresServer
    private(set) var random: SeededGenerator
    private let proxy: FaultyProxy
    private let stores: [PostgresStore<Quake>]
    private let results: [LiveResults<Quake, PostgresRequest>]
    /// What they ask for, as conditions.
    private let conditions: [String]
    private var number = 0

    init(stores count: Int, seed: Int) async throws {
      let server = try await PostgresServer(settings: ["max_connections=300"])
      let proxy = try FaultyProxy(to: server)
      (self.server, self.proxy, random) = (server, proxy, SeededGenerator(seed: seed))
      let owner = try await server.connection()
      try await owner.run(
        """
        CREATE TABLE quake \(QuakeTable.columns); CREATE ROLE app LOGIN; CREATE ROLE mallory LOGIN;
        CREATE ROLE guest LOGIN; GRANT ALL ON quake TO app; GRANT CREATE ON SCHEMA public TO mallory
        """)
      try await PostgresStore<Quake>(server.database(), table: "quake").install()
      stores = (0..<count).map { _ in
        PostgresStore(
          "host=\(proxy.folder) user=app dbname=postgres", table: "quake",
          checkingEvery: .milliseconds(300))
      }
      results = stores.map {
        LiveResults(store: $0, arrangement: .sorted(by: \.id), window: .zero)
      }
      conditions = (0..<count).map { ["true", "magnitude < 500", "place IS NULL"][$0 % 3] }
      try await write(50)
      for (results, condition) in zip(results, conditions) {
        // Where the machine is busy, a connection may come too late.
        _ = await eventually(within: .seconds(120)) {
          await results.fetch(PostgresRequest(stringLiteral: condition)) == .loaded
        }
      }
    }

    func end() { proxy.stop() }

    // MARK: - What has to hold

    /// The results that do not show what `SELECT` gives, or say that something is wrong.
    private func wrong() async throws -> [String] {
      let owner = try await connection()
      var expected: [String: [String]] = [:]
      for condition in Set(conditions) {
        expected[condition] = try await owner.run(
          """
          SELECT concat_ws(' ', id, magnitude::numeric, place) FROM quake WHERE \(condition)
          ORDER BY id
          """
        ).compactMap { $0[0] }
      }
      return zip(results, conditions).compactMap { results, condition in
        let value = results.value
        let shown = value.items.map {
          (["\($0.id)", "\(Int($0.magnitude))"] + ($0.place.map { [$0] } ?? []))
            .joined(separator: " ")
        }
        let isRight =
          value.fetchStatus?.interruption == nil && value.fetchStatus?.state == .loaded
          && shown == expected[condition]
        guard !isRight else { return nil }
        return "\(value.list.count) of \(expected[condition]?.count ?? 0) rows, "
          + "\(value.state), \(value.fetchStatus?.interruption.map { "\($0)" } ?? "-")"
      }
    }

    /// Waits until all results are right.
    ///
    /// - Returns: what some are that do not become right.
    func whatStaysWrong() async throws -> String {
      var wrong: [String] = []
      _ = try await eventually(within: .seconds(180)) {
        wrong = try await self.wrong()
        // Each look is a process of the server's, beside those of the stores.
        if !wrong.isEmpty { try await Task.sleep(for: .milliseconds(200)) }
        return wrong.isEmpty
      }
      return wrong.isEmpty
        ? "" : "\(wrong.count) are wrong: " + wrong.prefix(3).joined(separator: "; ")
    }

    /// Whether all results come to say that they may be out of date.
    private func becomesInterrupted() async -> Bool {
      await eventually(within: .seconds(180)) {
        results.allSatisfy { $0.fetchStatus.interruption != nil }
      }
    }

    // MARK: - Steps

    /// Lets something happen while rows are written.
    ///
    /// - Returns: whether all results said so, where they have to.
    mutating func perform(_ step: Step) async throws -> Bool {
      switch step {
      case .write: try await write(5)
      case .writeInBulk: try await write(2_000)
      case .truncate:
        try await run("TRUNCATE quake")
        try await write(20)
      case .writeByStore:
        // Whether an answer came back or not, it happened or did not.
        try? await stores.randomElement(using: &random)?.write(
          inserting: [quake()], deleting: ["us1"])
      case .changeKeys:
        try await run(
          "UPDATE quake SET id = id || 'x' WHERE magnitude < 100 AND id NOT LIKE '%xxx'")
      case .notifyNonsense:
        let payloads = ["[\"a\\u0000b\"]", "[\"us1\"]", "[]", "[1]", "*", "no keys", "[\"é\"]"]
        for _ in 0..<20 {
          try await run(
            "SELECT pg_notify('freshet_' || 'quake'::regclass::oid, $1)", as: "guest",
            [payloads.randomElement(using: &random) ?? ""])
        }
        try await write(3)
      case .createFunctions:
        try await run(
          """
          CREATE OR REPLACE FUNCTION public.quote_ident(name) RETURNS text LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
          CREATE OR REPLACE FUNCTION public.to_jsonb(text) RETURNS jsonb LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
          CREATE OR REPLACE FUNCTION public.row_to_json(quake) RETURNS json LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$
          """, as: "mallory")
        proxy.cut()
        try await write(3)
      case .replaceFunction:
        do {
          try await run(
            """
            CREATE OR REPLACE FUNCTION public.freshet_notify() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RETURN NULL; END $$
            """, as: "mallory")
          return false
        } catch {}
        try await write(3)
      case .cut:
        proxy.cut()
        try await write(5)
      case .forget:
        proxy.forget(after: .random(in: 0..<5_000, using: &random))
        try await write(50)
      case .freeze:
        proxy.fallSilent()
        try await write(5)
        defer { proxy.speak() }
        return await becomesInterrupted()
      case .terminate:
        try await run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")
        try await write(5)
      case .stop:
        try server.stop()
        let isInterrupted = await becomesInterrupted()
        try await server.start()
        try await write(5)
        return isInterrupted
      case .promote: try await promote()
      case .addColumn:
        number += 1
        try await run("ALTER TABLE quake ADD COLUMN c\(number) text DEFAULT 'x'")
        try await write(3)
      case .changeType:
        try await run("ALTER TABLE quake ALTER COLUMN place TYPE text USING place || '!'")
      case .disableTrigger:
        return try await interrupting(
          "ALTER TABLE quake DISABLE TRIGGER freshet_update",
          "UPDATE quake SET magnitude = magnitude + 1",
          "ALTER TABLE quake ENABLE TRIGGER freshet_update")
      case .dropTrigger:
        return try await interrupting(
          "DROP TRIGGER freshet_delete ON quake", "DELETE FROM quake WHERE magnitude < 50",
          PostgresStore<Quake>.triggers(on: "quake"))
      case .rename:
        return try await interrupting(
          "ALTER TABLE quake RENAME TO away", "DELETE FROM away WHERE magnitude < 20",
          "ALTER TABLE away RENAME TO quake")
      case .hideRows:
        // The owner sees them all: they are there again before anything is compared.
        try await run(
          "ALTER TABLE quake ENABLE ROW LEVEL SECURITY; CREATE POLICY few ON quake USING (id < 'us5')"
        )
        try await write(3)
        try await run("DROP POLICY few ON quake; ALTER TABLE quake DISABLE ROW LEVEL SECURITY")
      case .revoke:
        return try await interrupting(
          "REVOKE ALL ON quake FROM app", "UPDATE quake SET place = 'revoked' WHERE magnitude < 9",
          "GRANT ALL ON quake TO app")
      }
      return true
    }

    private func interrupting(
      _ begin: String, _ meanwhile: String, _ end: String
    ) async throws -> Bool {
      try await run(begin)
      let isInterrupted = await becomesInterrupted()
      try await run(meanwhile)
      try await run(end)
      return isInterrupted
    }

    /// A standby that did not hear of the last changes takes the server's place.
    private mutating func promote() async throws {
      let standby = try await PostgresServer(
        settings: ["max_connections=300", "standby-of=\(server.folder)"])
      try standby.stop()
      try await write(5)
      _ = try await whatStaysWrong()
      try server.stop()
      try await standby.start()
      try await standby.connection().run("SELECT pg_promote()")
      server = standby
      proxy.lead(to: standby)
      try await write(5)
    }

    /// Puts rows that are new or there already.
    private mutating func write(_ count: Int) async throws {
      let quakes = (0..<count).map { _ in quake() }
      let store = PostgresStore<Quake>(server.database(), table: "quake")
      try await store.write(inserting: quakes)
    }

    private mutating func quake() -> Quake {
      Quake(.random(in: 0..<300, using: &random), .random(in: 0..<1_000, using: &random))
    }

    private func run(
      _ sql: String, as role: String = "freshet", _ arguments: [String] = []
    ) async throws {
      try await connection(as: role).run(sql, arguments)
    }

    /// A connection that no proxy is in the way of.
    ///
    /// Where many stores come back at once, one try may not be enough.
    private func connection(as role: String = "freshet") async throws -> PostgresConnection {
      let string = "host=\(server.folder) user=\(role) dbname=postgres"
      for _ in 0..<10 {
        if let connection = try? await PostgresConnection.open(string) { return connection }
      }
      return try await PostgresConnection.open(string)
    }
  }
#endif
