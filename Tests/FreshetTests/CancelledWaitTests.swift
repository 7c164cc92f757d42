import FreshetTesting
import Testing

/// A broken test fails at its time limit, and does not hang the run: what waits ends with its task.
@Suite(.timeLimit(.minutes(1)))
struct CancelledWaitTests {
  @Test
  func `a cancelled task stops waiting for sleepers that do not come`() async {
    let clock = ManualClock()
    let wait = Task { await clock.sleepers(1) }
    wait.cancel()
    #expect(await wait.value == false)
  }

  @Test
  func `a cancelled task stops waiting for requests that do not come`() async {
    let server = ScriptedServer([Post(id: 1)])
    let wait = Task { await server.waiting(1) }
    wait.cancel()
    #expect(await wait.value == false)
  }
}
