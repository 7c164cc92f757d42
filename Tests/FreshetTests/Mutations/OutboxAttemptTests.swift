import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Attempts that end without an answer.
@Suite(.timeLimit(.minutes(5)))
struct OutboxAttemptTests {
  private let server = MutationServer()
  private let clock = ManualClock()

  @Test
  func `O3: an attempt that takes too long is repeated, and its late answer is ignored`()
    async throws
  {
    let outbox = Outbox(server, clock: clock)
    server.close()
    try await outbox.perform(Revise(target: 1, version: 1))
    try await outbox.perform(Revise(target: 1, version: 2))
    #expect(await eventually { server.waiting == 1 })
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(120))
    #expect(await outbox.isRetrying(after: 1))
    // The sender ignores its cancellation, and still waits.
    #expect(server.waiting == 1 && server.applied == [])
    server.open()
    #expect(await eventually { server.applied == ["revise 1 v1"] })
    #expect(outbox.status.mutations.count == 2)
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(60))
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 1 v1", "revise 1 v2"])
    #expect(server.attempts.map(\.count).sorted() == [1, 2])
  }

  @Test
  func `O3: the task of an attempt that takes too long is cancelled`() async throws {
    let isCancelled = Locked(false)
    let clock = clock
    let outbox = Outbox(.memory, clock: clock) {
      Sender(Revise.self, timeout: .seconds(5)) { _, _ in
        do {
          try await ManualClock().sleep(for: .seconds(1))
        } catch {
          isCancelled.withLock { $0 = true }
          throw error
        }
      }
    }
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(5))
    #expect(await outbox.isRetrying(after: 1))
    #expect(await eventually { isCancelled.withLock { $0 } })
  }

  @Test(arguments: [
    URLError.Code.badServerResponse, .cannotParseResponse, .networkConnectionLost,
    .zeroByteResource, .resourceUnavailable, .cancelled, .timedOut, .cannotDecodeRawData,
  ])
  func `O3: a mutation is repeated with its key if no answer says what became of it`(
    code: URLError.Code
  ) async throws {
    let outbox = Outbox(server, clock: clock)
    server.fail(with: URLError(code), FeedError.source(URLError(code)))
    try await outbox.perform(Revise(target: 1, version: 1))
    for attempts in 1...2 {
      #expect(await outbox.isRetrying(after: attempts))
      #expect(await clock.sleepers(1))
      // The waits are those of the policy: 1 and 2 seconds at most.
      clock.advance(by: .seconds(attempts))
    }
    #expect(await outbox.isEmptied())
    #expect(server.attempts == [[0, 1, 2]] && server.applied == ["revise 1 v1"])
  }

  @Test
  func `O3: a rate limit holds back all lanes, for as long as the source asks`() async throws {
    let outbox = Outbox(server, clock: clock)
    server.fail(with: Busy(retryAfter: .seconds(30)))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await outbox.isRetrying(after: 1))
    #expect(await clock.sleepers(2))
    try await outbox.perform(Revise(target: 2, version: 1))
    outbox.resume()
    try await outbox.perform(Revise(target: 3, version: 1))
    clock.advance(by: .seconds(29))
    #expect(server.attempts.count == 1 && server.applied == [])
    #expect(outbox.status.mutations.count == 3)
    clock.advance(by: .seconds(1))
    #expect(await outbox.isEmptied())
    #expect(server.attempts.map(\.count).sorted() == [1, 1, 2])
  }

  @Test
  func `O3: of two rate limits the longer one counts`() async throws {
    let outbox = Outbox(server, clock: clock)
    server.close()
    server.fail(with: Busy(retryAfter: .seconds(40)), Busy(retryAfter: .seconds(10)))
    for target in 1...2 { try await outbox.perform(Revise(target: target, version: 1)) }
    #expect(await eventually { server.waiting == 2 })
    server.open()
    #expect(await eventually { outbox.state.withLock { $0.rateLimits.count == 2 } })
    #expect(await clock.sleepers(4))
    clock.advance(by: .seconds(39))
    #expect(await eventually { outbox.state.withLock { $0.rateLimits.count == 1 } })
    #expect(server.applied == [])
    clock.advance(by: .seconds(3))
    #expect(await outbox.isEmptied())
  }

  @Test(arguments: [URLError.Code.badURL, .serverCertificateUntrusted])
  func `O4: an error that no repetition mends is final`(code: URLError.Code) async throws {
    let outbox = Outbox(server, clock: clock)
    server.fail(with: URLError(code))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await eventually { outbox.status.failed.count == 1 })
  }

  @Test
  func `O2: while a mutation waits for an attempt, its lane waits, and other lanes go on`()
    async throws
  {
    let outbox = Outbox(server, clock: clock)
    server.fail(with: URLError(.networkConnectionLost))
    try await outbox.perform(Revise(target: 1, version: 1))
    #expect(await outbox.isRetrying(after: 1))
    try await outbox.perform(Revise(target: 1, version: 2))
    try await outbox.perform(Revise(target: 2, version: 3))
    // Its answer ends the wait.
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["revise 2 v3", "revise 1 v1", "revise 1 v2"])
  }
}
