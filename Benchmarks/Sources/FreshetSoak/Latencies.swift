/// How long each of millions of calls took, to the microsecond.
struct Latencies {
  private var counts = [Int](repeating: 0, count: 1_000_000)
  private(set) var total = 0
  private(set) var longest = Duration.zero

  mutating func add(_ duration: Duration) {
    counts[min(counts.count - 1, Int(duration / .microseconds(1)))] += 1
    total += 1
    longest = max(longest, duration)
  }

  /// The time within which this part of the calls returned, in milliseconds.
  func percentile(_ part: Double) -> Double {
    var left = Int((Double(total) * part).rounded(.up))
    for (microseconds, count) in counts.enumerated() {
      left -= count
      if left <= 0 { return Double(microseconds + 1) / 1_000 }
    }
    return longest / .milliseconds(1)
  }
}
