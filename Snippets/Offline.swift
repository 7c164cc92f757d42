// A list that is there without a network.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
}

struct User {
  let id: String
}

@MainActor
func open(_ source: ClosureSource<Post, String>, _ user: User) async -> FeedController<Post> {
  // snippet.open
  let account = CacheDirectory.default.directory(named: user.id)
  let feed = FeedController(source, cache: .file("home", version: 2, in: account))
  feed.loadCacheSynchronously()  // the first screen, before it is drawn
  Task { await feed.refresh() }  // offline, it fails and the rows stay
  // snippet.hide
  return feed
}

@MainActor
func use(_ feed: FeedController<Post>, _ firstOnScreen: Post, _ account: CacheDirectory) async {
  // snippet.reader
  feed.anchor = firstOnScreen.id  // as the reader scrolls
  await feed.flush()  // when the app goes to the background
  // snippet.return
  await feed.loadCache()  // all rows, not the first screen alone
  if let id = feed.anchor, let path = feed.path(of: id) { print("scroll to \(path)") }
  // snippet.signout
  account.removeAll()
  // snippet.off
  account.isEnabled = false  // nothing in it is read or written; what is stored stays
  // snippet.hide
}

func log(_ feed: Feed<Post>) async {
  // snippet.issues
  for await issue in feed.cacheIssues { print("cache: \(issue)") }
  // snippet.hide
}

#if canImport(Network)
  import Network

  func watch(_ feed: Feed<Post>) -> NWPathMonitor {
    // snippet.network
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { $0.status == .satisfied ? feed.resume() : feed.pause() }
    monitor.start(queue: .global())
    // snippet.hide
    return monitor
  }
#endif
