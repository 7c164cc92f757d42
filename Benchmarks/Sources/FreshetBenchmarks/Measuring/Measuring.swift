import CMalloc
import Foundation

/// What a process computes is measured, on all of its threads: others who keep the machine busy do
/// not count.
///
/// Where files or databases are waited for, the time on the clock counts instead.
enum Measure {
  case computing
  case waiting

  var now: Duration {
    var time = timespec()
    clock_gettime(self == .computing ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// The medians of what two actions compute that take turns.
func medians(
  rounds: Int = 7, _ first: () -> Void, _ second: () -> Void
) -> (first: Duration, second: Duration) {
  var times: (first: [Duration], second: [Duration]) = ([], [])
  for _ in 0..<rounds {
    let start = Measure.computing.now
    first()
    let between = Measure.computing.now
    second()
    times.first.append(between - start)
    times.second.append(Measure.computing.now - between)
  }
  return (times.first.sorted()[rounds / 2], times.second.sorted()[rounds / 2])
}

/// The median of one action.
func median(
  rounds: Int = 7, _ measure: Measure = .computing, _ action: () async throws -> Void
) async rethrows -> Duration {
  var times: [Duration] = []
  for _ in 0..<rounds {
    let start = measure.now
    try await action()
    times.append(measure.now - start)
  }
  return times.sorted()[rounds / 2]
}

func milliseconds(_ duration: Duration) -> String { "\(rounded(duration / .milliseconds(1), 3))" }

func rounded(_ value: Double, _ digits: Int) -> Double {
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  return (value * scale).rounded() / scale
}

/// How many times as long, with one digit where it is small.
func ratio(_ other: Duration, _ ours: Duration) -> String {
  let ratio = other / ours
  return ratio < 10 ? "\((ratio * 10).rounded() / 10)x" : "\(Int(ratio.rounded()))x"
}

/// How many bytes are allocated now.
func allocatedBytes() -> Int { Int(allocated_bytes()) }
