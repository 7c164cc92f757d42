#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  @Suite(
    .timeLimit(.minutes(2 * SeededGenerator.minutes)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresOutageTests {
    private typealias Outage = StoreContract<PostgresStore<Quake>>.Outage

    @Test
    func `S2, S3: a store keeps the contract while others spoil rows and change tables`()
      async throws
    {
      let contract = StoreContract<PostgresStore<Quake>>(
        asking: .all, or: [.init("magnitude < \(3)") { $0.magnitude < 3 }],
        patience: .seconds(20)
      ) { Quake($0, $1) }
      let server = try await PostgresServer()
      let proxy = try FaultyProxy(to: server)
      defer { proxy.stop() }
      try await contract.checkOutages {
        let table = try await QuakeTable(on: server)
        func run(_ sql: String, putting items: [Quake] = []) -> Outage.Step {
          { changes in
            try await table.run(sql)
            for item in items { changes.add(item, as: .insert) }
          }
        }
        let store = PostgresStore<Quake>(
          "host=\(proxy.folder) user=freshet dbname=postgres", table: table.name,
          checkingEvery: .milliseconds(200))
        return (
          store,
          [
            .invalidRow(
              "a row has no number", of: 2,
              begin: run("UPDATE TABLE SET magnitude = NULL WHERE id = 'us2'"),
              end: run("UPDATE TABLE SET magnitude = 0 WHERE id = 'us2'")),
            .interruption(
              "a network takes everything and gives nothing",
              begin: { _ in
                proxy.fallSilent()
              },
              end: { changes in
                try await table.run("INSERT INTO TABLE VALUES ('us30', 30, NULL)")
                proxy.speak()
                changes.add(Quake(30, 30), as: .insert)
              }),
            .interruption(
              "the server is stopped",
              begin: { _ in
                try server.stop()
              },
              end: { changes in
                try await server.start()
                try await table.run("DELETE FROM TABLE WHERE id = 'us3'")
                changes.addDeletion(of: "us3")
              }),
            .interruption(
              "a trigger is off", begin: run("alter table TABLE DISABLE TRIGGER freshet_insert"),
              end: run(
                """
                INSERT INTO TABLE VALUES ('us33', 33, NULL);
                alter table TABLE ENABLE TRIGGER freshet_insert
                """, putting: [Quake(33, 33)])),
            .interruption(
              "a column is gone", begin: run("alter table TABLE RENAME COLUMN magnitude TO m"),
              end: run("alter table TABLE RENAME COLUMN m TO magnitude")),
            .change("a column is added", run("alter table TABLE ADD COLUMN depth int DEFAULT 3")),
            .change(
              "a column changes its type",
              run("alter table TABLE ALTER COLUMN magnitude TYPE numeric")),
            .change(
              "connections are ended",
              { _ in
                try await table.run(
                  """
                  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                  """)
                // The next statement finds out.
                _ = try? await store.items(withIDs: [])
              }),
            .change("the table is written anew", run("CLUSTER TABLE USING TABLE_pkey")),
          ]
        )
      }
    }
  }
#endif
