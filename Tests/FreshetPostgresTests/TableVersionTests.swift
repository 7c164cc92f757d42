#if Postgres
  @testable import FreshetPostgres
  import Testing

  /// S3: what makes a table another one, though neither its rows nor its columns were written.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct TableVersionTests {
    @Test(arguments: [
      ("grade", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
      ("grade[]", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
      ("named", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
      ("pair", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
      ("pair", "ALTER TYPE pair RENAME ATTRIBUTE x TO y"),
      ("span", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
      ("spans", "ALTER TYPE grade RENAME VALUE 'good' TO 'fine'"),
    ])
    func `S3: what the types of columns are made of is looked at`(
      type: String, change: String
    ) async throws {
      let owner = try await SharedDatabase("(id integer)").owner()
      try await owner.run(
        """
        CREATE TYPE grade AS ENUM ('good', 'bad'); CREATE DOMAIN named AS grade;
        CREATE TYPE pair AS (x integer, grades named[]);
        CREATE TYPE span AS RANGE (SUBTYPE = grade, MULTIRANGE_TYPE_NAME = spans);
        CREATE TABLE graded (id integer PRIMARY KEY, what \(type))
        """)
      let before = try await TableVersion("graded", on: owner)
      #expect(try await TableVersion("graded", on: owner) == before)
      try await owner.run(change)
      #expect(try await TableVersion("graded", on: owner) != before)
    }

    @Test
    func `S3: a role that was revoked and granted again between two checks is noticed`()
      async throws
    {
      let database = try await SharedDatabase()
      let (owner, reader) = (try await database.owner(), try await database.stranger())
      let (role, member) = ("readers_\(database.name)", database.mallory)
      try await owner.run("CREATE ROLE \(role); GRANT \(role) TO \(member)")
      var before = try await TableVersion("quake", on: reader)
      #expect(try await TableVersion("quake", on: reader) == before)
      for change in [
        "REVOKE \(role) FROM \(member); GRANT \(role) TO \(member)",
        "ALTER ROLE \(member) NOINHERIT",
      ] {
        try await owner.run(change)
        let after = try await TableVersion("quake", on: reader)
        #expect(after != before, "\(change)")
        before = after
      }
    }

    @Test
    func `a role that may not see the identity of the server sees when it was started`()
      async throws
    {
      let database = try await SharedDatabase()
      try await database.owner().run(
        "REVOKE EXECUTE ON FUNCTION pg_catalog.pg_control_system() FROM PUBLIC")
      let reader = try await database.stranger()
      await #expect(throws: PostgresError.self) {
        try await reader.run("TABLE pg_control_system()")
      }
      let version = try await TableVersion("quake", on: reader)
      #expect(try await TableVersion("quake", on: reader) == version)
    }
  }
#endif
