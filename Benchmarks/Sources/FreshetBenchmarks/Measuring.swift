import CMalloc

/// The medians of two actions that take turns.
func medians(
  rounds: Int = 7, _ first: () -> Void, _ second: () -> Void
) -> (first: Duration, second: Duration) {
  let clock = ContinuousClock()
  var times: [(Duration, Duration)] = []
  for _ in 0..<rounds { times.append((clock.measure(first), clock.measure(second))) }
  return (times.map(\.0).sorted()[rounds / 2], times.map(\.1).sorted()[rounds / 2])
}

/// The median of an action that waits.
func median(rounds: Int = 7, _ action: () async throws -> Void) async rethrows -> Duration {
  var times: [Duration] = []
  for _ in 0..<rounds { times.append(try await ContinuousClock().measure { try await action() }) }
  return times.sorted()[rounds / 2]
}

func milliseconds(_ duration: Duration) -> String {
  let value = duration / .milliseconds(1)
  return "\((value * 1000).rounded() / 1000)"
}

/// How many times as long, with one digit where it is small.
func ratio(_ other: Duration, _ ours: Duration) -> String {
  let ratio = other / ours
  return ratio < 10 ? "\((ratio * 10).rounded() / 10)x" : "\(Int(ratio.rounded()))x"
}

/// How many bytes are allocated now.
func allocatedBytes() -> Int { Int(allocated_bytes()) }
