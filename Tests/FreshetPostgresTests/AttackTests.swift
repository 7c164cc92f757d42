#if Postgres
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// S1 to S4, by law: whatever happens to a server, its network and its tables, all results are
  /// what `SELECT` gives or say why not.
  @Suite(
    .serialized, .timeLimit(.minutes(5 * SeededGenerator.minutes)),
    .enabled(if: PostgresServer.isInstalled))
  struct AttackTests {
    /// How many stores there are, and how often everything happens: 10 and once before a change
    /// lands, 50 and twice by `make attacks`.
    static let stores = min(50, max(4, SeededGenerator.effort / 10))
    static let rounds = max(1, SeededGenerator.effort / 250)

    @Test(arguments: 0..<rounds)
    func `S1, S3: after every step all results are what SELECT gives, or say why not`(
      seed: Int
    ) async throws {
      var attack = try await Attack(stores: Self.stores, seed: seed)
      defer { attack.end() }
      #expect(try await attack.whatStaysWrong().isEmpty)
      var random = attack.random
      for step in Attack.Step.allCases.shuffled(using: &random) {
        let saysSo = try await attack.perform(step)
        #expect(saysSo, "\(step) with seed \(seed) is not noticed")
        let wrong = try await attack.whatStaysWrong()
        try #require(wrong.isEmpty, "\(step) with seed \(seed)")
      }
    }
  }
#endif
