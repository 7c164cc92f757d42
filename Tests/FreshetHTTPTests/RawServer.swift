import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on loopback that sends bytes as they are given, whatever it is asked.
///
/// After what it sends, it either closes or says nothing more until the caller goes.
final class RawServer: Sendable {
  let port: UInt16
  private let listening: Int32

  init(
    sending head: String, then chunk: Data = Data(), times: Int = 0, closes: Bool = true
  ) throws {
    (listening, port) = try Self.open()
    // Bytes that a thread still holds at the end count as lost where they are `Data`.
    let (head, chunk) = ([UInt8](head.utf8), [UInt8](chunk))
    let thread = Thread { [self] in
      while case let caller = accept(listening, nil, nil), caller >= 0 {
        serve(caller, head, chunk, times, closes)
        _ = close(caller)
      }
    }
    thread.start()
  }

  private static func open() throws -> (socket: Int32, port: UInt16) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listening = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The pointers live as long as the calls.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listening, pointer, length) == 0 && listen(listening, 8) == 0
          && getsockname(listening, pointer, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listening, UInt16(bigEndian: address.sin_port))
  }

  func stop() {
    shutdown(listening, Int32(SHUT_RDWR))
    _ = close(listening)
  }

  private func serve(
    _ caller: Int32, _ head: [UInt8], _ chunk: [UInt8], _ times: Int, _ closes: Bool
  ) {
    #if canImport(Darwin)
      let flags: Int32 = 0
      var yes: Int32 = 1
      unsafe setsockopt(caller, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(4))
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = unsafe recv(caller, &buffer, buffer.count, 0)
    for number in 0...times {
      let bytes = number == 0 ? head : chunk
      var start = 0
      while start < bytes.count {
        let count = unsafe bytes[start...].withUnsafeBytes { bytes in
          unsafe send(caller, bytes.baseAddress, bytes.count, flags)
        }
        guard count > 0 else { return }
        start += count
      }
    }
    if !closes { while unsafe recv(caller, &buffer, buffer.count, 0) > 0 {} }
  }
}
