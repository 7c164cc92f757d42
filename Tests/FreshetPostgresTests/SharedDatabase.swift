#if Postgres
  import Foundation
  @testable import FreshetPostgres

  /// A database of its own: a table of items, and a role that may create in the schema `public`.
  struct SharedDatabase {
    let server: PostgresServer
    let name = "shared_\(UUID().uuidString.prefix(8))".lowercased()
    var mallory: String { "mallory_\(name)" }

    init(_ columns: String = QuakeTable.columns) async throws {
      server = try await PostgresServer.shared.value
      let connection = try await server.connection()
      try await connection.run("CREATE ROLE \(mallory) LOGIN")
      try await connection.run("CREATE DATABASE \(name)")
      try await owner().run(
        "GRANT CREATE ON SCHEMA public TO \(mallory); CREATE TABLE quake \(columns)")
    }

    /// A connection of the database's owner, a superuser.
    func owner() async throws -> PostgresConnection {
      try await PostgresConnection.open(server.database(name))
    }

    /// A connection of the other role.
    func stranger() async throws -> PostgresConnection {
      try await PostgresConnection.open("\(server.database(name)) user=\(mallory)")
    }

    /// A store of the owner's.
    func store() -> PostgresStore<Quake> {
      PostgresStore(server.database(name), table: "quake")
    }
  }
#endif
