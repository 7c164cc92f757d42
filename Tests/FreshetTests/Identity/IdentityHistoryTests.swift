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

  @Test(arguments: [1, 4])
  func `I1, I3: an item has one value in feeds and live results`(lists: Int) {
    check(SeededGenerator.seeds(1000), lists: lists, results: lists + 1, steps: 80)
  }

  @Test func `I1, I3: an item has one value in a hundred lists`() {
    check(SeededGenerator.seeds(20), lists: 100, steps: 600)
  }

  @Test func `R2: of answers with one number, the same one counts in whatever order they arrive`() {
    let versions = [1: 7, 2: 5, 3: 6]
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
      var items = SharedItems()
      for list in order {
        let item = AnyItem(Post(id: 1, version: versions[list] ?? 0))
        items.learn(item, at: SharedItems.Moment(request: 4, list: list), by: list)
      }
      #expect(items.item(RowID(post: 1))?.post.version == 6, "\(order)")
    }
  }

  @Test func `I6: news of an item that only a list on disk has reaches the list`() {
    var items = SharedItems()
    let (stored, other) = (items.addMember(), items.addMember())
    items.setState(of: stored, isStoring: true, oldestRequest: nil)
    let report = SharedItems.Moment(request: 1, list: nil)
    items.learn(AnyItem(Post(id: 1, version: 9)), at: report, by: nil)
    items.learn(AnyItem(Post(id: 2, version: 9)), at: report, by: other)
    items.release(RowID(post: 2), by: other)
    let news = items.takeNews(for: stored).items.map(\.item.post).sorted { $0.id < $1.id }
    #expect(news == [Post(id: 1, version: 9), Post(id: 2, version: 9)] && items.count == 0)
  }

  /// Reports the first seed whose history breaks a law, step by step.
  private func check(_ seeds: Range<Int>, lists: Int, results: Int = 0, steps: Int) {
    for seed in seeds {
      var history = SharedHistory(seed: seed, lists: lists, results: results, isLogged: false)
      history.run(steps: steps)
      guard !history.violations.isEmpty else { continue }
      var again = SharedHistory(seed: seed, lists: lists, results: results, isLogged: true)
      again.run(steps: steps)
      let log = again.log.suffix(400).joined(separator: "\n")
      Issue.record("seed \(seed): \(history.violations.prefix(3))\n\(log)")
      return
    }
  }
}
