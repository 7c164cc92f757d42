import FreshetTesting
import Testing

@testable import Freshet

/// W1: a number of rows that is shown as exact is exact.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct ExactNumberTests {
  private typealias Server = ScriptedServer<Post>

  /// Returns the first number that is exact and wrong.
  private func mistake(in feed: Feed<Post>, of server: Server) -> String? {
    let value = feed.value
    let places = Dictionary(uniqueKeysWithValues: zip(server.items.map(\.id), 0...))
    var last = -1
    var gap: RowTotal?
    for row in value.rows {
      if let id = row.gap?.id { gap = value.state.gapSizes[id] }
      guard let item = row.item, let place = places[item.id] else { continue }
      if let size = gap?.exact, size != place - last - 1 {
        return "gap above \(item): \(size), not \(place - last - 1)"
      }
      (gap, last) = (nil, place)
    }
    if let above = value.state.rowsAbove?.exact, let first = value.items.first,
      above != places[first.id]
    {
      return "above: \(above), not \(places[first.id] ?? -1)"
    }
    if let below = value.state.rowsBelow?.exact, below != server.items.count - last - 1 {
      return "below: \(below), not \(server.items.count - last - 1)"
    }
    return nil
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W1: rows that are inserted anywhere make numbers estimates`(
    paging: ScriptedPaging
  ) async {
    for seed in SeededGenerator.seeds(100) {
      var random = SeededGenerator(seed: seed)
      let server = Server((0..<200).map { Post(id: $0) })
      server.countRows()
      let feed = Feed(
        server.source(paging),
        configuration: FeedConfiguration(
          pageSize: 5, prefetchDistance: 0, maximumRows: random.oneIn(3) ? 40 : nil))
      await feed.refresh()
      var trace = "refresh"
      for step in 0..<20 {
        let requests = server.requests.count
        if random.oneIn(2) {
          let place = random.oneIn(2) ? 0 : Int.random(in: 0...server.items.count, using: &random)
          for number in 0..<Int.random(in: 1...3, using: &random) {
            server.insert(Post(id: 1_000 + 10 * step + number), at: place)
          }
          trace += ", insert at \(place)"
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: await feed.refresh()
        case 1: await feed.refresh(.visible)
        case 2, 3: await feed.loadNext()
        case 4:
          let row = Int.random(in: 0..<server.items.count, using: &random)
          trace += ", jump to \(row)"
          await feed.load(rowAt: row)
        default:
          if let gap = feed.value.rows.lazy.compactMap(\.gap).first { await feed.load(gap) }
        }
        if let item = feed.value.items.randomElement(using: &random) { feed.willDisplay(item) }
        trace += ": \(feed.value.outline)"
        // What was inserted is unknown to the feed before an answer.
        if server.requests.count == requests { await feed.refresh() }
        if let mistake = mistake(in: feed, of: server) {
          Issue.record("\(paging) \(seed) \(step): \(mistake)\n\(trace.suffix(2_000))")
          break
        }
      }
    }
  }

  @Test func `W1: rows inserted among loaded ones are not taken from those below`() async {
    let server = Server((0..<120).map { Post(id: $0) })
    server.countRows()
    let feed = Feed(
      server.source(.keyset), configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0))
    for _ in 0..<4 { await feed.loadNext() }
    #expect(feed.value.state.rowsBelow == .exact(80))
    for id in 200..<203 { server.insert(Post(id: id), at: 15) }
    await feed.loadNext()
    #expect(feed.value.state.rowsBelow == .estimated(73))
    // Reading all loaded rows again proves where they are.
    await feed.refresh(.all)
    #expect(feed.value.state.rowsBelow == .exact(123 - feed.value.items.count))
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W1: new rows at the head keep numbers exact`(paging: ScriptedPaging) async {
    let server = Server((0..<120).map { Post(id: $0) })
    server.countRows()
    let feed = Feed(
      server.source(paging), configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0))
    for _ in 0..<3 { await feed.loadNext() }
    let below = 120 - feed.value.items.count
    for id in 200..<203 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    #expect(feed.value.state.rowsBelow == .exact(below))
    server.insert(Post(id: 300), at: 0)
    server.delete(5)
    await feed.refresh(.visible)
    await feed.refresh(.all)
    #expect(feed.value.state.rowsBelow == .exact(123 - feed.value.items.count))
  }

  @Test(arguments: [ScriptedPaging.keyset, .offset, .page])
  func `W1: new rows that a refresh finds leave the sizes of gaps exact`(
    paging: ScriptedPaging
  ) async throws {
    let server = Server((0..<300).map { Post(id: $0) })
    server.countRows()
    let feed = Feed(
      server.source(paging), configuration: FeedConfiguration(pageSize: 20, prefetchDistance: 0))
    await feed.refresh()
    await feed.load(rowAt: 185)
    await feed.load(rowAt: 90)
    for id in 400..<403 { server.insert(Post(id: id), at: 0) }
    await feed.refresh()
    #expect(mistake(in: feed, of: server) == nil)
    #expect(feed.value.state.rowsBelow?.exact != nil && feed.value.state.rowsAbove == .exact(0))
    #expect(feed.value.state.gapSizes.values.allSatisfy { $0.exact != nil })
  }
}
