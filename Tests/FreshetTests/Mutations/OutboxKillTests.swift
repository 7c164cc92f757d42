#if canImport(Glibc)
  import Foundation
  import FreshetTesting
  import Glibc
  import Testing

  @testable import Freshet

  /// An app that is killed at any moment while it performs and sends mutations.
  @Suite(.serialized, .timeLimit(.minutes(10)))
  struct OutboxKillTests {
    /// One mutation of the app: the number says in which order it was performed.
    struct Step: Mutation {
      var target: Int
      var number: Int
      func edit() -> ItemEdit<Post> {
        .update { [number] in $0.version = number }
      }
    }

    /// A file to which several processes append lines, which a kill does not take back.
    struct Journal {
      let url: URL

      func append(_ line: String) {
        let file = unsafe open(url.path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        let text = Array("\(line)\n".utf8)
        _ = unsafe text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        close(file)
      }

      var lines: [String] {
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
      }
    }

    /// What an app does until it is killed, or until all is sent.
    static func run(in folder: URL, round: Int, killedAfter microseconds: UInt32?) async throws {
      let server = Journal(url: folder.appendingPathComponent("server"))
      let accepted = Journal(url: folder.appendingPathComponent("accepted"))
      if let microseconds {
        Thread.detachNewThread {
          usleep(microseconds)
          kill(getpid(), SIGKILL)
        }
      }
      var random = SeededGenerator(seed: round)
      let outbox = Outbox(
        .file("outbox", in: folder), retryPolicy: RetryPolicy(base: .zero, limit: .milliseconds(2))
      ) {
        Sender(Step.self) { step, attempt in
          usleep(UInt32.random(in: 0..<600))
          // The server has it from here on, whether the answer arrives or not.
          server.append("\(attempt.idempotencyKey) \(step.target) \(step.number)")
          if Int.random(in: 0..<4) == 0 { throw URLError(.networkConnectionLost) }
          usleep(UInt32.random(in: 0..<600))
        }
      }
      for step in 0..<(microseconds == nil ? 1 : 40) {
        let (target, number) = (Int.random(in: 0..<3, using: &random), round * 100 + step)
        try await outbox.perform(Step(target: target, number: number))
        accepted.append("\(target) \(number)")
      }
      while !outbox.status.mutations.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test
    func
      `O1, O2, O3: nothing accepted is lost, applied twice or out of order, whenever it is killed`()
      async throws
    {
      let directory = TemporaryDirectory()
      let folder = directory.url
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let rounds = max(10, SeededGenerator.effort)
      for round in 0..<rounds {
        // Before, while and after it opens, performs, sends and hears the answer.
        let moment = UInt32.random(in: 0..<40_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as URL, round = round as Int, moment = moment as UInt32] in
          try await OutboxKillTests.run(in: folder, round: round, killedAfter: moment)
          // It was faster than that.
          kill(getpid(), SIGKILL)
        }
      }
      await #expect(processExitsWith: .success) {
        [folder = folder as URL, rounds = rounds as Int] in
        try await OutboxKillTests.run(in: folder, round: rounds, killedAfter: nil)
      }
      try judge(folder)
    }

    private func judge(_ folder: URL) throws {
      let accepted = Set(Journal(url: folder.appendingPathComponent("accepted")).lines)
      var seen: Set<String> = []
      // The server takes the first attempt of each key.
      let applied = Journal(url: folder.appendingPathComponent("server")).lines.compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return seen.insert(parts[0]).inserted ? parts[1] : nil
      }
      #expect(!accepted.isEmpty && accepted.subtracting(applied).isEmpty)
      #expect(Set(applied).count == applied.count)
      for target in 0..<3 {
        let numbers = applied.filter { $0.hasPrefix("\(target) ") }
          .compactMap { Int($0.dropFirst(2)) }
        #expect(numbers == numbers.sorted())
      }
    }
  }
#endif
