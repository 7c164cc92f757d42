import FlyingFox
import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetTool

@Suite(.timeLimit(.minutes(5)))
struct QuakeListTests {
  /// Starts PostgreSQL in a throw-away folder; it goes when the pipe ends.
  @concurrent
  static func postgres() async throws -> (url: String, input: Pipe) {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Scripts/postgres").standardizedFileURL
    // With a short name: the path of a socket has at most 104 bytes.
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "freshet-\(UUID().uuidString.prefix(8))")
    process.arguments = [folder.path(percentEncoded: false)]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return (line.trimmingCharacters(in: .newlines), input)
  }

  func server(_ list: QuakeList) throws -> QuakeServer {
    QuakeServer(port: 0, list: list, history: try DemoCommand.history(), pace: .seconds(60))
  }

  /// Plays the beginning of history into a folder; what is listed then.
  func quakesPlayed(into folder: URL) async throws -> [ServedQuake] {
    let server = try server(try await QuakeStoreChoice.sqlite.open(in: folder))
    try await server.begin(anew: false)
    try await server.step(10)
    return server.quakes
  }

  /// Waits until each of the servers lists the quakes.
  func expect(_ quakes: [ServedQuake], on servers: QuakeServer..., after step: String) async {
    for (index, server) in servers.enumerated() {
      #expect(
        await eventually { server.quakes == quakes },
        "server \(index) after \(step) lists \(server.quakes.count) of \(quakes.count) quakes")
    }
  }

  @Test
  func `two servers on one PostgreSQL list the same, live`() async throws {
    let (url, input) = try await Self.postgres()
    defer { try? input.fileHandleForWriting.close() }
    let choice = try #require(QuakeStoreChoice(argument: url))
    let folder = FileManager.default.temporaryDirectory
    let first = try server(try await choice.open(in: folder))
    let second = try server(try await choice.open(in: folder))
    try await first.begin(anew: false)
    // Each server plays the history by itself, into the list of both.
    var histories = [try DemoCommand.history(), try DemoCommand.history()]
    var quakes = histories[0].beginning
    await expect(quakes, on: first, second, after: "the beginning")
    for step in 0..<20 {
      _ = histories[step % 2].step(&quakes)
      try await (step % 2 == 0 ? first : second).step()
      await expect(quakes, on: first, second, after: "step \(step)")
    }
    // Another start goes on where the list is.
    let third = try server(try await choice.open(in: folder))
    try await third.begin(anew: false)
    await expect(quakes, on: first, third, after: "another start")
    try await third.begin(anew: true)
    await expect(histories[0].beginning, on: first, third, after: "a fresh start")
  }

  @Test
  func `a demo that cannot start leaves the list of another one alone`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let quakes = try await quakesPlayed(into: folder)
    let taken = LoopbackServer(port: 18_455, handler: RoutedHTTPHandler())
    try await taken.start()
    let run = try await WatchTests.freshet([
      "demo", "--fresh", "--port", "18454", "--feed-port", "18455", "--cache-folder", folder.path,
    ])
    await taken.stop()
    #expect(run.status != 0 && run.error.contains("18455"), "\(run)")
    let second = try server(try await QuakeStoreChoice.sqlite.open(in: folder))
    #expect(second.quakes == quakes)
  }

  @Test
  func `a server on SQLite goes on where it stopped`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let quakes = try await quakesPlayed(into: folder)
    let second = try server(try await QuakeStoreChoice.sqlite.open(in: folder))
    try await second.begin(anew: false)
    #expect(second.quakes == quakes && quakes.count > 150)
  }

  @Test
  func `history goes on after its last recorded quake, at later dates`() async throws {
    let server = try server(try await QuakeStoreChoice.memory.open(in: URL(filePath: "/")))
    try await server.begin(anew: true)
    for _ in 0..<30 {
      let newest = try #require(server.quakes.first)
      try await server.step(100)
      let listed = server.quakes
      let added = listed.prefix { $0.time > newest.time }
      #expect(added.count > 80, "\(newest.place)")
      #expect(Set(listed.map(\.id)).count == listed.count)
      #expect(listed.map(\.time) == listed.map(\.time).sorted(by: >))
      #expect(listed.count <= QuakeHistory.limit)
      // Not a day without quakes for a week, as in the recording.
      #expect(zip(added, added.dropFirst()).allSatisfy { $0.time - $1.time < 7 * 86_400_000 })
    }
  }
}
