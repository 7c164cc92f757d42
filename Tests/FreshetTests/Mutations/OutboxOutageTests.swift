import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What an outbox sends while the source cannot be reached, and once it can again.
@Suite(.timeLimit(.minutes(5)))
struct OutboxOutageTests {
  private struct Refused: LoadFailure {
    var isTransient: Bool { true }
  }

  /// A source that can be unreachable, as a whole or for one item.
  private final class Source: Sendable {
    struct State {
      var isUnreachable = false
      var unreachable: Set<Int> = []
      var attempts: [Int: Int] = [:]
      var applied: [Int] = []
    }
    let state = Locked(State())

    var applied: [Int] { state.withLock { $0.applied.sorted() } }

    func attempts(of target: Int) -> Int { state.withLock { $0.attempts[target] ?? 0 } }

    func outbox(_ clock: ManualClock) -> Outbox {
      let policy = RetryPolicy(attempts: 3, base: .seconds(2), limit: .seconds(120), jitter: 0)
      return Outbox(.memory, retryPolicy: policy, clock: clock) {
        Sender(Revise.self, timeout: .seconds(100_000)) { [self] revise, _ in
          try state.withLock { state in
            state.attempts[revise.target, default: 0] += 1
            if state.isUnreachable || state.unreachable.contains(revise.target) {
              throw URLError(.notConnectedToInternet)
            }
            state.applied.append(revise.target)
          }
        }
      }
    }
  }

  private let source = Source()
  private let clock = ManualClock()

  /// Advances the clock past the waits of all mutations until one of them was sent this often.
  private func advance(_ outbox: Outbox, until attempts: Int, of target: Int) async -> Bool {
    while source.attempts(of: target) < attempts {
      let before = source.attempts(of: target)
      guard await eventually({ outbox.status.mutations.allSatisfy(\.isRetrying) }),
        await clock.sleepers(outbox.status.mutations.count)
      else { return false }
      clock.advance(by: .seconds(120))
      guard await eventually({ source.attempts(of: target) > before }) else { return false }
    }
    return true
  }

  @Test
  func `O3: an answer ends the waits of all that failed without a network`() async throws {
    let outbox = source.outbox(clock)
    source.state.withLock { $0.isUnreachable = true }
    for target in 1...20 { try await outbox.perform(Revise(target: target, version: 1)) }
    #expect(await advance(outbox, until: 6, of: 1))
    #expect(await eventually { outbox.status.mutations.allSatisfy(\.isRetrying) })
    source.state.withLock { $0.isUnreachable = false }
    // Time does not pass: the next attempts would be due in a minute.
    try await outbox.perform(Revise(target: 21, version: 1))
    #expect(await outbox.isEmptied())
    #expect(source.applied == Array(1...21))
  }

  @Test
  func `O3: a mutation that always fails is not sent at the pace of the others`() async throws {
    let outbox = source.outbox(clock)
    source.state.withLock { $0.unreachable = [0] }
    try await outbox.perform(Revise(target: 0, version: 1))
    #expect(await eventually { outbox.status.mutations.first?.isRetrying == true })
    for round in 1...4 {
      for target in 1...20 {
        try await outbox.perform(Revise(target: round * 100 + target, version: 1))
      }
      #expect(await eventually { outbox.status.mutations.count == 1 })
      #expect(await eventually { outbox.status.mutations.first?.isRetrying == true })
      // One attempt when an answer arrived, and one after each full wait.
      #expect(source.attempts(of: 0) == 2 * round)
      #expect(await advance(outbox, until: 2 * round + 1, of: 0))
      #expect(await eventually { outbox.status.mutations.first?.isRetrying == true })
    }
  }

  @Test
  func `O3: waits double, so that the last one is no longer than the outage`() async throws {
    let outbox = source.outbox(clock)
    source.state.withLock { $0.isUnreachable = true }
    try await outbox.perform(Revise(target: 1, version: 1))
    for (attempts, wait) in [2, 4, 8, 16, 32, 64, 120, 120].enumerated() {
      #expect(await eventually { outbox.status.mutations.first?.isRetrying == true })
      #expect(await clock.sleepers(1))
      clock.advance(by: .seconds(wait - 1))
      // The wait is not over: it would no longer sleep.
      #expect(clock.sleeping == 1 && source.attempts(of: 1) == attempts + 1)
      clock.advance(by: .seconds(1))
      #expect(await eventually { source.attempts(of: 1) == attempts + 2 })
    }
  }

  @Test
  func `O3: an answer does not shorten a wait for which the source asked`() throws {
    var queue = OutboxQueue()
    for target in 1...3 {
      let id = "\(target)"
      queue.add(
        try OutboxMutation(Revise(target: target, version: 1), id: id, at: Date(), list: nil))
      queue.noteStored(id)
    }
    #expect(queue.takeReady(atMost: 3).count == 3)
    queue.fail("1", MutationFailure(Refused()), isFinal: false, hasToWait: true)
    queue.fail("2", MutationFailure(Refused()), isFinal: false)
    queue.answer("3", target: nil)
    #expect(queue.endOutage() == ["2"])
    #expect(queue.takeReady(atMost: 3).map(\.mutation.id) == ["2"])
    queue.fail("2", MutationFailure(Refused()), isFinal: false)
    #expect(queue.endOutage().isEmpty)
    queue.wake("2")
    #expect(queue.takeReady(atMost: 3).map(\.mutation.id) == ["2"])
    queue.fail("2", MutationFailure(Refused()), isFinal: false)
    #expect(queue.endOutage() == ["2"])
  }
}

extension PendingMutation {
  fileprivate var isRetrying: Bool {
    if case .retrying = progress { true } else { false }
  }
}
