#if os(Linux)
  import Foundation
  import Freshet
  import FreshetHTTP
  import Testing

  /// Certificates, against `openssl s_server`.
  @Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
  struct SecureTransportTests {
    func run(
      _ arguments: [String], in folder: URL, output: Any? = FileHandle.nullDevice
    ) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// The outcome of a request to a server with a certificate for `name`.
    func ask(name: String, days: Int, isTrusted: Bool) async throws -> (URLError.Code?, Int?) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "freshet-tls-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try "subjectAltName=\(name)".write(
        to: folder.appendingPathComponent("names"), atomically: true, encoding: .utf8)
      for arguments in [
        "req -new -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=freshet",
        "x509 -req -in request -signkey key -out certificate -extfile names -days \(days)",
      ] {
        try run(arguments.split(separator: " ").map(String.init), in: folder).waitUntilExit()
      }
      let output = Pipe()
      let server = try run(
        ["s_server", "-www", "-accept", "127.0.0.1:0", "-key", "key", "-cert", "certificate"],
        in: folder, output: output)
      defer { server.terminate() }
      let port = try #require(try await Self.port(saidBy: output.fileHandleForReading))
      let transport = CurlTransport(
        authorities: isTrusted ? folder.appendingPathComponent("certificate").path : nil)
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      do {
        return (nil, try await transport.response(to: HTTPRequest(url), bodyLimit: 1 << 20).status)
      } catch HTTPError.unreachable(_, let code, _) {
        return (code, nil)
      }
    }

    /// The port of the line `ACCEPT 127.0.0.1:PORT`, which comes once the server listens.
    static func port(saidBy output: FileHandle) async throws -> Int? {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          var said = ""
          while true {
            let bytes = output.availableData
            said += String(decoding: bytes, as: UTF8.self)
            let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix("ACCEPT ") }) {
              let port = line.split(separator: ":").last.flatMap { Int($0) }
              return continuation.resume(returning: port)
            }
            if bytes.isEmpty { return continuation.resume(returning: nil) }
          }
        }
      }
    }

    @Test
    func `a certificate that is trusted and fits lets the answer come`() async throws {
      let (code, status) = try await ask(name: "IP:127.0.0.1", days: 2, isTrusted: true)
      #expect(code == nil && status == 200)
    }

    @Test
    func `a certificate of nobody known, for another name or out of date says so`() async throws {
      #expect(
        try await ask(name: "IP:127.0.0.1", days: 2, isTrusted: false).0
          == .serverCertificateHasUnknownRoot)
      #expect(
        try await ask(name: "IP:127.0.0.2", days: 2, isTrusted: true).0
          == .serverCertificateUntrusted)
      #expect(
        try await ask(name: "IP:127.0.0.1", days: -1, isTrusted: true).0
          == .serverCertificateHasBadDate)
    }

    @Test
    func `a server that speaks no TLS, and a file of authorities that is none`() async throws {
      let server = try RawServer { _ in [] }
      defer { server.stop() }
      // It waits for the end of a head, which TLS may never send.
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let impatient = CurlTransport(timeouts: HTTPTimeouts(connect: .milliseconds(300)))
      for (transport, expected) in [
        (impatient, URLError.Code.timedOut),
        (CurlTransport(authorities: "/nowhere"), .secureConnectionFailed),
      ] {
        do {
          _ = try await transport.response(to: HTTPRequest(url), bodyLimit: 9)
          Issue.record("an answer")
        } catch HTTPError.unreachable(_, let code, _) {
          #expect(code == expected)
        }
      }
    }
  }
#endif
