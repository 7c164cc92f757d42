import Foundation
import FreshetTesting

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
  var now: Date { Date(timeIntervalSince1970: time) }

  typealias Machine = FeedMachine

  struct Request {
    let ticket: LoadTicket
    let request: PageRequest<PageKey>
    var skip: PageSkip?
    var answer: Machine.PostAnswer?
  }

  var random: SeededGenerator
  let paging: ScriptedPaging
  let changes: Changes
  let server: ScriptedServer<Post>
  var machine: Machine
  var pending: [Request] = []
  /// Loads that wait before they are asked for again.
  var pausing: [LoadTicket] = []
  var checker = BatchUpdateChecker<ListRow<Post>>()
  /// The server's list after every change, oldest first.
  var versions: [[Post]]
  var violations: [String] = []
  var log: [String] = []
  /// Whether the steps are noted: that takes most of the time.
  var isLogged = false
  var freshID = 1000
  var isResting = false
  /// Whether the user also edits by hand and cancels, and the list may be replaced.
  let isWild: Bool
  let section: (@Sendable (Post) -> String)?
  /// Whether only answers say that pages shift.
  let learns: Bool
  let order: (@Sendable (Post, Post) -> Bool)?
  /// Where the feed begins, if not at the head.
  let start: PageKey?
  /// Whether the user jumps, and the source tells how many rows are above its pages.
  let jumps: Bool
  /// What the source finds by the number of rows.
  let finds: RowFinding
  /// The number of pages that were answered far from all rows.
  var farAnswers = 0
  var lastWaiter = 0
  /// Who waits and was not told yet.
  var waiting: Set<Int> = []
  /// What those who waited were told.
  var outcomes: [Int: LoadState] = [:]
  /// Whether the user edits and the source is told, and the source sends news.
  let isEdited: Bool
  /// Edits of which the source has not decided yet.
  var edits: [(token: Int, edit: Edit)] = []
  /// Edits that the source took, whose answers are under way.
  var lateAnswers: [(token: Int, edit: Edit, answer: Post?)] = []
  /// Whether answers of edits may be late, and say what the source made of an item.
  let isLate: Bool
  var lastToken = 0
  /// What the source deleted: it never comes back.
  var gone: Set<Int> = []
  /// The versions that the source told of by itself.
  var told: [Int: Int] = [:]
  /// What went and may come back.
  var absent: [Int] = []

  enum Edit {
    case update(Int)
    case delete(Int)
    case insert(temporary: Int)
  }
  /// What is stored, and whether only a part of it is to be in memory.
  var cache: (any BlockingCache<Post>)?
  let isWindowed: Bool
  /// Rows that were read from disk and did not arrive yet.
  var reads: [(ticket: LoadTicket, rows: [CachedRows<Post>.Row]?)] = []
  /// The pages that were answered, by their validators.
  var named: [String: [Post]] = [:]

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
    isLate = isEdited && seed % 3 == 2
    self.isWindowed = isWindowed
    cache = isWindowed ? ModelCache() : nil
    jumps = seed % 5 > 1 && [.keyset, .offset, .page].contains(paging)
    let count = Int.random(in: 0...(jumps ? 60 : 24), using: &random)
    let items = (0..<count).map { Post(id: $0) }
    server = ScriptedServer(items)
    if seed % 7 < 4 { server.giveValidators() }
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
    if isEdited, seed % 2 == 0 { configuration.deletionHorizon = .seconds(3) }
    let continuity = server.source(paging).continuity
    learns = seed % 3 == 1 && continuity == .overlapping
    order = nil
    if jumps { server.countRows() }
    finds = if !jumps { .nothing } else if case .page = paging { .pages } else { .rows }
    machine = Machine(
      ofPosts: configuration, continuity: learns ? .stable : continuity, finds: finds,
      isCached: isWindowed, start: start,
      sectionedBy: section)
  }

  /// A history that a test tells step by step: nothing fails or comes twice.
  init(
    _ ids: [Int], _ paging: ScriptedPaging = .keyset, startingAt first: Int? = nil,
    sortedBy order: (@Sendable (Post, Post) -> Bool)? = nil, isCached: Bool = false,
    configuration: FeedConfiguration, sectionedBy section: (@Sendable (Post) -> String)? = nil
  ) {
    random = SeededGenerator(seed: 0)
    (self.paging, changes, isWild, isEdited) = (paging, .all, false, false)
    (isWindowed, isResting, learns, isLate) = (isCached, true, false, false)
    (jumps, finds) = (false, .nothing)
    self.section = section
    cache = isCached ? ModelCache() : nil
    let items = ids.map { Post(id: $0) }
    server = ScriptedServer(items)
    versions = [items]
    start = first.flatMap { [server] in try? PageKey(server.key(ofPageAt: $0)) }
    self.order = order
    machine = Machine(
      ofPosts: configuration, continuity: server.source(paging).continuity,
      isCached: isCached, start: start, order: order, sectionedBy: section)
  }

  // MARK: - Steps

  /// Something happens, and is answered with the server as it is now.
  mutating func ask(_ event: (inout Machine) -> Void) {
    begin(event)
    settle()
  }

  /// Something happens that depends on the time, and is answered.
  mutating func ask(_ event: (inout Machine, Date) -> Void) {
    begin(event)
    settle()
  }

  /// Something happens; its answers are under way.
  mutating func begin(_ event: (inout Machine) -> Void) {
    begin { machine, _ in event(&machine) }
  }

  mutating func begin(_ event: (inout Machine, Date) -> Void) {
    time += 1
    perform("step \(time)", event(&machine, now))
  }

  /// The oldest request is answered.
  mutating func answerOldest() {
    serve(0)
    let request = pending.removeFirst()
    guard let answer = request.answer else { return }
    perform("answer", machine.receive(answer, for: request.ticket, at: now))
  }

  /// Loads gaps from above and the end until there is nothing left to load.
  mutating func fill() {
    for _ in 0..<50 {
      if let gap = machine.timeline.gaps.keys.min() {
        ask { $0.load(.gap(gap)) }
      } else if machine.timeline.tail != .end {
        ask { $0.load(.next) }
      } else {
        return
      }
    }
    violations.append("filling does not end")
  }

  mutating func run(steps: Int) {
    perform("load", machine.load(.refresh))
    for _ in 0..<steps {
      step()
      if !violations.isEmpty { return }
    }
    perform("resume", machine.resume())
    settle()
    if violations.isEmpty, !waiting.isEmpty { violations.append("R1: \(waiting) were not told") }
    if isWild { perform("show", machine.showNew()) }
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
    while violations.isEmpty, let gap = machine.timeline.evicted.runs.keys.min() {
      perform("read gap \(gap)", machine.load(.gap(gap)))
      settle()
    }
  }

  /// Refreshes, then loads gaps and the end until nothing is left to load.
  mutating func complete(_ scope: RefreshScope = .head) {
    isResting = true
    while !edits.isEmpty || !lateAnswers.isEmpty { endEdit() }
    readAll()
    perform("refresh \(scope)", machine.load(.refresh, scope: scope))
    settle()
    for _ in 0..<(jumps ? 1_000 : 200) where violations.isEmpty {
      // The evidence for one gap may come from another.
      let gaps = machine.timeline.gaps.keys.sorted()
      if let gap = jumps ? gaps.randomElement(using: &random) : gaps.first {
        let side: Gap.Side = random.oneIn(2) ? .above : .below
        perform("load gap \(gap) from \(side)", machine.load(.gap(gap), from: side))
      } else if machine.timeline.head != .end {
        perform("loadPrevious", machine.load(.previous))
      } else if machine.timeline.tail != .end {
        perform("loadNext", machine.load(.next))
      } else {
        return
      }
      settle()
    }
    if violations.isEmpty { violations.append("completing does not end") }
  }

  /// Performs the effects of an event that the machine has received.
  mutating func perform(_ event: String, _: Void) {
    for effect in machine.takeEffects() {
      switch effect {
      case .load(.fetch(let ticket, let request)):
        pending.append(Request(ticket: ticket, request: request))
        checkValidator(request)
      case .load(.fetchFar(let ticket, let request, let skip)):
        pending.append(Request(ticket: ticket, request: request, skip: skip))
      case .load(.cancel(let load)): pending.removeAll { $0.ticket.load == load }
      case .publish(let step?):
        let update = ListUpdate<Post>(step)
        violations += checker.violations(performing: update.step).map { "C: \($0)" }
        if update.step.changes.isEmpty { violations.append("L3: an update without changes") }
        if update.step.after != update.value.list {
          violations.append("R5: an update whose value shows other rows")
        }
      case .save(let commit): cache?.save(commit.typed())
      case .load(.read(let ticket, let range, let count)):
        if let cache { reads.append((ticket, cache.load(range, of: count))) }
      case .load(.wait(let ticket, _)): pausing.append(ticket)
      case .publish(nil), .load(.fetchWindows): break
      case .load(.resume(let waiters, let outcome)):
        for waiter in waiters { outcomes[waiter] = outcome }
        for waiter in waiters where waiting.remove(waiter) == nil {
          violations.append("R1: waiter \(waiter) was told twice")
        }
      }
    }
    if isLogged {
      let marks = machine.timeline.marks.map { id, mark in
        "\(id): \(mark.previous?.json ?? "-") \(mark.next?.json ?? "-")"
      }
      log.append("\(event) -> \(machine.value.outline), tail \(machine.timeline.tail) \(marks)")
    }
    checkShape()
    // Who edits wildly may take out by hand what is being inserted.
    if isEdited, !isWild { checkEdits() }
  }
}
