import FreshetTesting
import Testing

@testable import Freshet

/// Gaps whose keys lead to rows further up by now.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct ShiftedGapTests {
  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T7: a gap whose keys shifted into the gap above is filled, and never fails`(
    paging: ScriptedPaging
  ) async {
    let server = ScriptedServer((0..<800).map { Post(id: $0) })
    let feed = Feed(
      server.source(paging),
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0, retryPolicy: .never))
    await feed.refresh()
    for start in [1_000, 2_000] {
      for id in start..<(start + 300) { server.insert(Post(id: id), at: 0) }
      await feed.refresh()
    }
    func gaps() -> [Gap] { feed.value.rows.compactMap(\.gap) }
    for _ in 0..<12 { await feed.load(gaps()[0]) }
    #expect(gaps().count == 2)
    while let gap = gaps().last {
      let requests = server.requests.count
      let (rows, others) = (feed.value.items.count, gaps().count)
      let state = await feed.load(gap)
      #expect(state.failure == nil)
      // Rows are loaded at this gap, or at the one above.
      #expect(feed.value.items.count > rows || gaps().count < others)
      #expect(server.requests.count < requests + 70)
      if state.failure != nil { return }
    }
    #expect(feed.value.items.count > 600)
    #expect(Array(feed.value.items) == Array(server.items.prefix(feed.value.items.count)))
  }
}
