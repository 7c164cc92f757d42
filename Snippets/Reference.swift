// The examples of the declarations of sources, feeds, families and caches.

import Foundation
import Freshet
import FreshetHTTP

// snippet.hide
struct Post: ListItem, Codable {
  let id: Int
  var title = ""
  var author = ""
  var date = Date.distantPast
  var day = ""
  var isSensitive = false
}

struct Quake: ListItem, Codable {
  let id: Int
  var magnitude = 5.0
  var time = Date.distantPast
  var day = ""
}

struct Profile: Codable {}
struct User { let id = "7" }
struct API: Sendable {
  func profile() async throws -> Profile { Profile() }
  func events(offset: Int, limit: Int) async throws -> [Post] { [] }
  func timeline(
    before cursor: String?, count: Int
  ) async throws -> (posts: [Post], cursor: String?) { ([], nil) }
  func connect() async throws -> AsyncStream<FeedEvent<Post>> { AsyncStream { $0.finish() } }
}

actor Account {
  func token(renewed: Bool) async throws -> String { "abc" }
}

let api = API()
func show(_ profile: Profile?) {}
func dim() {}

@MainActor
func caches(_ source: ClosureSource<Post, String>, _ user: User) async throws {
  do {
    // snippet.archive
    let profile = Archive<Profile>("profile", version: 2)
    show(profile.load())  // at once, or nil
    if let fresh = try? await api.profile() {
      show(fresh)
      try profile.save(fresh)
    }
    // snippet.hide
  }
  do {
    // snippet.directory
    let account = CacheDirectory.default.directory(named: user.id)
    let feed = FeedController(source, cache: .file("home", in: account))
    account.removeAll()  // signed out
    // snippet.hide
    _ = feed
  }
  do {
    // snippet.limits
    let limits = CacheLimits(bytes: 64 << 20, age: .seconds(30 * 86_400))
    let caches = CacheDirectory.default.limited(to: limits)
    let feed = FeedController(source, cache: .file("home", in: caches))
    // snippet.hide
    _ = feed
  }
  do {
    // snippet.choice
    let feed = FeedController(source, cache: .file("home"))
    // snippet.hide
    _ = feed
  }
  do {
    // snippet.files
    let cache = FileFeedCache<Post>("home", version: 2, coder: JSONCoder())
    let feed = Feed(source, cache: FeedCacheChoice(cache))
    // snippet.hide
    _ = feed
  }
  // snippet.coder
  let coder = SecureCodingCoder(NSDate.self)  // a class that conforms to `NSSecureCoding`
  let bytes = try coder.encode([NSDate()])
  // snippet.hide
  _ = bytes
}

@MainActor
func feeds(_ source: ClosureSource<Post, String>, _ feed: Feed<Post>) async throws {
  do {
    // snippet.feed
    let feed = Feed(source, cache: .file("home"))
    await feed.refresh()
    for await update in feed.updates { print(update.changes) }
    // snippet.hide
  }
  do {
    // snippet.follow
    while !Task.isCancelled {
      // Ends with the connection.
      if let events = try? await api.connect() { try? await feed.follow(events) }
      try await Task.sleep(for: .seconds(5))
    }
    // snippet.hide
  }
  do {
    // snippet.policy
    let configuration = FeedConfiguration(retryPolicy: RetryPolicy(attempts: 3))
    // snippet.hide
    _ = configuration
  }
}

func live(_ feed: Feed<Post>, _ results: LiveResults<Quake, MemoryStore<Quake>.Request>) async {
  // snippet.live
  for await update in feed.updates { print(update.changes) }  // each step, exact
  for await value in results.values { print(value.items.count) }  // the newest, with its state
  // snippet.hide
}

struct BookSource: FeedSource {
  init(_ query: String) {}
  // snippet.hide
  func page(_ request: PageRequest<String>) async throws -> Page<Post, String> {
    Page([], next: nil)
  }
}

@MainActor
func families(_ posts: MemoryStore<Post>) async {
  // snippet.family
  let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }

  await books["maps"].refresh()  // a feed like any other
  await books.prefetch("charts")  // it is there when somebody looks
  books.invalidate { $0.hasPrefix("m") }  // asked again, now or once somebody looks
  // snippet.hide
  do {
    // snippet.stored
    let found = FeedFamily(cache: .store(posts, named: "search")) { (query: String) in
      BookSource(query)
    }
    // snippet.hide
    _ = found
  }
  do {
    // snippet.query
    let found = QueryFeed(books, query: "")
    found.show("maps", debounce: .milliseconds(300))
    for await update in found.updates { print(update.changes) }
    // snippet.hide
  }
  do {
    // snippet.controller
    let found = QueryController(books, query: "")
    found.show("maps", debounce: .milliseconds(300))
    if found.isShowingOldRows { dim() }
    // snippet.hide
  }
}

// snippet.source
struct Timeline: FeedSource {
  func page(_ request: PageRequest<String>) async throws -> Page<Post, String> {
    let answer = try await api.timeline(before: request.key, count: request.limit)
    return Page(answer.posts, next: answer.cursor)
  }
}
// snippet.hide

func sources(_ url: URL, _ account: Account) throws {
  // snippet.offset
  let source = OffsetSource { offset, limit in try await api.events(offset: offset, limit: limit) }
  // snippet.log
  print("Loading \(LogText(url))")
  // snippet.masks
  let isMasked = LogText.masksSecret(in: "https://api.example.com/list?api_key=12345")  // true
  // snippet.credentials
  let commits = try HTTPFeedSource<Post>(
    url,
    credentials: HTTPCredentials { refreshing in
      .bearer(try await account.token(renewed: refreshing))
    })
  // snippet.pointer
  let posts = HTTPFeedSource<Post>("https://api.example.com/posts", items: "/data/rows")
  // snippet.start
  let pages = HTTPFeedSource<Post>("https://api.example.com/posts", paging: .page(size: "count"))
  let archive = Feed(pages, startingAt: .page(7))
  // snippet.styles
  let stripe = PagingStyle.lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")
  let charges = HTTPFeedSource<Post>("https://api.example.com/charges", paging: stripe)
  // snippet.custom
  let windows = PagingStyle.custom("windows", reading: ["/meta/until"]) { answer in
    answer.text(at: "/meta/until").map { "?since=\($0)" }  // relative to the page's own URL
  }
  let readings = HTTPFeedSource<Post>("https://api.example.com/readings", paging: windows)
  // snippet.hide
  _ = readings
  // snippet.hide
  _ = (source, isMasked, commits, posts, archive, charges)
}

#if canImport(SwiftUI)
  import SwiftUI

  struct PostRow: View {
    let post: Post
    let isSending: Bool
    init(_ post: Post, isSending: Bool) { (self.post, self.isSending) = (post, isSending) }
    var body: some View { Text(post.title) }
  }

  @MainActor
  func row(_ feed: FeedController<Post>, _ post: Post) -> some View {
    // snippet.pending
    PostRow(post, isSending: feed.value.pendingEdits.contains(post.id))
    // snippet.hide
  }
#endif

func look(into folder: URL) throws {
  // snippet.report
  for report in try CacheReport.reports(at: folder) {
    print(report.name, report.rows, report.problems)
  }
  // snippet.hide
  // snippet.outboxReport
  for report in try OutboxReport.reports(at: OutboxStorage.defaultFolder) {
    print(report.url.path, report.pending.count, report.failed.count)
  }
  // snippet.hide
}
