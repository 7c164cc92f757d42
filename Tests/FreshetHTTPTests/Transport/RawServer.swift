import Foundation
import Freshet

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on loopback that answers each request with the bytes and pauses it is told.
final class RawServer: Sendable {
  /// What it does with a connection, one after the other; then it reads the next request.
  enum Step: Sendable {
    case send([UInt8])
    case flood([UInt8], times: Int)
    /// A byte at a time.
    case drip([UInt8], every: Duration)
    case pause(Duration)
    /// Says nothing more, until the caller goes.
    case hold
    case close
    /// Closes so that what was not read is lost.
    case reset
  }

  struct Request: Sendable {
    /// Which connection it came on, counted from 0.
    let connection: Int
    /// The line of the request and its fields.
    let head: String
    var body: [UInt8] = []

    var path: String { head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    func field(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  private struct State {
    var requests: [Request] = []
    var open: Set<Int32> = []
    var connections = 0
    var isStopped = false
    var idle: [CheckedContinuation<Void, Never>] = []

    /// Who waits for the last connection to end, once it has.
    mutating func takeIdle() -> [CheckedContinuation<Void, Never>] {
      guard open.isEmpty else { return [] }
      defer { idle = [] }
      return idle
    }
  }

  let port: UInt16
  private let listening: Int32
  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)

  /// Creates a server that answers by a script.
  ///
  /// - Parameter isOpenToAll: listens on every IPv4 address of the machine, as names may lead to
  ///   others than 127.0.0.1.
  init(
    isOpenToAll: Bool = false, _ script: @escaping @Sendable (Request) -> [Step]
  ) throws {
    (listening, port) = try Self.open(isOpenToAll)
    Thread.detachNewThread { [self] in
      takeCallers(script)
      // Closed by who accepts: a number that is free may be another server's a moment later.
      _ = close(listening)
      ended.signal()
    }
  }

  private func takeCallers(_ script: @escaping @Sendable (Request) -> [Step]) {
    while !state.withLock(\.isStopped) {
      var source = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&source, 1, 50) > 0 else { continue }
      let caller = accept(listening, nil, nil)
      guard caller >= 0 else { continue }
      let number = state.withLock { state in
        state.open.insert(caller)
        defer { state.connections += 1 }
        return state.connections
      }
      Thread.detachNewThread { [self] in
        serve(caller, number, script)
        let idle = state.withLock { state in
          state.open.remove(caller)
          _ = close(caller)
          return state.takeIdle()
        }
        for waiter in idle { waiter.resume() }
      }
    }
  }

  /// Creates a server that sends the same to all, then closes, or says nothing more.
  convenience init(
    sending head: String, then chunk: [UInt8] = [], times: Int = 0, closes: Bool = true
  ) throws {
    let head = [UInt8](head.utf8)
    try self.init { _ in
      [.send(head), .flood(chunk, times: times), closes ? .close : .hold]
    }
  }

  func url(_ path: String = "/list") throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      throw POSIXError(.EINVAL)
    }
    return url
  }

  var requests: [Request] { state.withLock { $0.requests } }
  /// How many connections there ever were.
  var connections: Int { state.withLock { $0.connections } }

  /// Waits until no connection is open.
  func idle() async {
    await withCheckedContinuation { continuation in
      let idle = state.withLock { state in
        state.idle.append(continuation)
        return state.takeIdle()
      }
      for waiter in idle { waiter.resume() }
    }
  }

  /// Ends all connections, and takes no more.
  func stop() {
    let isFirst = state.withLock { state in
      guard !state.isStopped else { return false }
      state.isStopped = true
      // While it is surely this server's: who accepts closes it once this is seen.
      shutdown(listening, Int32(SHUT_RDWR))
      return true
    }
    guard isFirst else { return }
    ended.wait()
    state.withLock { for caller in $0.open { shutdown(caller, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ caller: Int32, _ number: Int, _ script: (Request) -> [Step]) {
    var yes: Int32 = 1
    _ = unsafe setsockopt(caller, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
    #if canImport(Darwin)
      _ = unsafe setsockopt(caller, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(4))
    #endif
    while let head = Self.readHead(caller) {
      var request = Request(connection: number, head: head)
      request.body = Self.readBody(caller, Int(request.field("Content-Length") ?? "") ?? 0)
      state.withLock { $0.requests.append(request) }
      for step in script(request) where !Self.perform(step, caller) { return }
    }
  }

  /// Whether the connection goes on.
  private static func perform(_ step: Step, _ caller: Int32) -> Bool {
    switch step {
    case .send(let bytes): return write(bytes, caller)
    case .flood(let bytes, let times): return (0..<times).allSatisfy { _ in write(bytes, caller) }
    case .drip(let bytes, let pause):
      return bytes.allSatisfy { byte in
        rest(for: pause)
        return write([byte], caller)
      }
    case .pause(let pause):
      rest(for: pause)
      return true
    case .hold:
      var bytes = [UInt8](repeating: 0, count: 4096)
      while unsafe recv(caller, &bytes, bytes.count, 0) > 0 {}
      return false
    case .close: return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(
        caller, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private static func rest(for pause: Duration) {
    Thread.sleep(forTimeInterval: pause / .seconds(1))
  }

  private static func write(_ bytes: [UInt8], _ caller: Int32) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var left = bytes[...]
    while !left.isEmpty {
      let count = unsafe left.withUnsafeBytes { bytes in
        unsafe send(caller, bytes.baseAddress, bytes.count, flags)
      }
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }

  /// The head of the next request; `nil` when the caller has gone.
  private static func readHead(_ caller: Int32) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard head.count < 100_000, unsafe recv(caller, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  private static func readBody(_ caller: Int32, _ count: Int) -> [UInt8] {
    var body: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while body.count < count {
      let read = unsafe recv(caller, &bytes, min(bytes.count, count - body.count), 0)
      guard read > 0 else { break }
      body += bytes.prefix(read)
    }
    return body
  }

  private static func open(_ isOpenToAll: Bool) throws -> (socket: Int32, port: UInt16) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listening = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = isOpenToAll ? 0 : UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The pointers live as long as the calls.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listening, pointer, length) == 0 && listen(listening, 128) == 0
          && getsockname(listening, pointer, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listening, UInt16(bigEndian: address.sin_port))
  }
}

extension RawServer.Step {
  static func send(_ text: String) -> Self { .send([UInt8](text.utf8)) }
}

/// A well-formed answer.
func answer(
  _ body: [UInt8], status: String = "200 OK", _ fields: [(String, String)] = []
) -> [UInt8] {
  let lines = (fields + [("Content-Length", "\(body.count)")]).map { "\($0): \($1)\r\n" }.joined()
  return [UInt8]("HTTP/1.1 \(status)\r\n\(lines)\r\n".utf8) + body
}

func answer(
  _ body: String, status: String = "200 OK", _ fields: [(String, String)] = []
) -> [UInt8] {
  answer([UInt8](body.utf8), status: status, fields)
}
