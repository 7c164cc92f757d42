import Foundation
import Freshet
import FreshetHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Network)
  import Network
#endif

/// All lists of the app.
@MainActor
final class QuakeModel {
  static let demoServer =
    URL(string: "http://127.0.0.1:8318") ?? URL(fileURLWithPath: "/")

  /// North and south of the equator.
  let halves: [QueryController<QuakeQuery, Quake>]
  /// Both as one list, by day.
  let home: ListController<DerivedList<Quake>>
  /// What is searched for.
  let found: QueryController<QuakeQuery, Quake>
  private let quakes: FeedFamily<QuakeQuery, Quake>
  private let server: URL

  init(server: URL) {
    self.server = server
    quakes = FeedFamily(cache: .files("quakes")) { (query: QuakeQuery) in
      try HTTPFeedSource<Quake>(query.url(on: server), paging: .linkHeader)
    }
    let north = QueryController(quakes, query: QuakeQuery(part: .north))
    let south = QueryController(quakes, query: QuakeQuery(part: .south))
    halves = [north, south]
    home = north.list.merged(with: south.list, sortedBy: \.properties.time, .reverse)
      .sectioned { $0.day }
      .controller()
    found = QueryController(quakes, query: QuakeQuery())
  }

  /// Shows what is on disk, then follows the server for as long as the app is there.
  func run() async {
    for half in halves { half.loadCacheSynchronously() }
    #if canImport(Network)
      let paths = pausing()
      defer { paths.cancel() }
    #endif
    await home.refresh()
    for half in halves { half.holdNew() }  // until the reader asks for them
    await withTaskGroup { group in
      for half in halves {
        group.addTask { try? await half.follow(Self.ticks()) }
      }
    }
  }

  /// Says every two seconds that something may have changed: the demo's server has no events of its
  /// own.
  nonisolated private static func ticks() -> AsyncStream<FeedEvent<Quake>> {
    AsyncStream {
      (try? await Task.sleep(for: .seconds(2))).map { .invalidate }
    }
  }

  #if canImport(Network)
    /// Loads wait while there is no network.
    private func pausing() -> NWPathMonitor {
      let monitor = NWPathMonitor()
      let (home, found) = (home, found)
      monitor.pathUpdateHandler = { path in
        let isThere = path.status == .satisfied
        Task { @MainActor in
          if isThere { home.resume() } else { home.pause() }
          if isThere { found.resume() } else { found.pause() }
        }
      }
      monitor.start(queue: .main)
      return monitor
    }
  #endif

  // MARK: - Edits

  /// Stars a quake, or takes the star away: seen at once in all lists, undone where the server does
  /// not take it.
  func star(_ quake: Quake, _ isStarred: Bool) async throws {
    var request = URLRequest(
      url: server.appending(path: "stars").appending(path: quake.id)
        .appending(queryItems: [URLQueryItem(name: "on", value: "\(isStarred)")]))
    request.httpMethod = "POST"
    let sent = Task { [request] in
      let (_, response) = try await URLSession.shared.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard (200..<300).contains(status) else { throw URLError(.badServerResponse) }
    }
    try await withThrowingTaskGroup { group in
      for list in halves + [found] where list.path(of: quake.id) != nil {
        group.addTask {
          try await list.update(quake.id, optimistically: { $0.properties.starred = isStarred }) {
            try await sent.value
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
