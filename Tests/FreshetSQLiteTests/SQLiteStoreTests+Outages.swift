#if SQLite
  import Foundation
  import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  extension SQLiteStoreTests {
    private typealias Outage = StoreContract<SQLiteStore<Quake>>.Outage

    @Test(arguments: [true, false])
    func `S2, S3: a store keeps the contract while others spoil rows and change tables`(
      isPool: Bool
    ) async throws {
      let contract = StoreContract<SQLiteStore<Quake>>(
        asking: .all,
        or: [
          .init(.init { $0.filter { _ in Column("magnitude") < 3 } }) { $0.magnitude < 3 },
          .init(.init { $0.filter(sql: "place IN (SELECT 'place 4')") }) { $0.place == "place 4" },
        ], patience: .seconds(20)
      ) { Quake($0, $1) }
      try await contract.checkOutages {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.url.appending(path: "\(UUID()).sqlite").path
        let database: any DatabaseWriter =
          try isPool ? DatabasePool(path: path) : DatabaseQueue(path: path)
        try await database.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
        func run(_ sql: String, putting items: [Quake] = []) -> Outage.Step {
          { changes in
            try await database.write { try $0.execute(sql: sql) }
            for item in items { changes.add(item, as: .insert) }
          }
        }
        let outages: [Outage] = [
          .interruption(
            "a table is gone", begin: run("ALTER TABLE quake RENAME TO away"),
            end: run(
              """
              UPDATE away SET magnitude = 50, place = 'place 50' WHERE id = 'us1';
              ALTER TABLE away RENAME TO quake
              """, putting: [Quake(1, 50)])),
          .interruption(
            "a column is gone", begin: run("ALTER TABLE quake RENAME COLUMN magnitude TO m"),
            end: run(
              """
              INSERT INTO quake (id, m) VALUES ('us30', 30);
              ALTER TABLE quake RENAME COLUMN m TO magnitude
              """, putting: [Quake(30, 30)])),
          .interruption(
            "the file is gone",
            begin: { _ in
              try FileManager.default.moveItem(atPath: path, toPath: "\(path)-away")
            },
            end: { _ in
              try FileManager.default.moveItem(atPath: "\(path)-away", toPath: path)
            }),
          .invalidRow(
            "a row has no number", of: 2,
            begin: run("UPDATE quake SET magnitude = NULL WHERE id = 'us2'"),
            end: run("UPDATE quake SET magnitude = 0 WHERE id = 'us2'")),
          .change("a column is added", run("ALTER TABLE quake ADD COLUMN depth")),
          .change("an index is added", run("CREATE INDEX by_magnitude ON quake (magnitude)")),
          .change(
            "the table is made anew",
            run(
              """
              CREATE TABLE new (place TEXT, id TEXT PRIMARY KEY, magnitude DOUBLE);
              INSERT INTO new SELECT place, id, magnitude FROM quake;
              INSERT INTO new VALUES ('place 40', 'us40', 40);
              DROP TABLE quake; ALTER TABLE new RENAME TO quake
              """, putting: [Quake(40, 40)])),
          .change(
            "another connection writes",
            { changes in
              try await DatabaseQueue(path: path).write {
                try Quake(41, 41).insert($0)
                try $0.execute(sql: "DELETE FROM quake WHERE id = 'us3'")
              }
              changes.addDeletion(of: "us3")
              changes.add(Quake(41, 41), as: .insert)
            }),
          .change(
            "the file is cleaned up",
            { _ in
              try await database.vacuum()
            }),
        ]
        return (
          SQLiteStore(database, Quake.self, checkingEvery: .milliseconds(20)), outages
        )
      }
    }
  }
#endif
