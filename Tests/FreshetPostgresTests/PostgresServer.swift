#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres

  /// A PostgreSQL server in a throw-away folder, reached through a socket there.
  ///
  /// It goes with its last user, and with the process however that ends: a shell waits for the end
  /// of a pipe that the process holds.
  final class PostgresServer: Sendable {
    static let programs: String? = {
      let folders =
        (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let all =
        folders.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        + path.split(separator: ":").map(String.init)
      return all.first {
        FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
          && FileManager.default.isExecutableFile(atPath: "\($0)/postgres")
      }
    }()

    static var isInstalled: Bool { programs != nil }

    /// One server for all tests that do no harm to it.
    static let shared = Task { try await PostgresServer() }

    struct Failure: Error { let text: String }

    private let folder: URL
    private let settings: [String]
    private let process = Locked<(Process, Pipe)?>(nil)

    /// Creates and starts a server.
    init(settings: [String] = [], prepare: (URL) throws -> Void = { _ in }) async throws {
      folder = URL(fileURLWithPath: "/tmp/freshet-\(UUID().uuidString.prefix(8))")
      self.settings = settings
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try prepare(folder)
      try Self.shell("chown -R postgres \(folder.path) 2> /dev/null || true")
      try Self.shell(
        Self.asUser(
          "\(Self.programs ?? "")/initdb -A trust -U freshet --no-sync -E UTF8 --locale=C.UTF-8"
            + " -D \(folder.path)/data > /dev/null"))
      try await start()
    }

    deinit {
      if let (_, pipe) = process.withLock({ $0.take() }) {
        try? pipe.fileHandleForWriting.close()
      }
    }

    /// A connection string for a database.
    func database(_ name: String = "postgres") -> String {
      "host=\(folder.path) user=freshet dbname=\(name)"
    }

    /// A connection, to do what other programs do.
    func connection(_ name: String = "postgres") async throws -> PostgresConnection {
      try await PostgresConnection.open(database(name))
    }

    /// Starts the server, and waits until it answers.
    func start() async throws {
      let options = (["listen_addresses=", "fsync=off"] + settings).map { "-c '\($0)'" }
      let server = Self.asUser(
        "\(Self.programs ?? "")/postgres -D \(folder.path)/data -k \(folder.path) \(options.joined(separator: " "))"
      )
      let (process, pipe) = (Process(), Pipe())
      // Not sh: some wait for SIGCHLD, which the tests' process blocks.
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = [
        "-c",
        """
        exec 3<&0 > /dev/null 2>&1
        \(server) > \(folder.path)/log 2>&1 < /dev/null 3<&- &
        read word <&3
        kill -QUIT $(head -1 \(folder.path)/data/postmaster.pid)
        wait
        [ "$word" = keep ] || rm -rf \(folder.path)
        """,
      ]
      process.standardInput = pipe
      try process.run()
      self.process.withLock { $0 = (process, pipe) }
      for _ in 0..<500 {
        if (try? await connection()) != nil { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
      throw Failure(text: log)
    }

    /// Lets the server die at once, as in a crash; it can be started again.
    func stop() throws {
      guard let (process, pipe) = process.withLock({ $0.take() }) else { return }
      try pipe.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
      try? pipe.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    /// The server refuses to run as root.
    private static func asUser(_ command: String) -> String {
      getuid() == 0
        ? "setpriv --reuid=postgres --regid=postgres --clear-groups env -i LC_ALL=C.UTF-8 \(command)"
        : command
    }

    static func shell(_ command: String) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "cd /; \(command)"]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure(text: command) }
    }
  }
#endif
