import FlyingFox
import FlyingSocks
import Foundation

/// A reader of the requests of a connection, one after the other, each limited in size.
actor RequestReader {
  /// The longest head and the longest body of a request, in bytes.
  static let limits = (head: 16 << 10, body: 64 << 10)

  private let socket: AsyncSocket
  /// The bytes that were received and belong to no request yet.
  private var bytes: [UInt8] = []

  init(_ socket: AsyncSocket) { self.socket = socket }

  /// Returns the next request; `nil` if the caller has disconnected.
  ///
  /// - Throws: a `Refusal`, after which nothing can be read any more.
  func next() async throws -> HTTPRequest? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        var request = try RequestHead.request(of: bytes[..<end])
        bytes.removeFirst(end)
        guard let body = try await body(of: request) else { return nil }
        request.setBodyData(body)
        return request
      }
      guard bytes.count < Self.limits.head else {
        throw Refusal(
          .requestHeaderFieldsTooLarge,
          "The request line and headers are longer than \(Self.limits.head) bytes. Send fewer.")
      }
      searched = max(0, bytes.count - 3)
      guard try await readMore() else { return nil }
    }
  }

  /// Reads for a moment, and discards the data.
  ///
  /// Otherwise a caller that still sends would not see the response.
  func drain() async throws {
    bytes = []
    for _ in 0..<256 { guard try await !socket.read(atMost: 4096).isEmpty else { return } }
  }

  private func endOfHead(from start: Int) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    let last = min(bytes.count, Self.limits.head) - mark.count
    guard start <= last else { return nil }
    return (start...last).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
      .map { $0 + mark.count }
  }

  private func body(of request: HTTPRequest) async throws -> Data? {
    let length = try RequestHead.bodyLength(of: request)
    guard length <= Self.limits.body else {
      throw Refusal(
        .payloadTooLarge, "The body is longer than \(Self.limits.body) bytes. Send less.")
    }
    while bytes.count < length { guard try await readMore() else { return nil } }
    defer { bytes.removeFirst(length) }
    return Data(bytes[..<length])
  }

  private func readMore() async throws -> Bool {
    do {
      bytes += try await socket.read(atMost: 4096)
      return true
    } catch SocketError.disconnected {
      return false
    }
  }
}

/// The request line and the headers of HTTP/1.1 (RFC 9112).
enum RequestHead {
  /// Returns the request of a head, without its body.
  static func request(of head: ArraySlice<UInt8>) throws(Refusal) -> HTTPRequest {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard start.count == 3, start[2].hasPrefix("HTTP/1."), start[1].hasPrefix("/") else {
      throw Refusal(.badRequest, "The first line has to be a method, a path and HTTP/1.1.")
    }
    var headers = HTTPHeaders()
    for line in lines.dropFirst() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else {
        throw Refusal(.badRequest, "Each header has to be a name, a colon and a value.")
      }
      headers.addValue(
        parts[1].trimmingCharacters(in: .whitespaces), for: HTTPHeader(String(parts[0])))
    }
    guard headers.values(for: .host).count < 2 else {
      throw Refusal(.badRequest, "A request has one Host header.")
    }
    let target = start[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return HTTPRequest(
      method: HTTPMethod(String(start[0])), version: HTTPVersion(String(start[2])),
      target: HTTPRequest.Target(
        path: String(target[0]), query: target.count > 1 ? String(target[1]) : ""),
      headers: headers, body: HTTPBodySequence())
  }

  /// Returns how many bytes of body follow a head.
  static func bodyLength(of request: HTTPRequest) throws(Refusal) -> Int {
    guard request.headers[.transferEncoding] == nil else {
      throw Refusal(.lengthRequired, "Send the body with a Content-Length instead of in chunks.")
    }
    let lengths = request.headers.values(for: .contentLength)
    guard let text = lengths.first else { return 0 }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
      throw Refusal(.badRequest, "Content-Length has to be one number.")
    }
    // Digits that do not fit into an `Int` count as the largest number.
    return Int(text) ?? .max
  }
}
