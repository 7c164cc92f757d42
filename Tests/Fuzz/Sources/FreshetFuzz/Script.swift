import Foundation
import Freshet
import FreshetHTTP
import Synchronization

/// Hands out answers one after another, and holds every request to rule N1.
final class Script: HTTPTransport {
  static let secret = "s3cr3t-of-the-user"
  static let url = "https://api.example.com/list"

  private let answers: Mutex<[HTTPResponse]>
  private let foreignLinks: ForeignLinks

  init(_ answers: [HTTPResponse], foreignLinks: ForeignLinks) {
    self.answers = Mutex(answers.reversed())
    self.foreignLinks = foreignLinks
  }

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    let isOwn = Self.isOwn(request.url.absoluteString)
    let isSecret = request.headers.fields.contains { $0.value.contains(Self.secret) }
    expect(isOwn || !isSecret, "N1: credentials for \(request.url.absoluteString)")
    expect(isOwn == isSecret, "N1: no credentials for the origin's own \(request.url)")
    if !isOwn {
      expect(foreignLinks == .withoutCredentials, "N1: \(request.url) is another origin's")
      expect(request.url.scheme?.lowercased() == "https", "N1: a downgrade to \(request.url)")
    }
    let answer = answers.withLock { $0.popLast() }
    guard let answer else {
      throw HTTPError.unreachable(request.url, code: .timedOut, reason: "no more answers")
    }
    guard answer.body.count <= bodyLimit else { throw HTTPError.tooLarge(limit: bodyLimit) }
    return answer
  }

  /// Whether a URL is of the list's origin, told from its text alone.
  private static func isOwn(_ url: String) -> Bool {
    let origin = "https://api.example.com"
    guard url.lowercased().hasPrefix(origin) else { return false }
    var rest = url.dropFirst(origin.count)
    for port in [":443", ":"] where rest.hasPrefix(port) {
      rest = rest.dropFirst(port.count)
      break
    }
    return rest.first.map { "/?#".contains($0) } ?? true
  }
}

extension HTTPResponse {
  /// Reads an answer as the corpus writes it: a status, header fields, an empty line, a body.
  init(_ text: Data) {
    var lines = text[...]
    func line() -> Data? {
      guard let end = lines.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { lines = lines[(end + 1)...] }
      return lines[..<end]
    }
    let status = line().flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 200
    var headers = HTTPHeaders()
    while let field = line(), !field.isEmpty {
      let parts = field.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers.append(
        String(decoding: parts[0], as: UTF8.self),
        String(decoding: parts[1], as: UTF8.self).trimmingCharacters(in: .whitespaces))
    }
    self.init(status: status, headers: headers, body: Data(lines))
  }
}

/// The result of a task, waited for: libFuzzer knows no tasks.
func wait<Value: Sendable>(_ task: @escaping @Sendable () async -> Value) -> Value {
  let result = Mutex<Value?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  Task { @Sendable in
    let value = await task()
    result.withLock { $0 = value }
    isDone.signal()
  }
  isDone.wait()
  guard let value = result.withLock({ $0 }) else { fatalError("a task ended without a result") }
  return value
}
