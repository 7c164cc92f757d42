import FreshetTesting
import Testing

@testable import Freshet

/// T3, T5: rows that move below what is loaded, in lists that are read by offsets.
@Suite(.timeLimit(.minutes(1)))
struct MovedToTheEndTests {
  /// What a feed shows that has loaded some rows of a list before one of them moved, and then reads
  /// on to the end.
  private func read(_ count: Int, loaded: Int, moving from: Int, to: Int) async -> (
    shown: [Int], server: [Int], hasGap: Bool
  ) {
    let server = ScriptedServer((0..<count).map { Post(id: $0) })
    let feed = Feed(
      server.source(.offset),
      configuration: FeedConfiguration(pageSize: loaded, prefetchDistance: 0))
    await feed.refresh()
    server.move(from, to: to)
    for _ in 0..<20 where await feed.loadNext() == .idle {}
    await feed.settled()
    while feed.value.state.refresh == .loading { await feed.settled() }
    for _ in 0..<20 where await feed.loadNext() == .idle {}
    return (
      feed.value.items.map(\.id), server.items.map(\.id), !feed.value.state.gaps.isEmpty
    )
  }

  @Test
  func `T3: no row is lost without a gap, wherever one moves`() async {
    for count in 3...7 {
      for loaded in 2..<count {
        for from in 0..<count {
          // A row that comes above those that were read is there after the next refresh.
          for to in 0..<count where to != from && (from < loaded || to >= loaded) {
            let read = await read(count, loaded: loaded, moving: from, to: to)
            let isWhole = Set(read.shown) == Set(read.server)
            #expect(
              isWhole || read.hasGap,
              "\(count) rows, \(loaded) loaded, \(from) to \(to): \(read.shown) of \(read.server)")
          }
        }
      }
    }
  }
}
