import FreshetTesting
import Testing

@testable import Freshet

/// Rule X5 for two feeds whose servers change while they load.
@Suite(.timeLimit(.minutes(5)))
struct MergedFeedTests {
  /// A server of posts in the order of their ids, and its feed.
  struct Side {
    let server: ScriptedServer<Post>
    let feed: Feed<Post>

    init(_ ids: Set<Int>) {
      server = ScriptedServer(ids.sorted().map { Post(id: $0) })
      feed = Feed(server.source(.keyset), configuration: FeedConfiguration(pageSize: 4))
    }

    func change(_ random: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let id = Int.random(in: 0..<80, using: &random)
        if server.items.contains(where: { $0.id == id }) {
          server.delete(id)
        } else {
          server.insert(
            Post(id: id), at: server.items.firstIndex { $0.id > id } ?? server.items.count)
        }
      }
    }
  }

  @Test
  func `X5: merged feeds keep their order, overtake nothing, and are the union in the end`() async {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed: seed)
      func ids() -> Set<Int> {
        Set(
          (0..<Int.random(in: 0...40, using: &random)).map { _ in
            .random(in: 0..<80, using: &random)
          })
      }
      let sides = [Side(ids()), Side(ids())]
      let merged = sides[0].feed.merged(with: sides[1].feed, sortedBy: \.id)
      var view = ListView(merged.publisher)
      var isUntouched = true
      for step in 0..<15 {
        let before = view.rows
        let isLoad = !random.oneIn(3)
        if isLoad {
          await merged.loadNext()
        } else if random.oneIn(2) {
          sides.randomElement(using: &random)?.change(&random)
          isUntouched = false
        } else {
          await merged.refresh()
        }
        #expect(view.advance() == [], "seed \(seed), step \(step)")
        let shown = view.value.items.map(\.id)
        #expect(shown == shown.sorted(), "seed \(seed), step \(step)")
        if isUntouched {
          #expect(Array(view.rows.prefix(before.count)) == before, "seed \(seed), step \(step)")
        }
      }
      let union = Set(sides.flatMap { $0.server.items.map(\.id) }).sorted()
      for _ in 0..<100 where view.value.items.map(\.id) != union || view.value.state.next != .end {
        if let gap = view.value.rows.lazy.compactMap(\.gap).first {
          await merged.load(gap)
        } else if await merged.loadNext() == .end {
          await merged.refresh(.all)
        }
        #expect(view.advance() == [], "seed \(seed)")
      }
      #expect(view.value.items.map(\.id) == union, "seed \(seed)")
      #expect(view.value.state.gaps.isEmpty && view.value.isComplete, "seed \(seed)")
    }
  }
}

extension ListValue {
  fileprivate var isComplete: Bool { list.sections.indices.allSatisfy(isComplete) }
}
