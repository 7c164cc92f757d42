import FlyingSocks

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ports of loopback that nobody listens on.
enum FreePort {
  struct None: Error {}

  /// A port that the system gave out just now.
  static func any() throws -> UInt16 {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    try socket.bind(to: try .inet(ip4: "127.0.0.1", port: 0))
    guard case .ip4(_, let port) = try socket.sockname() else { throw None() }
    return port
  }
}
