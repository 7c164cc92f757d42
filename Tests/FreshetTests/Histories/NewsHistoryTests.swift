import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rules T2, T3 and T5 while the source tells of rows that pages under way may have.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct NewsHistoryTests {
  @Test(arguments: ScriptedPaging.allCases)
  func `T5: news of rows that are known, under way or not loaded lose none`(
    paging: ScriptedPaging
  ) {
    for seed in SeededGenerator.seeds(80) {
      let history = Self.history(seed: seed, paging: paging, isLogged: false)
      guard !history.violations.isEmpty else { continue }
      let log = Self.history(seed: seed, paging: paging, isLogged: true).log
      Issue.record(
        "seed \(seed): \(history.violations.prefix(3))\n\(log.joined(separator: "\n"))")
      return
    }
  }

  /// Loads, changes of the server and news in any order; then the server rests.
  private static func history(seed: Int, paging: ScriptedPaging, isLogged: Bool) -> History {
    var random = SeededGenerator(seed: seed)
    var history = History(
      seed: seed, paging: paging, changes: .noMoves, sectioned: seed % 3 == 0)
    history.isLogged = isLogged
    history.perform("load", history.machine.load(.refresh))
    for token in 1...30 where history.violations.isEmpty {
      if random.oneIn(3), var post = history.server.items.randomElement(using: &random) {
        post.version += 1
        history.server.update(post)
        history.versions.append(history.server.items)
        let event = FeedEvent<Post>.upsert(post)
        history.perform(
          "news: \(post)", history.machine.follow(event, token: -token, at: history.now))
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
