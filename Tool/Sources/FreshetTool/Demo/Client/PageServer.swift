import FlyingFox
import FlyingSocks
import Foundation

/// Serves the demo's page, its events and its buttons.
struct PageServer: Sendable {
  let port: UInt16
  let client: DemoClient

  func run() async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    await server.appendRoute("GET /updates") { _ in
      HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
        body: HTTPBodySequence(from: TextChunks(chunks: await client.events())))
    }
    await server.appendRoute("POST /*") { request in
      let action = request.path.split(separator: "/").map(String.init)
      let isKnown = try await client.perform(action)
      return HTTPResponse(statusCode: isKnown ? .noContent : .notFound)
    }
    await server.appendRoute("GET /why/*") { request in
      let id = request.path.split(separator: "/").last.map(String.init) ?? ""
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
        body: Data(await client.why(id).utf8))
    }
    await server.appendRoute("GET /*") { request in try Self.file(request.path) }
    try await server.run()
  }

  private static func file(_ path: String) throws -> HTTPResponse {
    let types = ["index.html": "text/html", "page.css": "text/css", "page.js": "text/javascript"]
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let type = types[name],
      let url = Bundle.module.url(forResource: "Page", withExtension: nil)
    else { return HTTPResponse(statusCode: .notFound) }
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "\(type); charset=utf-8"],
      body: try Data(contentsOf: url.appendingPathComponent(name)))
  }
}

/// Text that arrives in chunks, as the bytes of a response.
struct TextChunks: AsyncBufferedSequence {
  typealias Element = UInt8

  let chunks: AsyncStream<String>

  func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var chunks: AsyncStream<String>.Iterator
    var rest: ArraySlice<UInt8> = []

    mutating func next() async -> UInt8? { await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      while rest.isEmpty {
        guard let chunk = await chunks.next(isolation: #isolation) else { return nil }
        rest = ArraySlice(chunk.utf8)
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
