import FreshetTesting
import Testing

/// A broken test fails at its time limit, and does not hang the run: what waits ends with its task.
@Suite(.timeLimit(.minutes(5)))
struct CancelledWaitTests {
  @Test
  func `a cancelled task stops waiting for sleepers that do not come`() async {
    let clock = ManualClock()
    await expectEndAtOnce(of: Task { await clock.sleepers(1) })
  }

  @Test
  func `a cancelled task stops waiting for requests that do not come`() async {
    let server = ScriptedServer([Post(id: 1)])
    await expectEndAtOnce(of: Task { await server.waiting(1) })
  }

  /// Long before the wait would be given up.
  private func expectEndAtOnce(of wait: Task<Bool, Never>) async {
    wait.cancel()
    let duration = await ContinuousClock().measure {
      #expect(await wait.value == false)
    }
    #expect(duration < .seconds(10))
  }
}
