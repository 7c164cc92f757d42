#if Postgres
  import Foundation
  @testable import Freshet

  /// A proxy between a server and its clients, at a socket in a folder of its own, that can fall
  /// silent, hold back a statement, forget a connection, cut all of them, and lead to another
  /// server.
  final class FaultyProxy: Sendable {
    struct Failure: Error {}

    private static let socketName = ".s.PGSQL.5432"

    /// Where clients find it, as a host.
    let folder = PostgresServer.folderForSocket()
    private let isSilent = Locked(false)
    private let isStopped = Locked(false)
    /// What a client says that is forgotten with its connection.
    private let forgottenTexts = Locked<[String]>([])
    /// What a client says that is held back, and what the connection says whose end lets it pass.
    private let held = Locked<(text: String, releasing: String)?>(nil)
    private let release = DispatchSemaphore(value: 0)
    /// How many bytes more are forwarded before a connection is forgotten.
    private let rest = Locked(Int.max)
    /// How often all connections were cut.
    private let cuts = Locked(0)
    private let target: Locked<String>
    private let listener: Int32

    init(to server: PostgresServer) throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      listener = try Self.socket()
      target = Locked(Self.path(of: server))
      let isListening = unsafe Self.withAddress("\(folder)/\(Self.socketName)") {
        unsafe bind(listener, $0, $1) == 0
      }
      guard isListening, listen(listener, 20) == 0 else { throw Failure() }
      Thread.detachNewThread { [self] in serve() }
    }

    /// From now on everything is taken, and nothing forwarded; new clients are not answered.
    func fallSilent() { isSilent.withLock { $0 = true } }

    /// From now on everything is forwarded.
    func speak() { isSilent.withLock { $0 = false } }

    /// Cuts all connections.
    func cut() { cuts.withLock { $0 += 1 } }

    /// Forgets one connection once so many bytes more are forwarded, as a firewall does: what
    /// either side sends is taken and goes nowhere.
    func forget(after count: Int) { rest.withLock { $0 = count } }

    /// Forgets each connection whose client says one of these texts, before that is forwarded.
    func forget(where texts: String...) { forgottenTexts.withLock { $0 = texts } }

    /// Holds back what a client says, if this text is in it, until a connection has ended that said
    /// another one.
    func hold(_ text: String, untilTheEndOf releasing: String) {
      held.withLock { $0 = (text, releasing) }
    }

    /// Leads new clients to another server, and cuts the connections to this one.
    func lead(to server: PostgresServer) {
      target.withLock { $0 = Self.path(of: server) }
      cut()
    }

    /// Ends the proxy.
    func stop() {
      isStopped.withLock { $0 = true }
      shutdown(listener, Int32(SHUT_RDWR))
      try? FileManager.default.removeItem(atPath: folder)
    }

    private var mute: Bool { isSilent.withLock { $0 } }

    private static func path(of server: PostgresServer) -> String {
      "\(server.folder)/\(socketName)"
    }

    private func serve() {
      while !isStopped.withLock({ $0 }) {
        var waiting = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        _ = unsafe poll(&waiting, 1, 20)
        guard !mute, waiting[0].revents != 0 else { continue }
        let client = accept(listener, nil, nil)
        guard client >= 0, let server = try? Self.socket() else { continue }
        guard
          unsafe Self.withAddress(target.withLock { $0 }, { unsafe connect(server, $0, $1) == 0 })
        else {
          close(client)
          close(server)
          continue
        }
        Thread.detachNewThread { [self] in
          pump(client, server)
          close(client)
          close(server)
        }
      }
      close(listener)
    }

    private func pump(_ client: Int32, _ server: Int32) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let cuts = cuts.withLock { $0 }
      var (isForgotten, releases) = (false, false)
      defer { if releases { release.signal() } }
      while !isStopped.withLock({ $0 }), self.cuts.withLock({ $0 }) == cuts {
        var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&ends, 2, 20)
        for (end, other) in [(ends[0], server), (ends[1], client)] where end.revents != 0 {
          let count = unsafe read(end.fd, &bytes, bytes.count)
          guard count > 0 else { return }
          isForgotten =
            isForgotten || forgets(count) || end.fd == client && forgets(bytes[..<count])
          guard !mute, !isForgotten else { continue }
          if end.fd == client, let held = held.withLock({ $0 }) {
            let said = String(decoding: bytes[..<count], as: UTF8.self)
            releases = releases || said.contains(held.releasing)
            if said.contains(held.text) { _ = release.wait(timeout: .now() + 60) }
          }
          var sent = 0
          while sent < count {
            let more = unsafe send(
              other, Array(bytes[sent..<count]), count - sent, Int32(MSG_NOSIGNAL))
            guard more > 0 else { return }
            sent += more
          }
        }
      }
    }

    /// Whether it is the turn of a connection that sends so many bytes.
    private func forgets(_ count: Int) -> Bool {
      rest.withLock { rest in
        guard rest != .max else { return false }
        rest -= count
        guard rest < 0 else { return false }
        rest = .max
        return true
      }
    }

    /// Whether a client says what is forgotten.
    private func forgets(_ bytes: ArraySlice<UInt8>) -> Bool {
      let texts = forgottenTexts.withLock { $0 }
      guard !texts.isEmpty else { return false }
      let said = String(decoding: bytes, as: UTF8.self)
      return texts.contains { said.contains($0) }
    }

    private static func socket() throws -> Int32 {
      #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      let descriptor = Foundation.socket(AF_UNIX, stream, 0)
      guard descriptor >= 0 else { throw Failure() }
      return descriptor
    }

    private static func withAddress(
      _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      return unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }
#endif
