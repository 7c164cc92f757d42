import Foundation

@testable import Freshet

/// Where the code of a user stands still, so that an engine does inside of an event.
///
/// Let a thread of your own stand there where you can: tasks have no more threads than the machine
/// has cores. Whoever waits too long goes on and is noted: a test fails then, and does not hang.
final class Gate: Sendable {
  private struct State {
    var isShut = false
    var hasGivenUp = false
  }

  private let state = Locked(State())
  private let opened = DispatchSemaphore(value: 0)
  private let arrivals = AsyncStream<Void>.makeStream()

  /// Whether somebody waited in vain.
  var hasGivenUp: Bool { state.withLock { $0.hasGivenUp } }

  func shut() { state.withLock { $0.isShut = true } }

  func open() {
    state.withLock { $0.isShut = false }
    opened.signal()
  }

  /// Waits while the gate is shut.
  func pass() {
    guard state.withLock({ $0.isShut && !$0.hasGivenUp }) else { return }
    arrivals.continuation.yield()
    if opened.wait(timeout: .now() + 240) == .timedOut {
      state.withLock { $0.hasGivenUp = true }
    }
    // For the next one who waits.
    opened.signal()
  }

  /// Waits until somebody stands before the gate.
  func arrival() async {
    for await _ in arrivals.stream { return }
  }
}
