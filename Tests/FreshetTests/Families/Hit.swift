import Freshet
import FreshetTesting

/// A row that says which query it was found for; queries share ids.
struct Hit: ListItem, Codable, CustomStringConvertible {
  let id: Int
  let query: Int
  var version = 0

  var description: String { "\(query):\(id)" }
}

/// A server with a list for each query, and a family of them.
struct Hits {
  let servers = (0..<4).map { query in
    ScriptedServer((0..<30).filter { $0 % (query + 1) == 0 }.map { Hit(id: $0, query: query) })
  }

  func family(
    cache: FamilyCache<Hit>? = nil, maximumFeeds: Int = 16,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> FeedFamily<Int, Hit> {
    FeedFamily(
      cache: cache, maximumFeeds: maximumFeeds,
      configuration: FeedConfiguration(pageSize: 8, clock: clock)
    ) { [servers] (query: Int) in servers[query].source(.keyset) }
  }

  /// How many requests each list got.
  var requests: [Int] { servers.map(\.requests.count) }
}
