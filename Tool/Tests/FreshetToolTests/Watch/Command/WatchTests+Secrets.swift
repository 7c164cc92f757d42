import FlyingFox
import Foundation
import Testing

@testable import FreshetTool

extension WatchTests {
  static let (password, key, token) = ("pa55-w0rd/of+ada", "k3y-of-the-URL~1", "t0ken7")

  /// Answers that repeat what was sent: words, links, paths, names, headers.
  static let repeats: [@Sendable (String) -> HTTPResponse] = [
    { HTTPResponse(statusCode: .forbidden, body: Data(#"{"detail":"no \#($0) here"}"#.utf8)) },
    { HTTPResponse(statusCode: .notFound, body: Data(#"{"error":"at /s/\#($0)/x"}"#.utf8)) },
    { Self.answer(#"{"items":[{"id":1}],"next":"/list?other=\#($0)"}"#) },
    { Self.answer(#"{"items":[{"id":1}],"next":"/s/\#($0)/x"}"#) },
    { Self.answer(#"{"items":[{"id":1}],"has_more":true,"next_\#($0)":"\#($0)"}"#) },
    { Self.answer(#"{"items":[{"id":1}],"next":"http://other.example/?q=\#($0)"}"#) },
    { Self.answer("[{\"id\":1}] \($0)") },
    {
      HTTPResponse(
        statusCode: .found, headers: [.location: "http://other.example/?q=\($0)"], body: Data())
    },
  ]

  @Test(arguments: repeats.indices)
  func `N5: neither the output nor a file has a secret that the server repeats`(
    index: Int
  ) async throws {
    let unescaped = CharacterSet.alphanumerics
    let escaped = Self.key.addingPercentEncoding(withAllowedCharacters: unescaped) ?? ""
    for secret in [Self.password, Self.key, Self.token, escaped] {
      for written in [secret, Data(secret.utf8).base64EncodedString()] {
        let folder = FileManager.default.temporaryDirectory
          .appendingPathComponent("freshet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try Self.server()
        await server.appendRoute("*") { _ in Self.repeats[index](written) }
        try await serve(server) { base in
          let run = try await Self.freshet([
            "watch", "\(base)/list?api_key=\(escaped)", "--user", "ada:\(Self.password)",
            "--header", "X-Token: \(Self.token)", "--allow-foreign-links", "--once", "--pages", "3",
            "--retries", "0", "--cache", "c", "--cache-folder", folder.path,
          ])
          var shown = Data((run.output + run.error).utf8)
          #expect(!shown.isEmpty)
          let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
          while let file = files?.nextObject() as? URL {
            shown += (try? Data(contentsOf: file)) ?? Data()
          }
          for text in [secret, written] {
            #expect(shown.range(of: Data(text.utf8)) == nil, "\(text) in \(run)")
          }
        }
      }
    }
  }
}
