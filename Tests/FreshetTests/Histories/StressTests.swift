import Freshet
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StressTests {
  @Test(arguments: ScriptedPaging.allCases)
  func `every method may be called from any task at any time`(paging: ScriptedPaging) async {
    let directory = TemporaryDirectory()
    let server = ScriptedServer((0..<60).map { Post(id: $0) })
    let feed = Feed(
      server.source(paging), cache: .file("stress", in: directory.caches),
      sectionedBy: { "\(abs($0.id) % 3)" },
      configuration: FeedConfiguration(
        pageSize: 5, staleAfter: .milliseconds(5), maximumRows: paging == .cursor ? nil : 30,
        retryPolicy: RetryPolicy(attempts: 1)))
    let watched = Locked((checker: BatchUpdateChecker<ListRow<Post>>(), violations: [String]()))
    let watching = Task {
      for await update in feed.updates {
        watched.withLock { $0.violations += $0.checker.violations(performing: update.step) }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: worker)
          for step in 0..<40 {
            await Self.call(feed, server, id: 1000 + worker * 100 + step, &random)
          }
        }
      }
    }
    // Loads that nobody waits for go on for a moment; then the observer holds the list.
    #expect(
      await eventually {
        await feed.loads == 0 && watched.withLock { $0.checker.shown } == feed.value.list
      })
    watching.cancel()
    #expect(watched.withLock { $0.violations } == [])
    await feed.flush()
    #expect(await eventually { feed.isSaved })
  }

  @Test(arguments: 0..<5)
  func `what many callers do happens without a loss, in the order of each`(seed: Int) async {
    let feed = Feed(ScriptedServer<Post>().source(.cursor), sectionedBy: { "\($0.id % 2)" })
    let watching = Task {
      var checker = BatchUpdateChecker<ListRow<Post>>()
      var violations: [String] = []
      for await update in feed.updates {
        violations += checker.violations(performing: update.step)
        if checker.shown.count == 700 { break }
      }
      return violations
    }
    @Sendable func insert(_ worker: Int) async {
      var random = SeededGenerator(seed: seed * 10 + worker)
      for number in 0..<100 {
        feed.insertLocally(Post(id: worker * 1000 + number), after: nil)
        if random.oneIn(10) { feed.holdNew() }
        if random.oneIn(10) { feed.showNew() }
        if random.oneIn(20) { await Task.yield() }
      }
      feed.showNew()
    }
    let onMain = Task { @MainActor in await insert(6) }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<6 { group.addTask { await insert(worker) } }
    }
    await onMain.value
    #expect(await watching.value == [])
    let ids = feed.value.items.map(\.id)
    for worker in 0..<7 {
      let own = ids.filter { $0 / 1000 == worker }
      if own != (0..<100).reversed().map({ worker * 1000 + $0 }) {
        Issue.record("seed \(seed), worker \(worker): \(own)")
      }
    }
  }

  private static func call(
    _ feed: Feed<Post>, _ server: ScriptedServer<Post>, id: Int, _ random: inout SeededGenerator
  ) async {
    let known = feed.value.items.randomElement(using: &random)
    let other = feed.value.items.randomElement(using: &random)?.id
    switch Int.random(in: 0..<25, using: &random) {
    case 0: await feed.refresh()
    case 1: await feed.refresh(.all)
    case 2, 3: await feed.loadNext()
    case 4: if let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
    case 5: await feed.retry()
    case 6: if let known { feed.willDisplay(known) }
    case 7: feed.insertLocally(Post(id: id), after: other)
    case 8: if let known { feed.removeLocally(known.id) }
    case 9: if let known { feed.moveLocally(known.id, after: other) }
    case 10:
      if let known { try? await feed.update(known.id, optimistically: { $0.version += 1 }) {} }
    case 11: _ = try? await feed.insert(Post(id: -id), after: other) { throw ScriptedFailure() }
    case 12: if let known { try? await feed.remove(known.id) { server.delete(known.id) } }
    case 13: feed.receive(.upsert(Post(id: id, version: 3)))
    case 14: await feed.loadCache()
    case 15: await feed.clearCache()
    case 16: server.failNext(with: ScriptedFailure())
    case 17: await feed.loadPrevious()
    case 18:
      if let gap = feed.value.rows.lazy.compactMap(\.gap).first {
        await feed.load(gap, from: .below)
      }
    case 19:
      // No other call may come between: whoever waits would wait for ever.
      feed.pause()
      feed.resume()
    case 20: if let known { _ = await feed.trace(of: known.id) }
    case 21: feed.anchor = known?.id
    case 22: feed.holdNew()
    case 23: feed.showNew()
    default: server.insert(Post(id: id), at: 0)
    }
  }
}
