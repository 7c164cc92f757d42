import FlyingFox
import FlyingSocks
import Foundation

/// The server of the demo's page, its events and its buttons.
struct PageServer: Sendable {
  let port: UInt16
  let client: DemoClient
  let archive: ArchiveClient

  /// Starts listening; the page answers once it returns.
  func start() async throws -> LoopbackServer {
    var routes = RoutedHTTPHandler()
    routes.appendRoute("GET /updates") { [client] request in
      let (id, search) = (request.query["page"] ?? "", request.query["for"] ?? "")
      return Self.stream(await client.events(of: id, search: search))
    }
    routes.appendRoute("GET /archive/updates") { [archive] request in
      Self.stream(await archive.events(of: request.query["page"] ?? ""))
    }
    routes.appendRoute("GET /archive/row") { [archive] request in
      guard let row = try await archive.row(Self.query(of: request)) else {
        return HTTPResponse(statusCode: .notFound)
      }
      return Self.text("\(row)")
    }
    routes.appendRoute("POST /archive/*") { [archive] request in
      let isKnown = await archive.perform(
        Array(Self.action(of: request).dropFirst()), Self.query(of: request))
      return HTTPResponse(statusCode: isKnown ? .noContent : .notFound)
    }
    routes.appendRoute("POST /*") { [client] request in
      let isKnown = try await client.perform(Self.action(of: request), Self.query(of: request))
      return HTTPResponse(statusCode: isKnown ? .noContent : .notFound)
    }
    routes.appendRoute("GET /why/*") { [client] request in
      let id = request.path.split(separator: "/").last.map(String.init) ?? ""
      return Self.text(await client.page(request.query["page"])?.why(id) ?? "")
    }
    routes.appendRoute("GET /*") { request in try Self.file(request.path) }
    let server = LoopbackServer(port: port, handler: routes)
    try await server.start()
    return server
  }

  private static func action(of request: HTTPRequest) -> [String] {
    request.path.split(separator: "/").map(String.init)
  }

  private static func query(of request: HTTPRequest) -> [String: String] {
    Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static func stream(_ events: AsyncStream<String>) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
      body: HTTPBodySequence(from: TextChunks(chunks: events)))
  }

  private static func text(_ text: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: Data(text.utf8))
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
