import FreshetTesting
import Testing

@testable import Freshet

/// What a query was told and the engine has not taken.
@Suite(.timeLimit(.minutes(5)))
struct ChangeInboxTests {
  @Test(arguments: SeededGenerator.seeds(40))
  func `what waits is taken once, initial results apart, and an item's last change counts`(
    seed: Int
  )
    async
  {
    var random = SeededGenerator(seed: seed)
    let waiting = ChangeInbox<Post>()
    var (expected, initial) = (ChangeBatch<Post>(), ChangeBatch<Post>())
    let complete = Int.random(in: 0..<200, using: &random)
    for step in 0..<200 {
      var changes = ChangeBatch<Post>()
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let post = Post(id: Int.random(in: 0..<30, using: &random), version: step)
        changes.add(post, as: random.oneIn(4) ? .delete : .update)
      }
      var status = QueryStatus()
      status.revision = step
      status.isComplete = step >= complete
      _ = waiting.add(changes, status)
      expected.add(changes)
      if step <= complete { initial.add(changes) }
      // A task may make one batch of many meanwhile.
      if random.oneIn(10) { await Task.yield() }
      guard random.oneIn(40) else { continue }
      var (all, later, _, last) = waiting.take()
      #expect(all.all == initial.all, "seed \(seed), step \(step)")
      all.add(later)
      #expect(all.all == expected.all && last.revision == step, "seed \(seed), step \(step)")
      #expect(waiting.add(ChangeBatch(), status), "seed \(seed): all was taken")
      _ = waiting.take()
      (expected, initial) = (ChangeBatch(), ChangeBatch())
    }
  }

  @Test
  func `who tells of changes looks at none of those that wait`() {
    let counter = CostTests.Counter()
    let waiting = ChangeInbox<CostTests.Counted>()
    var batches: [ChangeBatch<CostTests.Counted>] = []
    for first in stride(from: 0, to: 10_000, by: 1_000) {
      var batch = ChangeBatch<CostTests.Counted>()
      for number in first..<(first + 1_000) {
        batch.add(.init(id: .init(number: number, counter: counter)), as: .update)
      }
      batches.append(batch)
    }
    let before = counter.value
    for batch in batches { _ = waiting.add(batch, QueryStatus()) }
    #expect(counter.value == before)
    #expect(waiting.take().initial.count == 10_000)
  }
}
