import Foundation
import FreshetTesting

@testable import Freshet

/// A random history of a feed over a store, live results of the store, and another feed of one map.
///
/// The first feed writes into the store some time after it learned a version. Other writers change
/// the store at any time. Answers are fixed when they are asked for and arrive in any order.
struct StoredFeedHistory {
  /// The object that stands for the store.
  private final class Store: Sendable {}

  /// Notes the changes that a feed stores, and writes none of them.
  private final class WriteQueue: BlockingCache, @unchecked Sendable {
    private let model = ModelCache()
    private var known: [Int: Post] = [:]
    var writes: [ChangeBatch<Post>] = []
    var violations: [String] { model.violations }

    func save(_ commit: FeedCommit<Post>) -> Bool {
      _ = model.save(commit)
      var items: [Int: Post] = [:]
      for case .item(let post, _) in model.rows { items[post.id] = post }
      var changes = ChangeBatch<Post>()
      for id in known.keys.sorted() where items[id] == nil { changes.addDeletion(of: id) }
      for (id, post) in items.sorted(by: { $0.key < $1.key }) where known[id] != post {
        changes.add(post, as: known[id] == nil ? .insert : .update)
      }
      known = items
      if !changes.isEmpty { writes.append(changes) }
      return true
    }

    func loadFirst() -> CachedRows<Post>? { model.loadFirst() }
    func loadRest() -> CachedRows<Post> { model.loadRest() }
    func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Post>.Row]? {
      model.load(range, of: count)
    }
    func removeAll() {}
    func takeIssues() -> [CacheIssue] { [] }
  }

  private final class Woken: Sendable {
    let lists = Locked<Set<Int>>([])
  }

  private var random: SeededGenerator
  private let hub = SharedItemsHub(SharedItems())
  private let store = Store()
  private let woken = Woken()
  private var registration: StoredFeeds.Registration?
  /// The first feed has the store.
  private var feeds: [SharedFeed] = []
  private let queue = WriteQueue()
  private var stored: [Int: Post] = [:]

  // The live results, and what their query has received; `nil` while none is running.
  private var machine = ResultsMachine(arrangement: Arrangement<Post>.all.erased)
  private let results: ResultsSharing
  private var inbox: ChangeInbox<Post>?
  private var fetch: StoreFetch?
  private var status = QueryStatus()

  private var versions: [Int: Int] = [:]
  private var deleted: Set<Int> = []
  /// The newest version that any list learned of each item.
  private var learned: [Int: Int] = [:]
  private var lastVersion = 0
  private var time = 0.0
  private(set) var violations: [String] = []
  private(set) var log: [String] = []
  private let isLogged: Bool

  /// - Parameter isMarked: whether the store knows what the feed wrote.
  init(seed: Int, isMarked: Bool, isLogged: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.isLogged = isLogged
    results = ResultsSharing(
      member: SharedMember(hub) { [woken] in woken.lists.withLock { _ = $0.insert(2) } },
      store: store)
    for id in 0..<Int.random(in: 3...10, using: &random) { versions[id] = 0 }
    for index in 0..<2 {
      let ids = versions.keys.sorted().filter { _ in !random.oneIn(3) }
      var history = History(
        ids, isCached: index == 0,
        configuration: FeedConfiguration(
          pageSize: Int.random(in: 2...4, using: &random), deletionHorizon: .seconds(3)))
      if index == 0 { history.cache = queue }
      history.machine.shared = SharedRows()
      let sharing = FeedSharing(
        member: SharedMember(hub) { [woken] in woken.lists.withLock { _ = $0.insert(index) } })
      feeds.append(SharedFeed(history: history, sharing: sharing))
    }
    let home = isMarked ? StoredFeed(store, named: "home") : nil
    let member = feeds[0].sharing.member.number
    registration = home.map { [hub] in hub.feeds.register($0, member) { true } }
    machine.share()
    for id in versions.keys.sorted() where random.oneIn(2) { stored[id] = Post(id: id) }
  }

  // MARK: - Steps

  mutating func run(steps: Int) {
    for _ in 0..<steps where violations.isEmpty {
      time += 1
      step()
      check()
    }
    if violations.isEmpty { complete() }
  }

  private mutating func step() {
    let feed = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0...2: load(feed)
    case 3...6: deliver(to: feed)
    case 7...9: _ = takeNews()
    case 10: change()
    case 11: report(to: feed)
    case 12: move(in: feed)
    case 13: writeOther()
    case 14: if random.oneIn(4) { deleteOther() }
    case 15, 16: _ = write()
    case 17: if random.oneIn(2) || fetch == nil { fetchResults() }
    default: receive(isComplete: random.oneIn(2))
    }
  }

  private mutating func apply(
    _ index: Int, _ name: String, _ event: (inout FeedMachine, FeedSharing, Date) -> Void
  ) {
    feeds[index].apply(at: time, event)
    if isLogged { log.append("\(index): \(name) -> \(feeds[index].history.machine.value.outline)") }
    violations += feeds[index].history.violations + queue.violations
  }

  private mutating func applyToResults(
    _ name: String, _ event: (inout ResultsMachine) -> ListStep<AnyItem>?
  ) {
    _ = machine.publish(event(&machine))
    while true {
      let news = results.exchange(&machine)
      if news.isEmpty { break }
      for step in machine.take(news) { _ = machine.publish(step) }
    }
    results.member.wakeOthers()
    if isLogged { log.append("results: \(name) -> \(items)") }
  }

  private var items: [Post] { Array(ListValue<Post>(shared: machine.shown).items) }

  private mutating func load(_ index: Int) {
    let edge = feeds[index].edges.randomElement(using: &random) ?? .refresh
    apply(index, "load \(edge)") { machine, _, _ in machine.load(edge) }
  }

  private mutating func deliver(to index: Int) {
    guard let chosen = feeds[index].history.pending.indices.randomElement(using: &random) else {
      return
    }
    let request = feeds[index].history.pending.remove(at: chosen)
    let answer = (request.answer ?? .failure(.unreached)).map(\.erased)
    for post in (try? answer.get().items.map(\.post)) ?? [] { learn(post) }
    apply(index, "answer \(answer.map { $0.items })") { machine, sharing, now in
      machine.receive(
        sharing.resolve(answer, for: request.ticket, &machine), for: request.ticket, at: now)
    }
  }

  private mutating func takeNews() -> Bool {
    guard let list = woken.lists.withLock({ $0.sorted().randomElement(using: &random) }) else {
      return false
    }
    woken.lists.withLock { _ = $0.remove(list) }
    if list == 2 { applyToResults("news") { _ in nil } } else { apply(list, "news") { _, _, _ in } }
    return true
  }

  private mutating func learn(_ post: Post) {
    learned[post.id] = max(learned[post.id] ?? 0, post.version)
  }

  // MARK: - The source

  /// An item changes at the source, and in the store if no feed brings it there.
  @discardableResult
  private mutating func change() -> Post? {
    guard let id = versions.keys.sorted().randomElement(using: &random) else { return nil }
    lastVersion += 1
    versions[id] = lastVersion
    let post = Post(id: id, version: lastVersion)
    for feed in feeds { feed.history.server.update(post) }
    if isLogged { log.append("change \(post)") }
    let isFeedItem = feeds[0].history.machine.timeline.order(of: RowID(post: id)) != nil
    if stored[id] != nil, !isFeedItem { put(ChangeBatch(inserting: [post]), of: nil) }
    return post
  }

  /// The source reports an item to a feed, which has it or not.
  private mutating func report(to index: Int) {
    guard let post = change() else { return }
    var event = FeedEvent.update(post)
    if random.oneIn(4) {
      event = .delete(post.id)
      (versions[post.id], learned[post.id]) = (nil, nil)
      deleted.insert(post.id)
      for feed in feeds { feed.history.server.delete(post.id) }
    } else {
      learn(post)
    }
    lastVersion += 1
    apply(index, "event \(event)") { [lastVersion] machine, sharing, now in
      machine.follow(
        sharing.resolve(event.erased, after: sharing.member.lastRequest, &machine),
        token: lastVersion + 1_000_000, at: now)
    }
    // What the feed does not have, others delete from the store.
    if case .delete(let id) = event { put(ChangeBatch(deleting: id), of: nil) }
  }

  /// An item leaves the list of a feed, or gets into it.
  private mutating func move(in index: Int) {
    guard let id = versions.keys.sorted().randomElement(using: &random) else { return }
    let server = feeds[index].history.server
    if server.items.contains(where: { $0.id == id }) {
      server.delete(id)
    } else {
      server.insert(Post(id: id, version: versions[id] ?? 0), at: 0)
    }
  }

  // MARK: - The store

  /// Another writer changes an item in the store, and at the source.
  private mutating func writeOther() {
    guard let post = change() else { return }
    put(ChangeBatch(inserting: [post]), of: nil)
  }

  private mutating func deleteOther() {
    guard let id = stored.keys.sorted().randomElement(using: &random) else { return }
    put(ChangeBatch(deleting: id), of: nil)
  }

  /// The feed writes its next step.
  private mutating func write() -> Bool {
    guard !queue.writes.isEmpty else { return false }
    put(queue.writes.removeFirst(), of: "home")
    return true
  }

  private mutating func put(_ changes: ChangeBatch<Post>, of feed: String?) {
    for change in changes.all { stored[change.id] = change.item }
    if isLogged {
      let texts = changes.all.map { "\($0.kind) \($0.item ?? Post(id: $0.id))" }
      log.append("\(feed ?? "another writer") writes \(texts)")
    }
    guard let inbox else { return }
    let isEcho = feed.map(results.isEcho(of:)) ?? false
    _ = inbox.add(
      isEcho ? changes.asEchoes() : changes, status, after: results.member.lastRequest)
    guard status.isComplete else { return }
    if !isEcho, feed == nil { for post in changes.upserted { learn(post) } }
    receive(isComplete: true)
  }

  /// Live results begin a fetch, and the feed stores what it shows first, if the store takes it.
  private mutating func fetchResults() {
    var fetch = results.beginRequest(beside: results.feeds)
    applyToResults("fetch") { [fetch] machine in
      machine.begin(isSame: true, arrangement: nil, requestNumber: fetch.moment.request)
    }
    inbox = nil
    if random.oneIn(3) {
      if fetch.settled != nil { fetch.settled = 0 }
    } else {
      apply(0, "store all") { _, _, _ in }
      while write() {}
    }
    self.fetch = fetch
    status = QueryStatus()
    inbox = ChangeInbox()
    _ = inbox?.add(
      ChangeBatch(inserting: stored.values.sorted { $0.id < $1.id }), status, after: 0)
  }

  /// What the query received so far reaches the results.
  private mutating func receive(isComplete: Bool) {
    guard let inbox, let fetch else { return }
    if isComplete, !status.isComplete {
      status.isComplete = true
      _ = inbox.add(ChangeBatch(), status)
    }
    let (initial, later, last, status) = inbox.take()
    var changes = initial
    changes.add(later)
    let items = results.resolve(changes, later: later, after: last, in: fetch)
    applyToResults("received") { machine in
      machine.receive(
        upserting: items, removing: changes.deleted.map { RowID(post: $0) }, status,
        of: machine.fetch)
    }
  }

  // MARK: - Laws

  private mutating func check() {
    for id in learned.keys where hub.item(RowID(post: id)) == nil { learned[id] = nil }
    guard violations.isEmpty, woken.lists.withLock(\.isEmpty) else { return }
    var shown: [Int: Post] = [:]
    let isStored = queue.writes.isEmpty && status.isComplete
    for posts in feeds.map({ Array($0.history.machine.value.items) }) + [items] {
      for post in posts {
        if let other = shown[post.id], other != post {
          violations.append("I1: \(other) and \(post) are shown")
        }
        shown[post.id] = post
        if let newest = learned[post.id], post.version < newest {
          violations.append("I1: \(post) is shown, and version \(newest) is known")
        }
        if deleted.contains(post.id), isStored {
          violations.append("I3: \(post) is shown, and was deleted")
        }
      }
    }
  }

  private mutating func settle(_ index: Int) {
    for _ in 0..<1_000 where violations.isEmpty {
      if !feeds[index].history.pending.isEmpty {
        deliver(to: index)
      } else if !takeNews(), !write() {
        return
      }
    }
    if violations.isEmpty { violations.append("I1: two versions replace each other without end") }
  }

  /// Everything is loaded and stored: all lists and the store have the newest versions.
  private mutating func complete() {
    for index in feeds.indices {
      settle(index)
      apply(index, "refresh all") { machine, _, _ in machine.load(.refresh, scope: .all) }
      settle(index)
      for _ in 0..<60 where violations.isEmpty {
        let timeline = feeds[index].history.machine.timeline
        if let gap = timeline.gaps.keys.min() {
          apply(index, "load gap") { machine, _, _ in machine.load(.gap(gap)) }
        } else if timeline.tail != .end {
          apply(index, "load next") { machine, _, _ in machine.load(.next) }
        } else {
          break
        }
        settle(index)
      }
      let (shown, server) = (feeds[index].history.machine.value, feeds[index].history.server.items)
      if violations.isEmpty, Array(shown.items) != server {
        violations.append("T6: \(index) shows \(shown.outline), and its server has \(server)")
      }
    }
    fetchResults()
    receive(isComplete: true)
    settle(0)
    check()
    let held = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
    if violations.isEmpty, Set(held.keys) != Set(stored.keys) {
      violations.append("S1: \(items) are shown, and the store has \(stored)")
    }
    for post in feeds[0].history.machine.value.items where violations.isEmpty {
      if let item = stored[post.id], item != post {
        violations.append("S1: the store has \(item), and \(post) is shown")
      }
    }
  }
}

extension ChangeBatch {
  fileprivate init(deleting id: Item.ID) {
    self.init()
    addDeletion(of: id)
  }
}
