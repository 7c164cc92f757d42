import FreshetTesting
import Testing

@testable import Freshet

/// Rules I1, I3, I4 and I6 in random histories of lists that share their items.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct IdentityHistoryTests {
  @Test(arguments: [2, 3, 8])
  func `I1, I3: an item has one value in all lists, the one that was asked for last`(lists: Int) {
    check(SeededGenerator.seeds(1000), lists: lists, steps: 60)
  }

  @Test func `I1, I3: an item has one value in a hundred lists`() {
    check(SeededGenerator.seeds(20), lists: 100, steps: 600)
  }

  /// Reports the first seed whose history breaks a law, step by step.
  private func check(_ seeds: Range<Int>, lists: Int, steps: Int) {
    for seed in seeds {
      var history = SharedHistory(seed: seed, lists: lists, isLogged: false)
      history.run(steps: steps)
      guard !history.violations.isEmpty else { continue }
      var again = SharedHistory(seed: seed, lists: lists, isLogged: true)
      again.run(steps: steps)
      let log = again.log.suffix(400).joined(separator: "\n")
      Issue.record("seed \(seed): \(history.violations.prefix(3))\n\(log)")
      return
    }
  }
}
