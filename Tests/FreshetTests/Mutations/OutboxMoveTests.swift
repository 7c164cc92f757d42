import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Moves by hand, which an outbox sends.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxMoveTests {
  private let server = MutationServer()
  private let source = ScriptedServer((0..<5).map { Post(id: $0) })

  private func makeFeed() async -> Feed<Post> {
    let feed = Feed(source.source(.cursor))
    await feed.refresh()
    return feed
  }

  @Test
  func `O5: a moved row stays where it was dropped, before and after the answer`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server)
    outbox.attach(feed)
    server.close()
    try await outbox.perform(Move(target: 3, other: 0))
    #expect(feed.value.outline == "0 3 1 2 4")
    try await outbox.perform(Revise(target: 3, version: 2))
    try await outbox.perform(Move(target: 1, other: nil))
    #expect(feed.value.outline == "1 0 3v2 2 4")
    // An answer from before the move is no reason to move it back.
    await feed.refresh()
    #expect(feed.value.outline == "1 0 3v2 2 4")
    server.open()
    #expect(await outbox.isEmptied())
    #expect(feed.value.outline == "1 0 3v2 2 4")
    #expect(Set(server.applied) == ["move 3 after 0", "revise 3 v2", "move 1 after none"])
    // The source has another order by now: its next answer decides.
    await feed.refresh()
    #expect(feed.value.rows.count == 5)
  }

  @Test
  func `O4: a move that is discarded is undone alone`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(feed)
    try await outbox.perform(Move(target: 3, other: 0))
    try await outbox.perform(Revise(target: 2, version: 1))
    try await outbox.discard(try #require(outbox.status.mutations.first?.id))
    #expect(feed.value.outline == "0 1 2v1 3 4")
  }

  @Test
  func `O6: a stored move is shown once its items are loaded`() async throws {
    let outbox = Outbox(server, isPaused: true)
    try await outbox.perform(Move(target: 3, other: 0))
    try await outbox.perform(Move(target: 9, other: 0))
    let feed = Feed(source.source(.cursor))
    outbox.attach(feed)
    #expect(feed.value.outline == "")
    await feed.refresh()
    #expect(feed.value.outline == "0 3 1 2 4")
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(feed.value.outline == "0 3 1 2 4")
  }

  @Test
  func `an event about a moved row changes its contents, and not its place`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(feed)
    try await outbox.perform(Move(target: 3, other: 0))
    feed.receive(.upsert(Post(id: 3, version: 8)))
    #expect(feed.value.outline == "0 3v8 1 2 4")
    outbox.resume()
    #expect(await outbox.isEmptied())
    feed.receive(.upsert(Post(id: 3, version: 9)))
    #expect(feed.value.outline == "0 3v9 1 2 4")
  }

  @Test
  func `in a list that has an order, a moved row stays at its position`() async throws {
    let feed = Feed(source.source(.cursor), sortedBy: { $0.id < $1.id })
    await feed.refresh()
    let outbox = Outbox(server)
    outbox.attach(feed)
    try await outbox.perform(Move(target: 3, other: 0))
    #expect(feed.value.outline == "0 1 2 3 4")
    #expect(await outbox.isEmptied())
  }

  @Test
  func `live results hold a moved row until their store has the move`() async throws {
    let store = MemoryStore((0..<4).map { Post(id: $0) })
    let results = LiveResults(store: store, arrangement: .sorted(by: \.id))
    await results.fetch(.all)
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(results)
    try await outbox.perform(Move(target: 3, other: 0))
    #expect(results.value.outline == "0 3 1 2")
    try await outbox.discard(try #require(outbox.status.mutations.first?.id))
    #expect(results.value.outline == "0 1 2 3")
  }

  @Test(arguments: SeededGenerator.seeds(60))
  func `O6, O9: moves apply in their order, over any answers meanwhile`(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let feed = await makeFeed()
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(feed)
    var expected = Array(0..<5)
    for step in 0..<12 {
      if random.oneIn(4) { await feed.refresh() }
      let target = Int.random(in: 0..<5, using: &random)
      let other = random.oneIn(4) ? nil : Int.random(in: 0..<5, using: &random)
      if other == target { continue }
      expected.removeAll { $0 == target }
      let index = other.flatMap(expected.firstIndex(of:)).map { $0 + 1 } ?? 0
      expected.insert(target, at: index)
      try await outbox.perform(Move(target: target, other: other))
      #expect(feed.value.items.map(\.id) == expected, "seed \(seed), step \(step)")
    }
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(feed.value.items.map(\.id) == expected, "seed \(seed)")
  }
}
