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
    ///
    /// - Parameter life: the number of the process; `nil` if no other one has the outbox open.
    static func run(
      in folder: URL, round: Int, life: Int? = nil, killedAfter microseconds: UInt32?
    ) async throws {
      let server = Journal(url: folder.appendingPathComponent("server"))
      let accepted = Journal(url: folder.appendingPathComponent("accepted"))
      if let microseconds {
        Thread.detachNewThread {
          usleep(microseconds)
          kill(getpid(), SIGKILL)
        }
      }
      let first = (life ?? round) * 100
      var random = SeededGenerator(seed: first)
      let sender = Sender(Step.self) { step, attempt in
        usleep(UInt32.random(in: 0..<600))
        // The server has it from here on, whether the answer arrives or not.
        server.append("\(attempt.idempotencyKey) \(step.target) \(step.number)")
        if Int.random(in: 0..<4) == 0 { throw URLError(.networkConnectionLost) }
        usleep(UInt32.random(in: 0..<600))
      }
      let outbox = Outbox(
        .file("outbox", isShared: life != nil, in: folder),
        retryPolicy: RetryPolicy(base: .zero, limit: .milliseconds(2)), limit: 10_000,
        byteLimit: 64 << 20, clock: ContinuousClock(), pollInterval: .milliseconds(2),
        now: { Date() }, senders: [sender])
      for step in 0..<(microseconds == nil ? 1 : 40) {
        let (target, number) = (Int.random(in: 0..<3, using: &random), first + step)
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

    @Test
    func `O2, O3: two processes share an outbox and lose nothing, whenever one of them is killed`()
      async throws
    {
      let directory = TemporaryDirectory()
      let folder = directory.url
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let rounds = max(10, SeededGenerator.effort / 2)
      for round in 0..<rounds {
        // One of them may outlive the other one, and take over.
        await withTaskGroup { group in
          for process in 0..<2 {
            let (life, moment) = (2 * round + process, UInt32.random(in: 0..<80_000))
            group.addTask {
              await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                  folder = folder as URL, round = round as Int, life = life as Int,
                  moment = moment as UInt32
                ] in
                try await OutboxKillTests.run(
                  in: folder, round: round, life: life, killedAfter: moment)
                kill(getpid(), SIGKILL)
              }
            }
          }
        }
      }
      await #expect(processExitsWith: .success) {
        [folder = folder as URL, rounds = rounds as Int] in
        try await OutboxKillTests.run(
          in: folder, round: rounds, life: 2 * rounds, killedAfter: nil)
      }
      try judge(folder, inOrderOf: { $0 / 100 })
    }

    /// - Parameter life: returns the number of the life whose mutations have an order.
    private func judge(_ folder: URL, inOrderOf life: (Int) -> Int = { _ in 0 }) throws {
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
        for numbers in Dictionary(grouping: numbers, by: life).values {
          #expect(numbers == numbers.sorted())
        }
      }
    }
  }
#endif
