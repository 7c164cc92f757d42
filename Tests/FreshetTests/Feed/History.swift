import Foundation
import FreshetTesting
import Synchronization

@testable import Freshet

/// A random history: a server changes, a user loads, answers come late, twice, out of order, or not
/// at all.
///
/// Nothing runs by itself, so a seed says it all.
struct History {
  enum Changes {
    /// Rows come at the head.
    case headOnly
    /// Rows come, go and change anywhere.
    case noMoves
    /// Rows also move.
    case all
  }

  /// Seconds since the history began.
  var time = 0.0

  typealias Machine = FeedMachine<Post>

  struct Request {
    let ticket: Machine.Ticket
    let request: PageRequest<PageKey>
    var answer: Machine.Answer?
  }

  var random: SeededGenerator
  let paging: ScriptedPaging
  let changes: Changes
  let server: ScriptedServer<Post>
  var machine: Machine
  var pending: [Request] = []
  /// Loads that wait before they are asked for again.
  var pausing: [Machine.Ticket] = []
  var checker = BatchUpdateChecker<FeedRow<Post>>()
  /// The server's list after every change, oldest first.
  var versions: [[Post]]
  var violations: [String] = []
  var log: [String] = []
  var freshID = 1000
  var isResting = false
  /// Whether the user also edits by hand and cancels, and the list may be replaced.
  let isWild: Bool
  let section: (@Sendable (Post) -> String)?
  /// Where the feed begins, if not at the head.
  let start: PageKey?
  var lastWaiter = 0
  /// Who waits and was not told yet.
  var waiting: Set<Int> = []
  /// Whether the user edits and the source is told, and the source sends news.
  let isEdited: Bool
  /// Edits of which the source has not decided yet.
  var edits: [(token: Int, edit: Edit)] = []
  var lastToken = 0
  /// What the source deleted: it never comes back.
  var gone: Set<Int> = []

  enum Edit {
    case update(Int)
    case delete(Int)
    case insert(temporary: Int)
  }
  /// What is stored, and whether only a part of it is to be in memory.
  var cache: (any BlockingCache<Post>)?
  let isWindowed: Bool
  /// Rows that were read from disk and did not arrive yet.
  var reads: [(ticket: Machine.Ticket, rows: [CachedRows<Post>.Row]?)] = []

  init(
    seed: Int, paging: ScriptedPaging, changes: Changes, sectioned: Bool = false,
    isWild: Bool = false,
    isEdited: Bool = false, isWindowed: Bool = false
  ) {
    random = SeededGenerator(seed: seed)
    self.paging = paging
    self.changes = changes
    self.isWild = isWild
    self.isEdited = isEdited
    self.isWindowed = isWindowed
    cache = isWindowed ? ModelCache() : nil
    let items = (0..<Int.random(in: 0...24, using: &random)).map { Post(id: $0) }
    server = ScriptedServer(items)
    versions = [items]
    let key: @Sendable (Post) -> String = { "\($0.id / 4 % 5)" }
    section = sectioned ? key : nil
    let replaces = isWild ? random.oneIn(3) : false
    var configuration = FeedConfiguration(
      pageSize: Int.random(in: 2...6, using: &random),
      refreshPolicy: replaces ? .replace : .keepGap,
      refreshPages: Int.random(in: 1...3, using: &random),
      prefetchDistance: 3,
      staleAfter: random.oneIn(2) ? .seconds(Int.random(in: 1...8, using: &random)) : nil,
      retryPolicy: RetryPolicy(
        attempts: Int.random(in: 0...2, using: &random), generator: SeededGenerator(seed: seed)))
    let begins = random.oneIn(3) && paging == .keyset && changes != .headOnly
    let first = Int.random(in: 0...items.count, using: &random)
    start = begins && first > 0 ? try? PageKey(server.key(ofPageAt: first)) : nil
    if isWindowed {
      configuration.maximumRows = configuration.pageSize * Int.random(in: 2...4, using: &random)
    }
    machine = Machine(
      configuration: configuration, continuity: server.source(paging).continuity,
      isCached: isWindowed, start: start,
      section: section)
  }

  // MARK: - Steps

  mutating func run(steps: Int) {
    perform("load", machine.load(.head))
    for _ in 0..<steps {
      step()
      if !violations.isEmpty { return }
    }
    perform("resume", machine.resume())
    settle()
    if violations.isEmpty, !waiting.isEmpty { violations.append("R1: \(waiting) were not told") }
    if isWild { perform("show", machine.showNew()) }
  }

  mutating func step() {
    time += 1
    machine.now = Date(timeIntervalSince1970: time)
    if let cache, !isWild, random.oneIn(30) { return relaunch(from: cache) }
    if isEdited, random.oneIn(4) { return random.oneIn(2) ? beginEdit() : endEdit() }
    switch Int.random(in: 0..<(isWild ? 17 : 15), using: &random) {
    case 15: perform("hold", machine.holdNew())
    case 16: perform("show", machine.showNew())
    case 12 where isWild: edit()
    case 13:
      lastWaiter += 1
      waiting.insert(lastWaiter)
      perform(
        "wait \(lastWaiter)", machine.load(random.oneIn(2) ? .tail : .head, waiter: lastWaiter))
    case 14 where lastWaiter > 0:
      let waiter = Int.random(in: 1...lastWaiter, using: &random)
      perform("cancel \(waiter)", machine.cancel(waiter: waiter))
    case 0...2: changeServer()
    case 3 where random.oneIn(8): server.expireCursors()
    case 3: perform("refresh", machine.load(.head))
    case 4...5: perform("loadMore", machine.load(.tail))
    case 6:
      if let gap = machine.timeline.gaps.keys.sorted().randomElement(using: &random) {
        let side: Gap.Side = random.oneIn(2) ? .above : .below
        perform("load gap \(gap) from \(side)", machine.load(.gap(gap), from: side))
      }
    case 7 where random.oneIn(2): perform("loadPrevious", machine.load(.top))
    case 7: perform("retry", machine.retry())
    case 9 where random.oneIn(12): perform("pause", machine.pause())
    case 9 where random.oneIn(4): perform("resume", machine.resume())
    case 8 where random.oneIn(2):
      if let id = machine.value.items.randomElement(using: &random)?.id {
        perform("display \(id)", machine.willDisplay(id))
      }
    case 8: serve()
    case 9 where random.oneIn(2): read()
    case 9: random.oneIn(2) ? serve() : proceed()
    default: deliver()
    }
  }

  /// An edit that the source will be told of, or news.
  mutating func beginEdit() {
    lastToken += 1
    let id = machine.value.items.map(\.id).filter { $0 >= 0 }.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      edits.append((lastToken, .update(id)))
      perform("update \(id)", machine.update(id, token: lastToken) { $0.version += 1000 })
    case 1:
      edits.append((lastToken, .delete(id)))
      perform("delete \(id)", machine.delete(id, token: lastToken))
    case 2:
      let temporary = -lastToken
      edits.append((lastToken, .insert(temporary: temporary)))
      let other = random.oneIn(2) ? nil : id
      perform(
        "insert \(temporary) after \(other ?? -1)",
        machine.insert(Post(id: temporary), after: other, token: lastToken))
    default: news()
    }
  }

  /// The source takes an edit, or does not.
  mutating func endEdit(isTaken: Bool? = nil) {
    guard let index = edits.indices.randomElement(using: &random) else { return }
    let (token, edit) = edits.remove(at: index)
    guard isTaken ?? !random.oneIn(3) else {
      return perform("undo \(edit)", machine.undo(token))
    }
    var created: Post?
    switch edit {
    case .update(let id):
      if var post = server.items.first(where: { $0.id == id }) {
        post.version += 1000
        server.update(post)
      }
    case .delete(let id):
      server.delete(id)
      gone.insert(id)
    case .insert:
      created = Post(id: freshID)
      freshID += 1
      if let created { server.insert(created, at: 0) }
    }
    versions.append(server.items)
    if created != nil, random.oneIn(3) { deliver() }
    perform("taken \(edit)", machine.take(token, as: created))
  }

  /// Something happens on the server, and it says so.
  mutating func news() {
    let items = server.items
    if let post = items.randomElement(using: &random), random.oneIn(2) {
      server.delete(post.id)
      gone.insert(post.id)
      perform(
        "news: \(post.id) went", machine.receive(.delete(post.id), token: -lastToken))
    } else if var post = items.randomElement(using: &random) {
      post.version += 1
      server.update(post)
      guard machine.timeline.item(post.id) != nil || machine.timeline.mayBeStored(post.id) else {
        return
      }
      perform("news: \(post)", machine.receive(.upsert(post), token: -lastToken))
    }
    versions.append(server.items)
  }

  /// R6: what the user does is seen, and what went does not come back.
  mutating func checkEdits() {
    let shown = Dictionary(uniqueKeysWithValues: machine.value.items.map { ($0.id, $0) })
    for (_, edit) in edits {
      switch edit {
      case .update(let id):
        if let post = shown[id], post.version < 1000 {
          violations.append("R6: \(id) lost its edit")
        }
      case .delete(let id):
        if shown[id] != nil { violations.append("R6: \(id) came back") }
      case .insert(let temporary):
        if shown[temporary] == nil { violations.append("R6: \(temporary) went") }
      }
    }
    let back = gone.intersection(shown.keys)
    if !back.isEmpty { violations.append("R6: \(back) came back from the dead") }
  }

  /// The server comes to rest; everything under way arrives.
  mutating func settle() {
    while !pending.isEmpty || !pausing.isEmpty || !reads.isEmpty {
      proceed()
      deliver()
      read()
      if !violations.isEmpty { return }
    }
  }

  /// Reads all rows back that are on disk.
  mutating func readAll() {
    machine.configuration.maximumRows = nil
    while violations.isEmpty, let gap = machine.timeline.unloaded.keys.min() {
      perform("read gap \(gap)", machine.load(.gap(gap)))
      settle()
    }
  }

  /// Refreshes, then loads gaps and the end until nothing is left to load.
  mutating func complete(_ scope: RefreshScope = .head) {
    isResting = true
    while !edits.isEmpty { endEdit() }
    readAll()
    perform("refresh \(scope)", machine.load(.head, scope: scope))
    settle()
    for _ in 0..<200 where violations.isEmpty {
      if let gap = machine.timeline.gaps.keys.min() {
        let side: Gap.Side = random.oneIn(2) ? .above : .below
        perform("load gap \(gap) from \(side)", machine.load(.gap(gap), from: side))
      } else if machine.timeline.head != .end {
        perform("loadPrevious", machine.load(.top))
      } else if machine.timeline.tail != .end {
        perform("loadMore", machine.load(.tail))
      } else {
        return
      }
      settle()
    }
    if violations.isEmpty { violations.append("completing does not end") }
  }

  mutating func changeServer() {
    var items = server.items
    let kind = changes == .headOnly ? 0 : Int.random(in: 0...5, using: &random)
    let at = items.isEmpty ? 0 : Int.random(in: 0..<items.count, using: &random)
    switch kind {
    case 0, 1:
      let post = Post(id: freshID)
      freshID += 1
      server.insert(post, at: kind == 0 ? 0 : at)
    case 2 where !items.isEmpty, 3 where !items.isEmpty:
      server.delete(items[at].id)
    case 4 where !items.isEmpty:
      items[at].version += 1
      server.update(items[at])
    case 5 where !items.isEmpty && changes == .all:
      server.move(items[at].id, to: Int.random(in: 0..<items.count, using: &random))
    default: return
    }
    versions.append(server.items)
    log.append("server: \(server.items)")
  }

  /// The user edits by hand.
  mutating func edit() {
    let ids = machine.value.items.map(\.id)
    let id = ids.randomElement(using: &random) ?? 0
    let other = random.oneIn(4) ? nil : ids.randomElement(using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      freshID += 1
      let post = Post(id: random.oneIn(3) ? id : freshID, version: 1)
      perform("insert \(post) after \(other ?? -1)", machine.insert(post, after: other))
    case 1: perform("remove \(id)", machine.remove(id))
    case 2 where random.oneIn(3): perform("read \(id)", machine.setAnchor(id))
    default: perform("move \(id) after \(other ?? -1)", machine.move(id, after: other))
    }
  }

  /// The app starts again and reads what is on disk, while the user goes on.
  mutating func relaunch(from cache: any BlockingCache<Post>) {
    self.cache = cache
    pending = []
    waiting = []
    reads = []
    pausing = []
    edits = []
    checker = BatchUpdateChecker()
    machine = Machine(
      configuration: machine.configuration, continuity: machine.continuity, isCached: true,
      start: start,
      section: section)
    machine.now = Date(timeIntervalSince1970: time)
    machine.beginRestoring()
    // What was deleted may be on disk, among the rows that were not in memory.
    if let model = cache as? ModelCache { gone.subtract(model.ids) }
    if isWild, random.oneIn(3) { edit() }
    if random.oneIn(3) { perform("load", machine.load(.tail)) }
    let first = cache.loadFirst() ?? CachedRows()
    perform("restore \(first.rows.count)", machine.restore(first))
    if isWild, random.oneIn(3) { edit() }
    if random.oneIn(3) { deliver() }
    guard machine.isRestoring else { return }
    let rest = cache.loadRest()
    perform("restore \(rest.rows.count)", machine.restore(rest))
  }

  /// Rows from disk arrive, now and then none.
  mutating func read() {
    guard let index = reads.indices.randomElement(using: &random) else { return }
    let (ticket, rows) = reads.remove(at: index)
    let isLost = random.oneIn(12)
    perform(
      "read \(rows?.count ?? 0)\(isLost ? ", lost" : "")",
      machine.receive(stored: .success(isLost ? nil : rows), for: ticket))
  }

  /// The wait of a load is over.
  mutating func proceed() {
    guard let index = pausing.indices.randomElement(using: &random) else { return }
    let ticket = pausing.remove(at: index)
    perform("proceed \(ticket)", machine.proceed(with: ticket))
  }

  mutating func serve(_ index: Int? = nil) {
    guard let index = index ?? pending.indices.randomElement(using: &random),
      pending[index].answer == nil
    else { return }
    pending[index].answer = answer(pending[index].request)
  }

  mutating func deliver() {
    guard let index = pending.indices.randomElement(using: &random) else { return }
    serve(index)
    let request = random.oneIn(10) && !isResting ? pending[index] : pending.remove(at: index)
    guard var answer = request.answer else { return }
    if random.oneIn(12), !isResting {
      answer = .failure(
        random.oneIn(2)
          ? .source(ScriptedFailure()) : .unreachable(URL(fileURLWithPath: "/"), reason: "a test"))
    }
    let text = (try? answer.get()).map { "\($0.items) next \($0.next?.json ?? "-")" } ?? "failure"
    perform(
      "answer \(request.ticket): \(text)",
      machine.receive(answer, for: request.ticket))
  }

  func answer(_ request: PageRequest<PageKey>) -> Machine.Answer {
    do {
      let key = try request.key?.decoded(as: ScriptedKey.self)
      let page = try server.answer(PageRequest(key: key, limit: request.limit), paging)
      return .success(try page.mapKeys { try PageKey($0) })
    } catch let error as FeedError {
      return .failure(error)
    } catch {
      return .failure(.source(error))
    }
  }

  mutating func perform(_ event: String, _ effects: [Machine.Effect]) {
    for effect in effects {
      switch effect {
      case .fetch(let ticket, let request):
        pending.append(Request(ticket: ticket, request: request))
      case .cancel(let load): pending.removeAll { $0.ticket.load == load }
      case .publish(let update?):
        violations += checker.violations(performing: update.list).map { "C: \($0)" }
        if update.list.changes.isEmpty { violations.append("L3: an update without changes") }
      case .save(let commit): cache?.save(commit)
      case .read(let ticket, let range, let count):
        if let cache { reads.append((ticket, cache.load(range, of: count))) }
      case .wait(let ticket, _): pausing.append(ticket)
      case .publish(nil): break
      case .resume(let waiters, _):
        for waiter in waiters where waiting.remove(waiter) == nil {
          violations.append("R1: waiter \(waiter) was told twice")
        }
      }
    }
    log.append(
      "\(event) -> \(machine.value.outline), tail \(machine.timeline.tail) \(machine.timeline.marks.mapValues { "\($0.previous?.json ?? "-") \($0.next?.json ?? "-")" })"
    )
    checkShape()
    // Who edits wildly may take out by hand what is being inserted.
    if isEdited, !isWild { checkEdits() }
  }

  // MARK: - Laws

  mutating func checkShape() {
    let rows = Array(machine.timeline.rows)
    if Array(machine.value.rows) != rows.suffix(machine.value.rows.count) {
      violations.append("what is shown is not below what waits")
    }
    if machine.value.items.count + machine.value.state.newItems
      != rows.count(where: { $0.item != nil })
    {
      violations.append("new items are not counted")
    }
    if let anchor = machine.value.anchor, machine.timeline.index(of: anchor) == nil {
      violations.append("the reader is at \(anchor), which is not there")
    }
    if Set(rows.map(\.id)).count != rows.count { violations.append("L1: an id twice") }
    if let gap = rows.last?.gap, !gap.isStored { violations.append("a gap at the end") }
    if let cache = cache as? ModelCache {
      violations += cache.violations
      if !machine.isRestoring, machine.timeline.storedCount != cache.rows.count {
        violations.append("P4: \(cache.rows.count) rows are stored")
      }
    }
    for gap in rows.compactMap(\.gap)
    where gap.isStored != (machine.timeline.unloaded[gap.id] != nil) {
      violations.append("gap \(gap) does not say whether it is on disk")
    }
    if let maximum = machine.configuration.maximumRows, !machine.isRestoring {
      let waiting = machine.value.state.newItems + machine.timeline.held.count
      if rows.count > maximum + 6 * machine.configuration.pageSize + waiting {
        violations.append("\(rows.count) rows are in memory")
      }
    }
    for (above, below) in zip(rows, rows.dropFirst()) where above.gap != nil && below.gap != nil {
      violations.append("two gaps side by side")
    }
    if checker.shown != machine.value.list { violations.append("R5: the value is not the updates") }
    if Set(rows.compactMap(\.gap?.id)) != Set(machine.timeline.gaps.keys) {
      violations.append("gaps out of step")
    }
    for (index, row) in rows.enumerated() {
      let found =
        switch row {
        case .item(let item): machine.timeline.index(of: item.id)
        case .gap(let gap): machine.timeline.index(ofGap: gap.id)
        }
      if found != index { violations.append("row \(row) is not at \(index)") }
    }
  }

  /// T2: between neighbours there was nothing at some moment, but for rows that went or moved
  /// since.
  mutating func checkNeighbours() {
    let rows = Array(machine.value.rows)
    var shown = Set(rows.compactMap { $0.item?.id })
    if let cache = cache as? ModelCache { shown.formUnion(cache.ids) }
    for (above, below) in zip(rows, rows.dropFirst()) {
      guard let a = above.item?.id, let b = below.item?.id else { continue }
      let proven = versions.indices.contains { version in
        let list = versions[version].map(\.id)
        guard let i = list.firstIndex(of: a), let j = list.firstIndex(of: b), i < j else {
          return false
        }
        return list[(i + 1)..<j].allSatisfy {
          shown.contains($0) || movedOrWent($0, after: version)
        }
      }
      // A page may continue a row that went before the next one came: they never met.
      let met = versions.contains { $0.contains { $0.id == a } && $0.contains { $0.id == b } }
      if met, !proven { violations.append("T2: \(a) and \(b) were never neighbours") }
    }
  }

  func movedOrWent(_ id: Int, after version: Int) -> Bool {
    let neighbours = versions[version].map(\.id)
    guard let latest = versions.last?.map(\.id), latest.contains(id) else { return true }
    if changes != .all { return false }
    // Its order among the rows that are still there changed.
    let stayed = Set(latest)
    let old = neighbours.filter(stayed.contains)
    let known = Set(old)
    return old != latest.filter(known.contains)
  }

  /// T5: once the end is reached without gaps, every row that was there all the time is there.
  mutating func checkNothingMissing() {
    guard machine.timeline.head == .end, machine.timeline.tail == .end,
      machine.timeline.gaps.isEmpty
    else { return }
    let always = versions.dropFirst().reduce(Set(versions[0].map(\.id))) {
      $0.intersection($1.map(\.id))
    }
    let missing = always.subtracting(machine.value.items.map(\.id))
    if !missing.isEmpty { violations.append("T5: \(missing.sorted()) are missing") }
  }

  /// T6 for a server that inserts at its head only.
  mutating func checkConverged() {
    if Array(machine.value.items) != server.items || !machine.timeline.gaps.isEmpty {
      violations.append("T6: \(machine.value.outline) is not \(server.items)")
    }
  }
}
