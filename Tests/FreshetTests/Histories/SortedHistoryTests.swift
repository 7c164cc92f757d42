import FreshetTesting
import Testing

@testable import Freshet

/// Rule T6 where the order is known: rows move by their contents, and news of them come late,
/// twice, or in the wrong order.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct SortedHistoryTests {
  @Test(arguments: ScriptedPaging.allCases)
  func `T6: a full refresh puts each row where the server has it, whatever news said before`(
    paging: ScriptedPaging
  ) {
    Self.check { Self.history(seed: $0, paging: paging, isLogged: $1) }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `R2: no row is older than the news of it, which come in their order`(
    paging: ScriptedPaging
  ) {
    Self.check { Self.orderedHistory(seed: $0, paging: paging, isLogged: $1) }
  }

  /// Tries a law with all seeds, and records the log of the first that breaks it.
  private static func check(_ history: (_ seed: Int, _ isLogged: Bool) -> History) {
    for seed in SeededGenerator.seeds(100) {
      let violations = history(seed, false).violations
      if violations.isEmpty { continue }
      let log = history(seed, true).log.joined(separator: "\n")
      Issue.record("seed \(seed): \(violations)\n\(log)")
      return
    }
  }

  private static func orderedHistory(seed: Int, paging: ScriptedPaging, isLogged: Bool) -> History {
    var random = SeededGenerator(seed: seed)
    var history = History(
      [], paging, sortedBy: { $0.version > $1.version }, isCached: random.oneIn(4),
      configuration: FeedConfiguration(
        pageSize: Int.random(in: 1...4, using: &random),
        refreshPages: Int.random(in: 1...3, using: &random)))
    history.machine.configuration.deletionHorizon = .zero
    (history.random, history.isLogged) = (random, isLogged)
    var sorted = SortedServer(server: history.server)
    for id in 0..<Int.random(in: 0...8, using: &random) { sorted.put(id, &random) }
    // What was there before is told in pages alone.
    sorted.forget()
    history.perform("load", history.machine.load(.refresh))
    var told: [Int: Int] = [:]
    for token in 1...40 where history.violations.isEmpty {
      history.time += 1
      switch Int.random(in: 0..<10, using: &random) {
      case 0...1: sorted.put(Int.random(in: 0..<10, using: &random), &random)
      case 2: sorted.delete(Int.random(in: 0..<10, using: &random))
      case 3...4:
        guard let event = sorted.event(&random, amongFirst: 1) else { break }
        if case .upsert(let post) = event { told[post.id] = sorted.moments[post.version] }
        if case .delete(let id) = event { told[id] = nil }
        history.perform(
          "\(event)", history.machine.follow(event, token: token, at: history.now))
      case 5: history.perform("next", history.machine.load(.next))
      case 6:
        let scope = RefreshScope.allCases.randomElement(using: &random) ?? .all
        history.perform("refresh \(scope)", history.machine.load(.refresh, scope: scope))
      case 7: history.serve()
      default: history.deliver()
      }
      for post in history.machine.value.items {
        guard let moment = told[post.id], let shown = sorted.moments[post.version],
          shown < moment
        else { continue }
        history.violations.append("R2: \(post) is older than its news")
      }
    }
    return history
  }

  /// A list that is sorted by version, the highest first; each version is there once.
  private static func history(seed: Int, paging: ScriptedPaging, isLogged: Bool) -> History {
    var random = SeededGenerator(seed: seed)
    let isWhole = random.oneIn(3)
    var history = History(
      [], paging, sortedBy: { $0.version > $1.version }, isCached: random.oneIn(4),
      configuration: FeedConfiguration(
        pageSize: isWhole ? 100 : Int.random(in: 2...5, using: &random),
        refreshPages: Int.random(in: 1...3, using: &random)))
    // Deletions may be told late: a row that came again is shown again.
    history.machine.configuration.deletionHorizon = .zero
    (history.random, history.isLogged) = (random, isLogged)
    if random.oneIn(2) { history.server.giveValidators() }
    var sorted = SortedServer(server: history.server)
    for id in 0..<Int.random(in: 0...12, using: &random) { sorted.put(id, &random) }
    if !random.oneIn(3) { history.perform("load", history.machine.load(.refresh)) }
    for token in 1...60 where history.violations.isEmpty {
      history.time += 1
      switch Int.random(in: 0..<12, using: &random) {
      case 0...1: sorted.put(Int.random(in: 0..<16, using: &random), &random)
      case 2: sorted.delete(Int.random(in: 0..<16, using: &random))
      case 3...5:
        guard let event = sorted.event(&random, amongFirst: isWhole ? 1 : 4) else { break }
        history.perform(
          "\(event)", history.machine.follow(event, token: token, at: history.now))
      case 6: history.perform("next", history.machine.load(.next))
      case 7:
        let scope = RefreshScope.allCases.randomElement(using: &random) ?? .all
        history.perform("refresh \(scope)", history.machine.load(.refresh, scope: scope))
      case 8:
        guard let gap = history.machine.timeline.gaps.keys.min() else { break }
        history.perform("gap \(gap)", history.machine.load(.gap(gap)))
      case 9: history.serve()
      default: history.deliver()
      }
    }
    for (index, event) in sorted.untold.enumerated() {
      history.perform(
        "\(event)", history.machine.follow(event, token: 100 + index, at: history.now))
    }
    history.settle()
    if isWhole, history.violations.isEmpty { history.checkOrder() }
    history.versions.append(history.server.items)
    history.complete(.all)
    if history.violations.isEmpty { history.checkConverged() }
    return history
  }
}

extension History {
  /// Where each answer is the whole list and news come in order, late or twice, rows stand in order
  /// at rest.
  ///
  /// Pages that were read at different times, and news in the wrong order, may contradict each
  /// other until all is read again.
  fileprivate mutating func checkOrder() {
    let keys = machine.value.items.map(\.version)
    if keys != keys.sorted(by: >) {
      violations.append("R2: \(machine.value.outline) is out of order")
    }
  }
}

/// A server whose list is sorted, and the news of it that were not told yet.
private struct SortedServer {
  let server: ScriptedServer<Post>
  private(set) var untold: [FeedEvent<Post>] = []
  /// When each version came.
  private(set) var moments: [Int: Int] = [:]
  private var version = 0

  init(server: ScriptedServer<Post>) { self.server = server }

  /// An item comes, or moves.
  mutating func put(_ id: Int, _ random: inout SeededGenerator) {
    version += 10
    // Most rows become the first; some go far down.
    let key = random.oneIn(3) ? version % 97 * 1_000 + version : 1_000_000 + version
    let post = Post(id: id, version: key)
    moments[key] = version
    server.delete(id)
    server.insert(post, at: server.items.firstIndex { $0.version < key } ?? server.items.count)
    untold.append(.upsert(post))
  }

  /// Nothing is told of what happened until now.
  mutating func forget() { untold = [] }

  mutating func delete(_ id: Int) {
    server.delete(id)
    untold.append(.delete(id))
  }

  /// One of the first few things that happened and were not told yet, perhaps not for the last
  /// time.
  mutating func event(_ random: inout SeededGenerator, amongFirst count: Int) -> FeedEvent<Post>? {
    guard !untold.isEmpty else { return nil }
    let index = Int.random(in: 0..<min(untold.count, count), using: &random)
    return random.oneIn(4) ? untold[index] : untold.remove(at: index)
  }
}
