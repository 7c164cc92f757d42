#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres

  /// A PostgreSQL server in a throw-away folder, reached through a socket there.
  ///
  /// It goes with its last user, and with the process however that ends: the script that runs it
  /// waits for the end of a pipe that the process holds.
  final class PostgresServer: Sendable {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/postgres").standardizedFileURL

    static let isInstalled: Bool = {
      let folders = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return folders?.isEmpty == false
        || path.split(separator: ":").contains {
          FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    /// One server for all tests that do no harm to it.
    static let shared = Task { try await PostgresServer() }

    /// A temporary folder with a short name: the path of a socket has at most 104 bytes.
    static func folderForSocket() -> String {
      FileManager.default.temporaryDirectory
        .appending(path: "freshet-\(UUID().uuidString.prefix(8))").path(percentEncoded: false)
    }

    struct Failure: Error {}

    let folder = folderForSocket()
    private let settings: [String]
    private let process = Locked<(Process, Pipe)?>(nil)

    /// Creates and starts a server.
    ///
    /// - Parameters:
    ///   - settings: what its configuration says.
    ///   - prepare: puts files into its folder.
    init(settings: [String] = [], prepare: (_ folder: String) throws -> Void = { _ in })
      async throws
    {
      self.settings = settings
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try prepare(folder)
      try await start()
    }

    /// A server that takes TLS on a port of loopback, with a certificate for `localhost`.
    static func secure(port: Int) async throws -> PostgresServer {
      try await PostgresServer(
        settings: [
          "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=../server.crt",
          "ssl_key_file=../server.key",
        ]
      ) { folder in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardError = FileHandle.nullDevice
        process.arguments = [
          "openssl", "req", "-new", "-x509", "-days", "2", "-nodes", "-subj", "/CN=localhost",
          "-addext", "subjectAltName=DNS:localhost", "-out", "server.crt", "-keyout", "server.key",
        ]
        try process.run()
        process.waitUntilExit()
      }
    }

    deinit { if let (_, input) = process.withLock({ $0.take() }) { Self.close(input) } }

    /// A connection string for a database.
    func database(_ name: String = "postgres") -> String {
      "host=\(folder) user=freshet dbname=\(name)"
    }

    /// A connection, to do what other programs do.
    func connection() async throws -> PostgresConnection {
      try await PostgresConnection.open(database())
    }

    /// Starts the server, and waits until it answers.
    @concurrent
    func start() async throws {
      let (process, input, output) = (Process(), Pipe(), Pipe())
      process.executableURL = Self.script
      process.arguments = [folder] + settings
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      guard !output.fileHandleForReading.availableData.isEmpty else { throw Failure() }
      self.process.withLock { $0 = (process, input) }
    }

    /// Lets the server die at once, as in a crash; it can be started again.
    func stop() throws {
      guard let (process, input) = process.withLock({ $0.take() }) else { return }
      try input.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
      Self.close(input)
      process.waitUntilExit()
    }

    private static func close(_ input: Pipe) { try? input.fileHandleForWriting.close() }
  }
#endif
