import FlyingSocks
import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

/// The event streams of the demo's page, and callers that do not read them.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct PageStreamTests {
  static let (port, feedPort): (UInt16, UInt16) = (18_456, 18_457)

  @Test
  func `streams that nobody reads leave the page open`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (process, output, _) = try WatchTests.start([
      "demo", "--port", "\(Self.port)", "--feed-port", "\(Self.feedPort)", "--store", "memory",
      "--cache-folder", folder.path,
    ])
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    #expect(String(decoding: await WatchTests.chunk(of: output), as: UTF8.self).contains("Open"))
    var streams: [RawClient] = []
    for number in 0..<150 { streams.append(try await stream(number)) }
    for path in ["", "page.js", "list.css"] {
      let answer = try await RawClient.ask("GET /\(path)", port: Self.port)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(path)")
    }
    let page = try await stream(150)
    #expect(await start(of: page, through: "event: update").contains("event: update"))
    for stream in streams + [page] { try? stream.socket.close() }
  }

  /// Asks for a stream, and reads nothing.
  func stream(_ number: Int) async throws -> RawClient {
    let client = try await RawClient(port: Self.port)
    let head = "GET /updates?page=\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(Self.port)\r\n\r\n"
    await client.send(Data(head.utf8))
    return client
  }

  /// What a stream sends until a text arrives, or until it ends.
  func start(of stream: RawClient, through text: String) async -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains(text),
      let more = try? await stream.socket.read(atMost: 4096)
    {
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test @MainActor
  func `a page that reads too slowly is dropped before its events fill the memory`() async throws {
    let server = QuakeServer(
      port: Self.feedPort, list: try await QuakeList(MemoryStore(), all: .all),
      history: try DemoCommand.history(), pace: .seconds(60))
    let client = try DemoClient(
      source: try #require(URL(string: "http://127.0.0.1:\(Self.feedPort)/quakes.geojson")),
      paging: .linkHeader, cache: .store(MemoryStore(), named: "quakes"), outbox: .memory,
      server: server, pageSize: 25, pace: .seconds(60))
    let events = client.events(of: "slow")
    #expect(client.page("slow") != nil)
    for step in 0..<300 {
      #expect(try await client.perform(["server", "playing", "\(step % 2 == 0)"], [:]))
      try await Task.sleep(for: .milliseconds(1))
    }
    // It ends after what was kept.
    var count = 0
    for await _ in events { count += 1 }
    #expect(count <= 100)
    while client.page("slow") != nil { await Task.yield() }
  }
}
