#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  struct Quake: ListItem, Codable {
    var id: String
    var magnitude: Double
    var place: String?

    init(_ number: Int, _ version: Int = 0) {
      id = "us\(number)"
      magnitude = Double(version)
      place = version % 3 == 0 ? nil : "place \(version)"
    }
  }

  /// A table of its own on the server that all tests share.
  struct QuakeTable {
    let server: PostgresServer
    let name = "quake_\(UUID().uuidString.prefix(8))".lowercased()
    static let columns =
      "(id text PRIMARY KEY, magnitude float8 CHECK (magnitude < 1e9), place text)"

    init(on server: PostgresServer? = nil) async throws {
      if let server {
        self.server = server
      } else {
        self.server = try await PostgresServer.shared.value
      }
      try await store().install(creating: "CREATE TABLE \(name) \(Self.columns)")
    }

    func store(clock: any Clock<Duration> = ContinuousClock()) -> PostgresStore<Quake> {
      PostgresStore(server.database(), table: name, clock: clock)
    }

    func run(_ sql: String) async throws {
      try await server.connection().run(sql.replacing("TABLE", with: name))
    }

    func results(
      clock: any Clock<Duration> = ContinuousClock()
    ) -> LiveResults<Quake, PostgresRequest> {
      LiveResults(
        store: store(clock: clock), arrangement: .sorted(by: \.id), window: .zero)
    }
  }

  /// Waits until the results are these.
  func shows(_ quakes: [Quake], _ results: LiveResults<Quake, PostgresRequest>) async {
    var updates = results.updates.makeAsyncIterator()
    while Array(results.value.items) != quakes, await updates.next() != nil {}
  }
#endif
