import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// `freshet demo`: a feed server on loopback, and its client in the browser.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show a live, cached list of earthquakes in the browser.",
    discussion: """
      Two parts in one process that talk over HTTP only: a server that plays real history forward, \
      and a client that merges two feeds of it, north and south of the equator, into one list that is \
      kept true, and searches them. Stop it, start it again with --no-server, and the list \
      is there at once, from disk. A star that the server has not received is kept on disk, too, and \
      sent once the server answers.
      """)

  @Option(
    help: "The port of the page; 8317 unless you choose one.",
    transform: { try number($0, in: 1...65_535) })
  var port: UInt16 = 8317

  @Option(
    help: "The port of the feed server; 8318 unless you choose one.",
    transform: { try number($0, in: 1...65_535) })
  var feedPort: UInt16 = 8318

  @Flag(help: "Start without the feed server: the list comes from the cache.")
  var noServer = false

  @Flag(help: "Start with the feed server offline, until it is switched on in the page.")
  var offline = false

  @Option(
    help: ArgumentHelp(
      """
      Where the server keeps its list: memory, sqlite, or the URL of a PostgreSQL server, which \
      several demos may share: start all but one of them with --paused, or history goes faster.
      """, valueName: "memory|sqlite|postgres://…"),
    completion: .list(["memory", "sqlite"]))
  var store = QuakeStoreChoice.sqlite

  @Flag(
    help: """
      Forget what earlier runs cached or did not send, and begin the history anew, for all who share \
      it.
      """)
  var fresh = false

  @Flag(help: "Start with history standing still.")
  var paused = false

  @Option(
    help: ArgumentHelp("How often something happens; every 2s unless you say so.", valueName: "2s"),
    transform: { try Interval($0) })
  var pace = Interval(duration: .seconds(2), description: "2s")

  @Option(help: "The folder for the cache and for unsent stars.", completion: .directory)
  var cacheFolder: String?

  @Option(
    help: "How many rows a page holds; 25 unless you say so.",
    transform: { try number($0, in: 1...1000) })
  var pageSize = 25

  @Option(help: "How the client pages: by links, or by the offset of a row.")
  var paging = DemoPaging.link

  func validate() throws {
    guard port != feedPort else {
      throw ValidationError("--port and --feed-port need two ports.")
    }
  }

  @MainActor
  func run() async throws {
    guard let feed = URL(string: "http://127.0.0.1:\(feedPort)/") else {
      throw ValidationError("--feed-port is no port")
    }
    let directory = cacheFolder.map { CacheDirectory(URL(fileURLWithPath: $0)) } ?? .default
    let cache = directory.directory(named: "demo")
    let outbox = OutboxStorage.file("stars", in: cacheFolder.map { URL(fileURLWithPath: $0) })
    let list = noServer ? nil : try await store.open(in: directory.url)
    let history = try Self.history()
    let quakes =
      if let list { try await server(of: list, history) } else { nil as QuakeServer? }
    // Removed only once the port is open: otherwise a demo that already runs would lose its list.
    if fresh {
      cache.removeAll()
      try await Outbox(outbox) {}.signOut(.discard)
    }
    try await quakes?.begin(anew: fresh)
    if offline { try await quakes?.setMode(.offline) }
    let client = try DemoClient(
      source: paging.source(on: feed, pageSize: pageSize), paging: paging.style,
      cache: .files("quakes", in: cache), outbox: outbox, server: quakes, pageSize: pageSize,
      pace: pace.duration)
    let archive = ArchiveClient(
      QuakeArchive(
        at: directory.url.appending(path: "archive/quakes.sqlite"), repeating: history.recorded))
    let page: LoopbackServer
    do {
      page = try await PageServer(port: port, client: client, archive: archive).start()
    } catch {
      throw Unavailable(port: port, option: "--port", error)
    }
    Self.say("Open http://127.0.0.1:\(port)/ in a browser. Control-C stops the demo.")
    if quakes != nil {
      Self.say("The feed server: http://127.0.0.1:\(feedPort)/quakes (try: freshet watch on it)")
    } else {
      Self.say("Without a feed server: rows come from the cache.")
    }
    try await play(client, archive, page, quakes, list)
  }

  /// Starts a feed server for a list on its port.
  private func server(
    of list: QuakeList, _ history: QuakeHistory
  ) async throws -> QuakeServer {
    let quakes = QuakeServer(
      port: feedPort, list: list, history: history, pace: pace.duration, isPlaying: !paused)
    do {
      try await quakes.listen()
    } catch {
      throw Unavailable(port: feedPort, option: "--feed-port", error)
    }
    return quakes
  }

  /// Runs all parts until the first one ends with an error.
  @MainActor
  private func play(
    _ client: DemoClient, _ archive: ArchiveClient, _ page: LoopbackServer,
    _ quakes: QuakeServer?, _ list: QuakeList?
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await page.finish() }
      if let quakes { group.addTask { try await quakes.play() } }
      if let list {
        group.addTask {
          for await trouble in list.troubles {
            Self.say("store: \(trouble ?? "the list is up to date again")")
          }
        }
      }
      group.addTask { try await client.run() }
      group.addTask { try await archive.run() }
      let updates = client.front.list.updates
      group.addTask {
        for await update in updates where !update.changes.isEmpty { Self.say(update) }
      }
      for try await _ in group {}
    }
  }

  static func history() throws -> QuakeHistory {
    guard let url = Bundle.module.url(forResource: "quakes", withExtension: "csv") else {
      throw ValidationError("The earthquakes are not beside the program: copy its resources too.")
    }
    return QuakeHistory(csv: try String(contentsOf: url, encoding: .utf8), coming: 420)
  }

  /// Writes a text at once, even if the output is a file.
  nonisolated private static func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Prints an update as one line.
  nonisolated private static func say(_ update: ListUpdate<DemoPage.Row>) {
    let changes = update.changes
    let parts = [
      (
        "+",
        changes.insertedRows.count
          + changes.insertedSections.reduce(0) { $0 + update.after.sections[$1].count }
      ),
      (
        "-",
        changes.deletedRows.count
          + changes.deletedSections.reduce(0) { $0 + update.before.sections[$1].count }
      ),
      ("moved ", changes.movedRows.count), ("changed ", changes.updatedRows.count),
    ].filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    say("\(update.origin.rawValue): \(update.value.items.count) rows, \(parts)")
  }
}

/// The paging of the demo's client.
enum DemoPaging: String, ExpressibleByArgument, CaseIterable {
  /// By `Link` headers: pages are stable, and gaps are filled from both ends.
  case link
  /// By offset, as the USGS serves it: pages shift, and the boundaries of pages are checked.
  case offset

  var style: PagingStyle { self == .link ? .linkHeader : .offset(first: 1) }

  func source(on server: URL, pageSize: Int) -> URL {
    let path =
      self == .link
      ? "quakes.geojson?limit=\(pageSize)" : "fdsnws/event/1/query?format=geojson&orderby=time"
    return URL(string: path, relativeTo: server)?.absoluteURL ?? server
  }
}

/// The error for a port that cannot be opened.
struct Unavailable: Error, CustomStringConvertible {
  let port: UInt16
  let option: String
  let reason: String

  init(port: UInt16, option: String, _ error: any Error) {
    self.port = port
    self.option = option
    let text = "\(error)"
    reason = text.contains("Address already in use") ? "another program uses it" : text
  }

  var description: String {
    "Cannot listen on port \(port): \(reason). Choose another with \(option)."
  }
}
