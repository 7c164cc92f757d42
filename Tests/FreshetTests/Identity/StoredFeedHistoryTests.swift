import FreshetTesting
import Testing

@testable import Freshet

/// Rules I1 and I3 in random histories of a feed over a store and live results of the store.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct StoredFeedHistoryTests {
  @Test func `I1: what a feed writes into a store comes back as no news, writes of others do`() {
    for seed in SeededGenerator.seeds(2000) {
      var history = StoredFeedHistory(seed: seed, isMarked: true)
      history.run(steps: 80)
      guard !history.violations.isEmpty else { continue }
      var again = StoredFeedHistory(seed: seed, isMarked: true, isLogged: true)
      again.run(steps: 80)
      let log = again.log.suffix(200).joined(separator: "\n")
      Issue.record("seed \(seed): \(history.violations.prefix(3))\n\(log)")
      return
    }
  }

  @Test func `I1: the histories tell whether a store knows what the feed wrote`() {
    let isFound = (0..<200).contains { seed in
      var history = StoredFeedHistory(seed: seed, isMarked: false)
      history.run(steps: 80)
      return !history.violations.isEmpty
    }
    #expect(isFound)
  }
}
