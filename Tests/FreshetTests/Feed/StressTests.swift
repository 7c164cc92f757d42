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
      section: { "\(abs($0.id) % 3)" },
      configuration: FeedConfiguration(pageSize: 5, retryPolicy: RetryPolicy(attempts: 1)))
    let watching = Task {
      var checker = BatchUpdateChecker<FeedRow<Post>>()
      var violations: [String] = []
      for await update in feed.updates {
        violations += checker.violations(performing: update.list)
        if update.value.items.first?.id == 9999 { break }
      }
      return (violations, checker.shown)
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
    feed.insert(Post(id: 9999), after: nil)
    let (violations, shown) = await watching.value
    #expect(violations == [])
    #expect(shown == feed.value.list)
    await feed.flush()
    #expect(feed.isSaved)
  }

  private static func call(
    _ feed: Feed<Post>, _ server: ScriptedServer<Post>, id: Int, _ random: inout SeededGenerator
  ) async {
    let known = feed.value.items.randomElement(using: &random)
    let other = feed.value.items.randomElement(using: &random)?.id
    switch Int.random(in: 0..<18, using: &random) {
    case 0: await feed.refresh()
    case 1: await feed.refresh(.all)
    case 2, 3: await feed.loadMore()
    case 4: if let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
    case 5: await feed.retry()
    case 6: if let known { feed.willDisplay(known) }
    case 7: feed.insert(Post(id: id), after: other)
    case 8: if let known { feed.remove(known.id) }
    case 9: if let known { feed.move(known.id, after: other) }
    case 10:
      if let known { try? await feed.update(known.id, optimistically: { $0.version += 1 }) {} }
    case 11: _ = try? await feed.insert(Post(id: -id), after: other) { throw ScriptedFailure() }
    case 12: if let known { try? await feed.delete(known.id) { server.delete(known.id) } }
    case 13: feed.receive(.upsert(Post(id: id, version: 3)))
    case 14: await feed.loadCache()
    case 15: await feed.clearCache()
    case 16: server.failNext(with: ScriptedFailure())
    default: server.insert(Post(id: id), at: 0)
    }
  }
}
