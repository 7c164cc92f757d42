import Foundation
import FreshetTesting

@testable import Freshet

/// A random history of several lists that share their items.
///
/// Each feed has a server of its own with some of the items, and live results have a store. Items
/// change on all servers and in all stores at once. Answers are fixed when they are asked for and
/// arrive in any order, and each list takes the news of the others in at any later time.
struct SharedHistory {
  private final class Woken: Sendable {
    let lists = Locked<Set<Int>>([])
  }

  private var random: SeededGenerator
  private let hub = SharedItemsHub(SharedItems())
  private var lists: [SharedFeed] = []
  private var results: [SharedResults] = []
  /// The lists that were woken and did not take their news in yet.
  private let woken = Woken()
  /// The current version of each item.
  private var versions: [Int: Int] = [:]
  private var deleted: Set<Int> = []
  /// The newest version that any list learned of each item, for as long as a list holds the item.
  private var learned: [Int: Int] = [:]
  private var edits: [(list: Int, token: Int, id: Int, version: Int?)] = []
  private var lastVersion = 0
  private var time = 0.0
  private(set) var violations: [String] = []
  private(set) var log: [String] = []
  private let isLogged: Bool

  init(seed: Int, lists count: Int, results: Int, isLogged: Bool) {
    random = SeededGenerator(seed: seed)
    self.isLogged = isLogged
    for id in 0..<Int.random(in: 4...16, using: &random) { versions[id] = 0 }
    for index in 0..<count {
      let ids = versions.keys.sorted().filter { _ in random.oneIn(2) }
      let isWindowed = random.oneIn(3)
      let history = History(
        ids, isCached: isWindowed,
        configuration: FeedConfiguration(
          pageSize: Int.random(in: 2...4, using: &random), maximumRows: isWindowed ? 6 : nil,
          deletionHorizon: .seconds(3)))
      if random.oneIn(2) { history.server.giveValidators() }
      lists.append(SharedFeed(history: history, sharing: sharing(of: index)))
      lists[index].history.machine.shared = SharedRows()
    }
    for index in 0..<results {
      let ids = versions.keys.sorted().filter { _ in random.oneIn(2) }
      self.results.append(
        SharedResults(Set(ids), isFiltered: random.oneIn(2), resultsSharing(of: index)))
    }
  }

  private func sharing(of index: Int) -> FeedSharing {
    FeedSharing(
      member: SharedMember(hub) { [woken] in woken.lists.withLock { _ = $0.insert(index) } })
  }

  private func resultsSharing(of index: Int) -> ResultsSharing {
    ResultsSharing(
      member: SharedMember(hub) { [woken] in woken.lists.withLock { _ = $0.insert(-1 - index) } },
      store: index)
  }

  // MARK: - Steps

  mutating func run(steps: Int) {
    for _ in 0..<steps where violations.isEmpty {
      time += 1
      step()
      check()
    }
    while !edits.isEmpty { endEdit() }
    while takeNews() {}
    for index in results.indices { apply(toResults: index, "settle") { $0.settle() } }
    while takeNews() {}
    check()
    if violations.isEmpty { complete() }
  }

  private mutating func step() {
    let list = Int.random(in: lists.indices, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0...2: load(list)
    case 3...6: deliver(to: list)
    case 7...9: _ = takeNews()
    case 10: change()
    case 11: report(to: list)
    case 12: move(in: list)
    case 13: beginEdit(in: list)
    case 14, 15: endEdit()
    case 16: read(list)
    case 17, 18:
      if !results.isEmpty { stepResults(Int.random(in: results.indices, using: &random)) }
    default: if random.oneIn(4) { relaunch(list) }
    }
  }

  /// Applies an event to a list, and logs it.
  private mutating func apply(
    _ list: Int, _ name: String, _ event: (inout FeedMachine, FeedSharing, Date) -> Void
  ) {
    lists[list].apply(at: time, event)
    if isLogged { log.append("\(list): \(name) -> \(lists[list].history.machine.value.outline)") }
    for violation in lists[list].history.violations { violations.append("\(list): \(violation)") }
  }

  /// Lets something happen to live results, and logs it.
  private mutating func apply(
    toResults index: Int, _ name: String, _ event: (inout SharedResults) -> Void
  ) {
    event(&results[index])
    if isLogged { log.append("results \(index): \(name) -> \(results[index].items)") }
  }

  private mutating func stepResults(_ index: Int) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1: apply(toResults: index, "fetch") { [versions] in $0.fetch(versions) }
    case 2...5: deliverResults(index)
    case 6: beginEdit(inResults: index)
    default: apply(toResults: index, "settle") { $0.settle() }
    }
  }

  private mutating func deliverResults(_ index: Int) {
    var posts: [Post] = []
    apply(toResults: index, "answer") { posts = $0.deliver() }
    for post in posts { learn(post.id, post.version) }
  }

  private mutating func load(_ list: Int) {
    let edge = lists[list].edges.randomElement(using: &random) ?? .refresh
    apply(list, "load \(edge)") { machine, _, _ in machine.load(edge) }
  }

  private mutating func deliver(to list: Int) {
    guard let index = lists[list].history.pending.indices.randomElement(using: &random) else {
      return
    }
    let request = lists[list].history.pending.remove(at: index)
    let answer = (request.answer ?? .failure(.unreached)).map(\.erased)
    for post in (try? answer.get().items.map(\.post)) ?? [] { learn(post.id, post.version) }
    apply(list, "answer \(answer.map { $0.items })") { machine, sharing, now in
      machine.receive(
        sharing.resolve(answer, for: request.ticket, &machine), for: request.ticket, at: now)
    }
  }

  private mutating func read(_ list: Int) {
    guard let (ticket, rows) = lists[list].history.reads.popLast() else { return }
    apply(list, "read") { machine, _, now in machine.readBack(rows, for: ticket, at: now) }
  }

  /// A list takes in what happened in others.
  private mutating func takeNews() -> Bool {
    guard let list = woken.lists.withLock({ $0.sorted().randomElement(using: &random) }) else {
      return false
    }
    woken.lists.withLock { _ = $0.remove(list) }
    if list < 0 {
      apply(toResults: -1 - list, "news") { $0.apply { _, _ in nil } }
    } else {
      apply(list, "news") { _, _, _ in }
    }
    return true
  }

  private mutating func learn(_ id: Int, _ version: Int) {
    learned[id] = max(learned[id] ?? 0, version)
  }

  // MARK: - The source

  /// An item changes at the source.
  private mutating func change() {
    guard let id = versions.keys.sorted().randomElement(using: &random) else { return }
    lastVersion += 1
    set(id, lastVersion)
  }

  private mutating func set(_ id: Int, _ version: Int) {
    versions[id] = version
    let post = Post(id: id, version: version)
    for list in lists { list.history.server.update(post) }
    for index in results.indices {
      var isReported = false
      apply(toResults: index, "report \(post)") { isReported = $0.report(post) }
      if isReported { learn(id, version) }
    }
  }

  /// The source reports an item to one list, which has it or not.
  private mutating func report(to list: Int) {
    change()
    let server = lists[list].history.server
    guard let id = versions.keys.sorted().randomElement(using: &random) else { return }
    let post = Post(id: id, version: versions[id] ?? 0)
    var event = FeedEvent.update(post)
    if random.oneIn(4) {
      delete(id)
      event = .delete(id)
    } else if server.items.contains(where: { $0.id == id }), random.oneIn(2) {
      event = .upsert(post)
    }
    if case .delete = event {} else { learn(id, post.version) }
    lastVersion += 1
    apply(list, "event \(event)") { [lastVersion] machine, sharing, now in
      machine.follow(
        sharing.resolve(event.erased, after: sharing.member.lastRequest, &machine),
        token: lastVersion + 1_000_000, at: now)
    }
  }

  private mutating func delete(_ id: Int) {
    versions[id] = nil
    learned[id] = nil
    deleted.insert(id)
    for list in lists { list.history.server.delete(id) }
    for index in results.indices { apply(toResults: index, "loses \(id)") { $0.delete(id) } }
  }

  /// An item leaves a list, or gets into it.
  private mutating func move(in list: Int) {
    guard let id = versions.keys.sorted().randomElement(using: &random) else { return }
    let server = lists[list].history.server
    if server.items.contains(where: { $0.id == id }) {
      server.delete(id)
    } else {
      server.insert(Post(id: id, version: versions[id] ?? 0), at: 0)
    }
  }

  // MARK: - Edits

  private mutating func beginEdit(in list: Int) {
    let items = lists[list].history.machine.value.items.map(\.id)
    guard let id = items.randomElement(using: &random), versions[id] != nil else { return }
    lastVersion += 1
    let version = random.oneIn(4) ? nil : lastVersion
    let token = lists[list].sharing.member.newNumber()
    edits.append((list, token, id, version))
    let edit = Self.edit(id, version)
    apply(list, "edit \(id) as \(version ?? -1)") { machine, sharing, now in
      machine.begin(edit, token: token, at: now)
      sharing.member.begin(edit, token: token)
    }
  }

  private mutating func beginEdit(inResults index: Int) {
    guard let id = results[index].items.randomElement(using: &random)?.id, versions[id] != nil
    else { return }
    lastVersion += 1
    let version = random.oneIn(4) ? nil : lastVersion
    let token = results[index].sharing.member.newNumber()
    edits.append((-1 - index, token, id, version))
    apply(toResults: index, "edit \(id) as \(version ?? -1)") { results in
      results.apply { machine, sharing in
        sharing.member.begin(Self.edit(id, version), token: token)
        return machine.begin(Self.edit(id, version), token: token)
      }
    }
  }

  private static func edit(_ id: Int, _ version: Int?) -> OptimisticEdit {
    guard let version else { return .delete(RowID(post: id)) }
    return .update(RowID(post: id)) { $0.changePost { $0.version = max($0.version, version) } }
  }

  private mutating func undo(_ token: Int, of id: Int, in list: Int) {
    if list < 0 {
      apply(toResults: -1 - list, "undo edit of \(id)") { results in
        results.apply { machine, sharing in
          sharing.member.undo(token)
          return machine.undo(token)
        }
      }
    } else {
      apply(list, "undo edit of \(id)") { machine, sharing, now in
        machine.undo(token, at: now)
        sharing.member.undo(token)
      }
    }
  }

  private mutating func endEdit() {
    guard !edits.isEmpty else { return }
    let (list, token, id, version) = edits.removeFirst()
    if random.oneIn(3) || versions[id] == nil || version.map({ $0 < versions[id] ?? 0 }) ?? false {
      return undo(token, of: id, in: list)
    }
    var answer: Post?
    if let version {
      set(id, version)
      if list < 0 || lists[list].history.machine.rows.known(RowID(post: id)) != nil {
        learn(id, version)
      }
      if random.oneIn(2) {
        answer = Post(id: id, version: version)
        learn(id, version)
      }
    } else {
      delete(id)
    }
    let item = answer.map { AnyItem($0) }
    if list < 0 {
      return apply(toResults: -1 - list, "taken edit of \(id)") { $0.confirm(token, as: item) }
    }
    apply(list, "taken edit of \(id)") { machine, sharing, now in
      sharing.member.confirm(token, as: machine.confirmShared(token, as: item, at: now))
    }
  }

  // MARK: - Launches

  /// A list is released, and made again from what it has stored.
  private mutating func relaunch(_ list: Int) {
    guard let cache = lists[list].history.cache else { return }
    for edit in edits where edit.list == list { undo(edit.token, of: edit.id, in: list) }
    edits.removeAll { $0.list == list }
    // A deletion that the list has not taken in is not known after the launch.
    if let model = cache as? ModelCache { deleted.subtract(model.ids) }
    lists[list].sharing.leave(lists[list].history.machine)()
    forgetReleased()
    woken.lists.withLock { _ = $0.remove(list) }
    lists[list].sharing = sharing(of: list)
    let old = lists[list].history.machine
    lists[list].history.machine = FeedMachine(
      ofPosts: old.configuration, continuity: old.planner.continuity, isCached: true)
    lists[list].history.machine.shared = SharedRows()
    lists[list].history.pending = []
    lists[list].history.reads = []
    lists[list].history.checker = BatchUpdateChecker()
    apply(list, "launch") { machine, _, now in
      machine.beginRestoring()
      machine.restore(cache.loadFirst() ?? CachedRows(), at: now)
    }
    guard lists[list].history.machine.isRestoring else { return }
    apply(list, "read the rest") { machine, _, now in
      machine.restore(cache.loadRest(), at: now)
    }
  }

  // MARK: - Laws

  private mutating func forgetReleased() {
    for id in learned.keys where hub.item(RowID(post: id)) == nil { learned[id] = nil }
  }

  private mutating func check() {
    forgetReleased()
    guard violations.isEmpty, woken.lists.withLock(\.isEmpty) else { return }
    var shown: [Int: Post] = [:]
    var held: Set<Int> = []
    for list in lists {
      let machine = list.history.machine
      held.formUnion(machine.timeline.posts.compactMap(\.item?.id))
      check(machine.value.items, isRestoring: machine.isRestoring, &shown)
    }
    for results in results {
      held.formUnion(results.machine.heldIDs.map(\.post))
      if results.unsettled.isEmpty { check(results.items, isRestoring: false, &shown) }
    }
    if lists.allSatisfy({ $0.history.machine.planner.loadCount == 0 }), edits.isEmpty,
      results.allSatisfy({ !$0.isLoading && $0.unsettled.isEmpty })
    {
      let awaited = lists.reduce(into: held) { ids, list in
        ids.formUnion((list.history.machine.shared?.ids ?? []).map(\.post))
      }
      let count = hub.withItems { $0.count }
      let lost = held.filter { hub.item(RowID(post: $0)) == nil }
      if count > awaited.count || !lost.isEmpty {
        violations.append(
          "I4: \(count) items are held of \(held) to \(awaited), without \(lost)")
      }
    }
  }

  /// Checks the items that a list shows.
  private mutating func check(
    _ posts: some Sequence<Post>, isRestoring: Bool, _ shown: inout [Int: Post]
  ) {
    for post in posts {
      if let other = shown[post.id], other != post {
        violations.append("I1: \(other) and \(post) are shown")
      }
      shown[post.id] = post
      if let newest = learned[post.id], post.version < newest {
        violations.append("I1: \(post) is shown, and version \(newest) is known")
      }
      if deleted.contains(post.id), !isRestoring {
        violations.append("I3: \(post) is shown, and was deleted")
      }
    }
  }

  /// Every list loads all that it can, and shows what its server or store has.
  private mutating func complete() {
    for list in lists.indices {
      for round in 0..<60 {
        var isAtRest = false
        while !isAtRest {
          if !lists[list].history.pending.isEmpty {
            deliver(to: list)
          } else if !lists[list].history.reads.isEmpty {
            read(list)
          } else {
            isAtRest = !takeNews()
          }
        }
        if !violations.isEmpty { return }
        lists[list].history.machine.configuration.maximumRows = nil
        let timeline = lists[list].history.machine.timeline
        let edge: FeedEdge
        if round == 0 {
          apply(list, "refresh all") { machine, _, _ in machine.load(.refresh, scope: .all) }
          continue
        } else if let gap = timeline.gaps.keys.min() {
          edge = .gap(gap)
        } else if timeline.tail != .end {
          edge = .next
        } else {
          break
        }
        apply(list, "load \(edge)") { machine, _, _ in machine.load(edge) }
      }
      let (shown, server) = (lists[list].history.machine.value, lists[list].history.server.items)
      if Array(shown.items) != server {
        violations.append("T6: \(list) shows \(shown.outline), and its server has \(server)")
      }
    }
    for index in results.indices {
      apply(toResults: index, "fetch") { [versions] in $0.fetch(versions) }
      deliverResults(index)
    }
    while takeNews() {}
    for results in results where results.items != results.expected(versions) {
      violations.append("S1: \(results.items), and the store has \(results.expected(versions))")
    }
    check()
  }
}
