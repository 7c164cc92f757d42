import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The end of an outbox whose account signs out.
@Suite(.timeLimit(.minutes(5)))
struct OutboxSignOutTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()
  private var storage: OutboxStorage { .file("outbox", account: "1", in: directory.url) }

  private func makeFeed() async -> Feed<Post> {
    let source = ScriptedServer((0..<3).map { Post(id: $0) })
    let feed = Feed(source.source(.cursor))
    await feed.refresh()
    return feed
  }

  @Test(arguments: [SignOutPolicy.keep, .discard])
  func `O8: signing out takes the edits off the screen, and keeps or discards the mutations`(
    policy: SignOutPolicy
  ) async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, storage, isPaused: true)
    outbox.attach(feed)
    try await outbox.perform(Revise(target: 1, version: 7))
    try await outbox.perform(Create(target: -1))
    #expect(feed.value.outline == "-1v1 0 1v7 2")
    try await outbox.signOut(policy)
    #expect(feed.value.outline == "0 1 2" && outbox.status.mutations == [])
    #expect(outbox.status.failure?.message == OutboxError.signedOut.errorDescription)

    // The first outbox still exists, and has given the file back.
    let next = Outbox(server, storage, isPaused: true)
    try await next.written()
    #expect(next.status.failure == nil)
    #expect(next.status.mutations.count == (policy == .keep ? 2 : 0))
    next.resume()
    #expect(await next.isEmptied())
    #expect(Set(server.applied) == (policy == .keep ? ["revise 1 v7", "create v1"] : []))
    let text = Data("Revise".utf8)
    if policy == .discard {
      #expect(!directory.files.values.contains { $0.range(of: text) != nil })
    }
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `O8: after signing out every call throws`() async throws {
    let feed = await makeFeed()
    let outbox = Outbox(server, storage, isPaused: true)
    try await outbox.perform(Revise(target: 1, version: 7))
    let id = try #require(outbox.status.mutations.first?.id)
    try await outbox.signOut(.keep)
    outbox.attach(feed)
    outbox.resume()
    await #expect(throws: OutboxError.signedOut) {
      try await outbox.perform(Revise(target: 1, version: 8))
    }
    await #expect(throws: OutboxError.signedOut) { try await outbox.retry(id) }
    await #expect(throws: OutboxError.signedOut) { try await outbox.discard(id) }
    await #expect(throws: OutboxError.signedOut) {
      try await outbox.replace(id, with: Revise(target: 1, version: 8))
    }
    await #expect(throws: OutboxError.signedOut) { try await outbox.signOut(.discard) }
    #expect(feed.value.outline == "0 1 2" && server.attempts == [])
  }

  @Test
  func `O3, O8: what was being sent is cancelled, and sent again with its key`() async throws {
    let outbox = Outbox(server, storage)
    server.close()
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { server.waiting == 1 })
    try await outbox.signOut(.keep)
    server.open()
    #expect(await eventually { server.applied.count == 1 })
    let next = Outbox(server, storage)
    try await next.written()
    #expect(await next.isEmptied())
    #expect(server.attempts.map(\.count) == [2] && server.applied == ["revise 1 v1"])
    withExtendedLifetime(outbox) {}
  }

  @Test
  func `O1, O8: what is performed while the account signs out is stored or refused`()
    async throws
  {
    let outbox = Outbox(server, storage, isPaused: true)
    let performing = (0..<40).map { version in
      Task { () -> Int? in
        do {
          try await outbox.perform(Revise(target: version, version: version))
          return version
        } catch OutboxError.signedOut {
          return nil
        }
      }
    }
    try await outbox.signOut(.keep)
    var accepted: Set<Int> = []
    for task in performing {
      if let version = try await task.value { accepted.insert(version) }
    }
    let next = Outbox(server, storage, isPaused: true)
    try await next.written()
    let stored = next.status.mutations.compactMap { $0.mutation(as: Revise.self)?.version }
    #expect(Set(stored) == accepted)
    withExtendedLifetime(outbox) {}
  }
}
