import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Mutations of one item that are merged before they are sent.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxMergeTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()
  private var storage: OutboxStorage { .file("outbox", in: directory.url) }

  private func makeFeed() async -> Feed<Post> {
    let source = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = Feed(source.source(.cursor))
    await feed.refresh()
    return feed
  }

  @Test
  func `O9: mutations that wait are replaced, or cancel each other out, also on disk`()
    async throws
  {
    let feed = await makeFeed()
    var outbox: Outbox? = Outbox(server, storage, isPaused: true)
    outbox?.attach(feed)
    let first = try await outbox?.perform(Switch(target: 0, isOn: true))
    let second = try await outbox?.perform(Switch(target: 0, isOn: true))
    #expect(first?.id == second?.id && outbox?.status.mutations.count == 1)
    #expect(await eventually { feed.value.outline == "0v1 1 2" })
    try await outbox?.perform(Switch(target: 1, isOn: true))
    try await outbox?.perform(Switch(target: 0, isOn: false))
    #expect(feed.value.outline == "0 1v1 2" && outbox?.status.mutations.count == 1)
    outbox = nil
    var next: Outbox?
    repeat {
      next = Outbox(server, storage)
      do { try await next?.written() } catch OutboxError.inUse { next = nil }
    } while next == nil
    #expect(await next?.isEmptied() == true)
    #expect(server.applied == ["switch 1 on"])
  }

  @Test
  func `O9: what was sent or may have been sent is not merged`() async throws {
    let clock = ManualClock()
    let outbox = Outbox(server, clock: clock)
    server.close()
    try await outbox.perform(Switch(target: 0, isOn: true))
    #expect(await eventually { server.waiting == 1 })
    try await outbox.perform(Switch(target: 0, isOn: false))
    #expect(outbox.status.mutations.count == 2)
    server.fail(with: URLError(.networkConnectionLost))
    server.open()
    #expect(await outbox.isRetrying(after: 1))
    outbox.pause()
    // This one takes the place of the second: the first may have been applied.
    try await outbox.perform(Switch(target: 0, isOn: false))
    #expect(outbox.status.mutations.count == 2)
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["switch 0 on", "switch 0 off"])
  }

  @Test
  func `O9: only the last mutation of a lane is merged, and none that was read from disk`()
    async throws
  {
    var outbox: Outbox? = Outbox(server, storage, isPaused: true)
    try await outbox?.perform(Switch(target: 0, isOn: true))
    try await outbox?.perform(Revise(target: 0, version: 2))
    try await outbox?.perform(Switch(target: 0, isOn: false))
    #expect(outbox?.status.mutations.count == 3)
    try await outbox?.signOut(.keep)
    outbox = Outbox(server, storage, isPaused: true)
    try await outbox?.written()
    try await outbox?.perform(Switch(target: 0, isOn: true))
    #expect(outbox?.status.mutations.count == 4)
    outbox?.resume()
    #expect(await outbox?.isEmptied() == true)
    #expect(server.applied == ["switch 0 on", "revise 0 v2", "switch 0 off", "switch 0 on"])
  }

  @Test(arguments: SeededGenerator.seeds(40))
  func `O9: merged or not, the server and the screen end as the user left them`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let server = MutationServer()
    let feed = await makeFeed()
    let clock = ManualClock()
    let outbox = Outbox(server, clock: clock)
    outbox.attach(feed)
    var switches = [false, false, false]
    for _ in 0..<30 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: random.oneIn(2) ? outbox.pause() : outbox.resume()
      case 1: server.fail(with: URLError(.networkConnectionLost))
      default:
        let target = Int.random(in: 0..<3, using: &random)
        switches[target].toggle()
        try await outbox.perform(Switch(target: target, isOn: switches[target]))
      }
    }
    let isEmptied = await eventually {
      outbox.resume()
      return outbox.status.mutations.isEmpty
    }
    #expect(isEmptied, "seed \(seed)")
    var applied = [false, false, false]
    for line in server.applied {
      let words = line.split(separator: " ")
      applied[Int(words[1]) ?? 0] = words[2] == "on"
    }
    #expect(applied == switches, "seed \(seed)")
    let outline = switches.enumerated().map { $1 ? "\($0)v1" : "\($0)" }.joined(separator: " ")
    #expect(await eventually { feed.value.outline == outline }, "seed \(seed)")
  }
}
