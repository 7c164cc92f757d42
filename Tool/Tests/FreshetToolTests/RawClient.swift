import FlyingSocks
import Foundation

/// A caller that sends bytes as they are given, and knows nothing of HTTP.
struct RawClient {
  let socket: AsyncSocket

  /// Calls a port of loopback.
  init(port: UInt16) async throws {
    socket = try await AsyncSocket.connected(to: try .inet(ip4: "127.0.0.1", port: port))
  }

  /// Sends as much as the server takes; whether it took all.
  @discardableResult
  func send(_ bytes: Data) async -> Bool {
    (try? await socket.write(bytes)) != nil
  }

  /// All that comes until the server closes.
  func rest() async -> String {
    var bytes: [UInt8] = []
    while let more = try? await socket.read(atMost: 4096) { bytes += more }
    try? socket.close()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The answer to a request on a connection of its own.
  static func ask(
    _ line: String, headers: [String] = [], host: String? = nil, body: Data = Data(),
    port: UInt16
  ) async throws -> String {
    let client = try await RawClient(port: port)
    let head = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"]
    await client.send(Data((head + headers + ["", ""]).joined(separator: "\r\n").utf8) + body)
    return await client.rest()
  }
}
