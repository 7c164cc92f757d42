// The examples of the declarations: `Feed`, `Archive`, `Draft` and the others.

import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting

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

struct RowModel: ListItem {
  let id: Int
  init(_ post: Post) { id = post.id }
}

struct Divider: ListItem {
  let day: String
  var id: String { day }
}

struct Order: ListItem {
  let id: Int
  var total = 1
}

enum Entry: ListItem {
  case draft(Post)
  case post(Post)
  var id: String { "\(self)" }
}

struct Profile: Codable {}
struct User { let id = "7" }
struct PostRequest: Sendable {}
struct Change: Sendable {
  let post = Post(id: 1)
  let kind = ChangeKind.update
}

struct API: Sendable {
  func profile() async throws -> Profile { Profile() }
  func posts(_ request: PostRequest) async throws -> [Post] { [] }
  func events(offset: Int, limit: Int) async throws -> [Post] { [] }
  func timeline(
    before cursor: String?, count: Int
  ) async throws -> (posts: [Post], cursor: String?) { ([], nil) }
  func connect() async throws -> AsyncStream<FeedEvent<Post>> { AsyncStream { $0.finish() } }
  var changes: AsyncStream<Change> { AsyncStream { $0.finish() } }
}

actor Account {
  func token(renewed: Bool) async throws -> String { "abc" }
}

final class Table: Sendable {
  func apply<Update: LiveUpdate>(_ update: Update) {}
}

let api = API()
let tableView = Table()
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

func lists(_ home: Feed<Post>, _ lists: Feed<Post>, _ drafts: Feed<Post>) async {
  do {
    // snippet.derived
    let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
      .filter { !$0.isSensitive }
      .separated { above, below in above?.day == below.day ? nil : Divider(day: below.day) }
    for await update in timeline.updates { tableView.apply(update) }
    // snippet.hide
  }
  do {
    // snippet.filtered
    let visible = home.filter { !$0.isSensitive }
    visible.replaceCondition { _ in true }  // another condition: one exact update
    // snippet.hide
  }
  do {
    // snippet.mapped
    let models = home.map(RowModel.init)
    // snippet.separated
    let days = home.separated { above, below in
      above?.day == below.day ? nil : Divider(day: below.day)
    }
    // snippet.merged
    let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
    // snippet.followed
    let all = drafts.map(Entry.draft).followed(by: home.map(Entry.post))
    // snippet.hide
    _ = (models, days, timeline, all)
  }
}

func sums(_ orders: Feed<Order>) async {
  do {
    // snippet.days
    let days = orders.reducedBySection(into: 0) {
      $0 += $1.total
    } inverse: {
      $0 -= $1.total
    }
    for await sums in days { print(sums["Monday"]?.value ?? 0) }
    // snippet.hide
  }
  do {
    // snippet.keys
    let prices = orders.reduced(into: SortedKeys<Int>()) {
      $0.insert($1.total)
    } inverse: {
      $0.remove($1.total)
    }
    for await price in prices { print(price.value.first ?? 0) }
    // snippet.hide
  }
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
  for await value in results.values { print(value.list.count) }  // the newest, with its state
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
    for await update in found.updates { tableView.apply(update) }
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

@MainActor
func results(_ quakes: MemoryStore<Quake>, _ revised: Quake) async throws {
  do {
    // snippet.draft
    let draft = Draft(of: quakes)
    let results = ResultsController(store: draft, arrangement: .sorted(by: \.time))
    draft.update(revised)
    try await draft.commit()  // or draft.discard()
    // snippet.hide
    _ = results
  }
  do {
    // snippet.results
    let results = LiveResults(store: quakes, arrangement: .sorted(by: \.time, .reverse))
    await results.fetch(.all)
    for await update in results.updates { print(update.changes) }
    // snippet.hide
  }
  // snippet.fetched
  let results = ResultsController(
    store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
  results.performFetch(.all)
  print(results.sections[0].name)
  print(try results.object(at: IndexPath(indexes: [0, 3])))  // section 0, row 3
  // snippet.hide
}

func memory(_ quakes: [Quake], _ quake: Quake) async throws {
  // snippet.memory
  let store = MemoryStore(quakes)
  let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
  try await store.write(inserting: [quake])
  // snippet.hide
  _ = results
}

// snippet.store
struct PostStore: DataStore {
  func execute(_ query: DataStoreQuery<Post, PostRequest>) async throws {
    query.enqueue(try await api.posts(query.request), as: .insert)
    query.finishInitialResults()
    for try await event in api.changes { query.enqueue([event.post], as: event.kind) }
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
  // snippet.styles
  let stripe = PagingStyle.lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")
  let charges = HTTPFeedSource<Post>("https://api.example.com/charges", paging: stripe)
  // snippet.hide
  _ = (source, isMasked, commits, posts, charges)
}

func values(_ quakes: [Quake], _ revised: Quake, _ withdrawn: Quake, _ posts: [Post]) throws {
  // snippet.arrangement
  let arrangement = Arrangement<Quake>.sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse)
  // snippet.arranged
  var list = ArrangedList(quakes, arrangement: .sorted(by: \.time, .reverse))
  let update = list.change(upserting: [revised], removing: [withdrawn.id])
  // snippet.snapshot
  let snapshot = ListSnapshot(posts)
  print(snapshot.sections[0].count)
  print(try snapshot.item(at: RowPath(section: 0, row: 3)))
  // snippet.tree
  let rows = RowTree(posts)  // copied in O(1)
  print(rows.count, rows[3].title, rows.map(\.id))
  // snippet.transform
  var shown = MapTransform<Post, RowModel> { RowModel($0) }
  let edits = shown.apply(RowEdits(inserted: [0]), to: RowTree(posts))
  // snippet.hide
  _ = (arrangement, update, edits)
}

func testing(_ update: ListUpdate<Post>) async throws {
  // snippet.changes
  let changes = update.changes
  for path in changes.deletedRows { print("row \(path) of the list before goes") }
  for path in changes.insertedRows { print("row \(path) of the list after is new") }
  for move in changes.movedRows { print("\(move.from) goes to \(move.to)") }
  // snippet.hide
  do {
    // snippet.checker
    var checker = BatchUpdateChecker(update.before)
    assert(checker.violations(performing: update).isEmpty)
    // snippet.hide
  }
  do {
    // snippet.clock
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(30)) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(30))
    // snippet.hide
    _ = task
  }
  // snippet.server
  let server = ScriptedServer((0..<100).map { Post(id: $0) })
  let feed = Feed(server.source(.keyset))
  server.insert(Post(id: 100), at: 0)
  server.failNext(with: URLError(.timedOut))
  // snippet.random
  var random = SeededGenerator(seed: 7)
  server.delete(Int.random(in: 0..<100, using: &random))
  // snippet.hide
  _ = feed
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

#if Postgres
  import FreshetPostgres

  func postgres(pattern: String) async throws {
    // snippet.postgres
    let store = PostgresStore(
      "postgres://app@db.example.com/quakes?sslmode=verify-full", table: "quakes", of: Quake.self)
    try await store.install()  // once, as the table's owner
    let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
    await results.fetch("magnitude >= \(5)")
    // snippet.request
    results.performFetch("magnitude >= \(5) AND place ILIKE \(pattern)")
    // snippet.hide
  }
#endif

func look(into folder: URL) throws {
  // snippet.report
  for report in try CacheReport.reports(at: folder) {
    print(report.name, report.rows, report.problems)
  }
  // snippet.hide
}
