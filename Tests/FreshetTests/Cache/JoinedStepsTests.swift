import FreshetTesting
import Testing

@testable import Freshet

/// Steps that come faster than they are stored.
@Suite(.timeLimit(.minutes(5)))
struct JoinedStepsTests: CachingSuite {
  let directory = TemporaryDirectory()

  @Test
  func `P4: steps of any history that are stored as one leave what they leave one by one`()
    async throws
  {
    for seed in SeededGenerator.seeds(300) {
      var history = History(
        seed: seed, paging: ScriptedPaging.allCases[seed % 5], changes: .all, isWild: true,
        isEdited: seed % 2 == 0, isWindowed: seed % 3 == 0)
      let model = ModelCache()
      history.relaunch(from: model)
      history.run(steps: 60)
      let joined = ModelCache()
      var generator = SeededGenerator(seed: seed)
      var left = model.commits[...]
      while !left.isEmpty {
        let some = left.prefix(Int.random(in: 1...12, using: &generator))
        left = left.dropFirst(some.count)
        for step in FeedCommit.joined(some) { _ = joined.save(step) }
      }
      #expect(joined.violations.isEmpty, "seed \(seed)")
      #expect(joined.rows == model.rows && joined.state == model.state, "seed \(seed)")
    }
  }

  @Test
  func `P4: a row that went beside others that were let go of stays gone`() {
    func rows(_ ids: some Sequence<Int>) -> [ListRow<Post>] { ids.map { .post($0) } }
    let start = FeedCommit(
      rows: RowTree(rows(0..<10)), inserted: Array(0..<10), isWhole: true)
    let deletion = FeedCommit(
      rows: RowTree(rows([0, 1, 2, 3, 4, 6, 7, 8, 9])), deleted: [5])
    // 3, 4, 6 and 7 were let go of, and another row came.
    let page = FeedCommit(
      rows: RowTree(rows([0, 1, 2]) + [.gap(Gap(id: 1))] + rows([8, 9, 10])),
      unloaded: [FeedCommit.Unloaded(row: 3, count: 4)], inserted: [9])
    let (apart, joined) = (ModelCache(), ModelCache())
    for step in [start, deletion, page] { _ = apart.save(step) }
    #expect(apart.ids == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10])
    _ = joined.save(start)
    for step in FeedCommit.joined([deletion, page]) { _ = joined.save(step) }
    #expect(joined.ids == apart.ids && joined.violations == [])
  }

  /// A cache whose first save lasts until it is let go on.
  private final class SlowCache: FeedCache {
    typealias Item = Post
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let saved = Locked<[FeedCommit<Post>]>([])

    func loadFirst() -> CachedRows<Post>? { nil }
    func loadRest() async -> CachedRows<Post> { CachedRows() }
    func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Post>.Row]? { nil }
    func save(_ commit: FeedCommit<Post>) async -> Bool {
      for await _ in gate {}
      saved.withLock { $0.append(commit) }
      return true
    }
    func removeAll() async {}
    func takeIssues() -> [CacheIssue] { [] }
  }

  @Test
  func `P4: what waits while a step is stored is stored as one`() async throws {
    let cache = SlowCache()
    let writer = CacheWriter(cache)
    let commits = pages(20)
    for commit in commits { writer.save(commit) }
    #expect(!writer.isSaved)
    cache.opening.finish()
    await writer.flush()
    let saved = cache.saved.withLock { $0 }
    #expect(writer.isSaved && saved.count <= 2 && saved.last?.count == commits.last?.count)
  }
}
