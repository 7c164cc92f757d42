import FlyingFox
import FlyingSocks
import Foundation

/// The server of the demo's page, its events and its buttons.
struct PageServer: Sendable {
  let port: UInt16
  let client: DemoClient

  /// Starts listening; the page answers once it returns.
  func start() async throws -> LoopbackServer {
    var routes = RoutedHTTPHandler()
    routes.appendRoute("GET /updates") { [client] request in
      let (id, search) = (request.query["page"] ?? "", request.query["for"] ?? "")
      return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
        body: HTTPBodySequence(
          from: TextChunks(chunks: await client.events(of: id, search: search))))
    }
    routes.appendRoute("POST /*") { [client] request in
      let action = request.path.split(separator: "/").map(String.init)
      let query = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
      let isKnown = try await client.perform(action, query)
      return HTTPResponse(statusCode: isKnown ? .noContent : .notFound)
    }
    routes.appendRoute("GET /why/*") { [client] request in
      let id = request.path.split(separator: "/").last.map(String.init) ?? ""
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
        body: Data((await client.page(request.query["page"])?.why(id) ?? "").utf8))
    }
    routes.appendRoute("GET /*") { request in try Self.file(request.path) }
    let server = LoopbackServer(port: port, handler: routes)
    try await server.start()
    return server
  }

  private static func file(_ path: String) throws -> HTTPResponse {
    let types = [
      "html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml",
    ]
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let url = Bundle.module.url(forResource: "Page", withExtension: nil),
      let file = try FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: nil
      ).first(where: { $0.lastPathComponent == name }),
      let type = types[file.pathExtension]
    else { return HTTPResponse(statusCode: .notFound) }
    return HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: "\(type); charset=utf-8",
        // A page of another site must not embed this page, so that its buttons cannot be pressed.
        HTTPHeader("Content-Security-Policy"): "frame-ancestors 'none'",
      ],
      body: try Data(contentsOf: file))
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
