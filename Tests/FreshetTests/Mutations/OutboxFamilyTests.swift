import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Mutations in the feeds of a family.
@Suite(.timeLimit(.minutes(5)))
struct OutboxFamilyTests {
  private let server = MutationServer()

  private func makeFamily() -> FeedFamily<String, Post> {
    let source = ScriptedServer((0..<3).map { Post(id: $0) })
    return FeedFamily(maximumFeeds: 1) { (_: String) in source.source(.cursor) }
  }

  @Test
  func `O6: feeds that are created or displayed later show the mutations, too`() async throws {
    let family = makeFamily()
    let found = QueryFeed(family, query: "a")
    await found.refresh()
    let outbox = Outbox(server, isPaused: true)
    outbox.attach(found)
    try await outbox.perform(Revise(target: 1, version: 2))
    #expect(await eventually { found.value.outline == "0 1v2 2" })
    for query in ["b", "c", "b"] {
      found.show(query)
      await found.refresh()
      #expect(await eventually { found.value.outline == "0 1v2 2" }, "\(query)")
      #expect(await found.query == query)
    }
    try await outbox.perform(Revise(target: 0, version: 3))
    #expect(await eventually { found.value.outline == "0v3 1v2 2" })
    let other = family["d"]
    await other.refresh()
    #expect(other.value.outline == "0v3 1v2 2")
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(other.value.outline == "0v3 1v2 2")
  }

  @Test @MainActor
  func `O6: an insertion is shown in the feed of the query for which it was performed`()
    async throws
  {
    let family = makeFamily()
    let controller = QueryController(family, query: "a")
    await controller.refresh()
    let outbox = Outbox(server, isPaused: true)
    try await controller.perform(Create(target: -1), outbox, as: "search")
    let (first, second) = (family["a"], family["b"])
    await second.refresh()
    #expect(first.value.outline == "-1v1 0 1 2" && second.value.outline == "0 1 2")
    #expect(await eventually { controller.value.outline == "-1v1 0 1 2" })
  }
}
