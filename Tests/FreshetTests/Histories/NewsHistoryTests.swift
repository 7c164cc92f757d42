import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rules T2, T3 and T5 while the source tells of rows that pages under way may have.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct NewsHistoryTests {
  @Test(arguments: ScriptedPaging.allCases)
  func `T5: news of rows that are known, under way or not loaded lose none`(
    paging: ScriptedPaging
  ) {
    check { Self.history(seed: $0, paging: paging, isLogged: $1) }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T2, T6: where news of some new rows are lost, a refresh finds them all`(
    paging: ScriptedPaging
  ) {
    check { Self.lossyHistory(seed: $0, paging: paging, isLogged: $1) }
  }

  /// Tells of the first seed whose history breaks a law, step by step.
  private func check(_ history: (_ seed: Int, _ isLogged: Bool) -> History) {
    for seed in SeededGenerator.seeds(80) {
      let violations = history(seed, false).violations
      guard !violations.isEmpty else { continue }
      let log = history(seed, true).log.joined(separator: "\n")
      Issue.record("seed \(seed): \(violations.prefix(3))\n\(log)")
      return
    }
  }

  /// Rows come at the head of the server's list; some are told, in any order, and the app may be
  /// launched again.
  private static func lossyHistory(seed: Int, paging: ScriptedPaging, isLogged: Bool) -> History {
    var random = SeededGenerator(seed: seed)
    var history = History(
      seed: seed, paging: paging, changes: .headOnly, isWindowed: seed % 2 == 0)
    history.isLogged = isLogged
    history.perform("load", history.machine.load(.refresh))
    var untold: [Post] = []
    for token in 1...30 where history.violations.isEmpty {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        let post = Post(id: history.freshID)
        history.freshID += 1
        history.server.insert(post, at: 0)
        history.versions.append(history.server.items)
        untold.append(post)
      case 4...7 where !untold.isEmpty:
        let post = untold.remove(at: Int.random(in: untold.indices, using: &random))
        history.perform(
          "news: \(post)",
          history.machine.follow(.insert(post), token: -token, at: history.now))
      case 8:
        if let cache = history.cache { history.relaunch(from: cache) }
      default: history.step()
      }
    }
    history.perform("resume", history.machine.resume())
    history.settle()
    if history.violations.isEmpty { history.complete() }
    if history.violations.isEmpty { history.checkConverged() }
    return history
  }

  /// Something changes on the server, which tells of it: of a new row that it did, not where.
  private static func news(
    in history: inout History, _ random: inout SeededGenerator
  ) -> FeedEvent<Post>? {
    let items = history.server.items
    if random.oneIn(3) {
      let post = Post(id: history.freshID)
      history.freshID += 1
      history.server.insert(post, at: Int.random(in: 0...items.count, using: &random))
      return .insert(post)
    }
    guard var post = items.randomElement(using: &random) else { return nil }
    post.version += 1
    history.server.update(post)
    return .upsert(post)
  }

  /// Loads, changes of the server and news in any order; then the server rests.
  private static func history(seed: Int, paging: ScriptedPaging, isLogged: Bool) -> History {
    var random = SeededGenerator(seed: seed)
    var history = History(
      seed: seed, paging: paging, changes: .noMoves, sectioned: seed % 3 == 0)
    history.isLogged = isLogged
    history.perform("load", history.machine.load(.refresh))
    for token in 1...30 where history.violations.isEmpty {
      if random.oneIn(3), let event = Self.news(in: &history, &random) {
        history.versions.append(history.server.items)
        history.perform(
          "news: \(event)", history.machine.follow(event, token: -token, at: history.now))
      } else {
        history.step()
      }
    }
    history.perform("resume", history.machine.resume())
    history.settle()
    if history.violations.isEmpty { history.checkNothingMissing() }
    if history.violations.isEmpty { history.complete() }
    if history.violations.isEmpty { history.checkNothingMissing() }
    if history.violations.isEmpty { history.complete(.all) }
    if history.violations.isEmpty { history.checkRest() }
    return history
  }
}
