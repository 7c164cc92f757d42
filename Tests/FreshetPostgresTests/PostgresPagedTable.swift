#if Postgres
  import Foundation
  import Freshet
  @testable import FreshetPostgres
  import FreshetTesting

  /// A row of a table of any kind, with a number that no other row has.
  struct Sample: ListItem, Codable {
    var number: Int
    var note: Int
    var id: Int { number }
  }

  /// A table of any kind, with values that are hard to sort, and SQL that sorts it.
  struct PostgresPagedTable {
    /// The types of the columns `a`, `b` and `c`.
    struct Kind {
      let types: [String]
      let key: String
      /// Literals for each of the columns.
      let values: [[String]]
    }

    static let numbers = [
      "0", "1", "1.5", "-1", "9007199254740993", "'NaN'", "'Infinity'", "'-Infinity'", "'-0.0'",
    ]
    static let texts = [
      "''", "'a'", "'A'", "'a '", "'b'", "'B'", "'10'", "'9'", "'é'", "U&'e\\0301'", "'ß'", "'ss'",
      "'👩‍👩‍👧'", "'''; DROP TABLE x; --'", "E'\\\\'", "'-'", "'a-b'", "'ab'",
    ]
    static let moments = [
      "'infinity'", "'-infinity'", "'2026-05-01 12:00:00.000001+02'", "'2026-05-01 10:00Z'",
      "'0044-03-15 12:00 BC'", "'2026-05-01'",
    ]

    static let kinds = [
      Kind(
        types: ["integer", "text", "float8"], key: "PRIMARY KEY (number)",
        values: [["1", "2", "-5"], texts, numbers]),
      Kind(
        types: ["text COLLATE \"C\"", "varchar(20)", "numeric"], key: "PRIMARY KEY (part, number)",
        values: [texts, texts, ["1", "1.0", "1.00", "2.5", "'NaN'"]]),
      Kind(
        types: ["char(8)", "timestamptz", "bytea"], key: "PRIMARY KEY (number) INCLUDE (note)",
        values: [
          texts.filter { $0.utf8.count < 9 }, moments, ["''", "'\\x00'", "'\\xff'", "'\\x61'"],
        ]),
      Kind(
        types: ["mood", "word", "integer[]"], key: "PRIMARY KEY (a, b, number)",
        values: [
          ["'sad'", "'ok'", "'happy'"], texts.filter { $0 != "'ss'" },
          ["'{}'", "'{1}'", "'{1,NULL}'", "'{0,5}'"],
        ]),
      Kind(
        types: ["uuid", "int4range", "boolean"], key: "PRIMARY KEY (number)",
        values: [
          [
            "'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
            "'7d444840-9dc0-11d1-b245-5ffdce74fad2'",
          ], ["'empty'", "'[1,5)'", "'(,3)'", "'[1,4)'"], ["true", "false"],
        ]),
    ]

    let kind: Kind
    let connection: PostgresConnection
    let store: PostgresStore<Sample>
    let name: String

    /// Creates a table with random rows.
    init(_ kind: Kind, of count: Int, _ random: inout SeededGenerator) async throws {
      let server = try await PostgresServer.shared.value
      self.kind = kind
      name = "paged \(UUID().uuidString.prefix(8))"
      connection = try await server.connection()
      try await connection.run(
        """
        DO $$ BEGIN
          CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
          CREATE DOMAIN word AS text;
        EXCEPTION WHEN duplicate_object THEN NULL; WHEN unique_violation THEN NULL; END $$;
        CREATE TABLE "\(name)" (
          number integer NOT NULL, note integer DEFAULT 0, a \(kind.types[0]), b \(kind.types[1]),
          c \(kind.types[2]), part integer NOT NULL, \(kind.key))
        """)
      store = PostgresStore(server.database(), table: "\"\(name)\"", key: "number")
      for number in 0..<count { try await insert(number, &random) }
    }

    func drop() async throws { try await connection.run("DROP TABLE \"\(name)\"") }

    func insert(_ number: Int, _ random: inout SeededGenerator) async throws {
      let isKey = kind.key.contains("(a, b")
      var values: [String] = []
      for (index, all) in kind.values.enumerated() {
        // Few values, so that many rows have the same.
        let value = random.oneIn(2) ? all[0] : all.randomElement(using: &random) ?? ""
        values.append(random.oneIn(4) && !(isKey && index < 2) ? "NULL" : value)
      }
      try await connection.run(
        """
        INSERT INTO "\(name)" (number, a, b, c, part)
        VALUES (\(number), \(values.joined(separator: ", ")), \(number % 3))
        """)
    }

    // MARK: - Orders

    static let collations = ["C", "und-x-icu", "en-x-icu", "sv-x-icu", "POSIX"]

    /// An order of up to three columns.
    func order(_ random: inout SeededGenerator) -> [SortColumn] {
      ["a", "b", "c", "part", "number"].shuffled(using: &random)
        .prefix(Int.random(in: 0...3, using: &random)).map { name in
          let type = ["a", "b", "c"].firstIndex(of: name).map { kind.types[$0] } ?? "integer"
          let isText = ["text", "varchar", "char", "word"].contains { type.hasPrefix($0) }
          let collation =
            isText && random.oneIn(2) ? Self.collations.randomElement(using: &random) : nil
          let nulls = [SortColumn.Nulls.first, .last, nil].randomElement(using: &random) ?? nil
          return Bool.random(using: &random)
            ? .ascending(name, nulls: nulls, collation: collation)
            : .descending(name, nulls: nulls, collation: collation)
        }
    }

    /// The rows in an order, as PostgreSQL sorts them.
    func rows(_ order: [SortColumn], where filter: String = "true") async throws -> [Int] {
      let terms = order.map { column in
        "\(column.name)\(column.collation.map { " COLLATE \"\($0)\"" } ?? "")"
          + (column.isDescending ? " DESC" : " ASC")
          + (column.nulls.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? "")
      }
      let direction = order.first?.isDescending == true ? " DESC" : ""
      let key = String(kind.key.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" })
      let ties = key.components(separatedBy: ", ").map { $0 + direction }
      let rows = try await connection.run(
        """
        SELECT number FROM "\(name)" WHERE \(filter)
        ORDER BY \((terms + ties).joined(separator: ", "))
        """)
      return rows.compactMap { $0[0].flatMap { Int($0) } }
    }
  }
#endif
