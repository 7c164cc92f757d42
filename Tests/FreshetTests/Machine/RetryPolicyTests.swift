import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// When a policy asks again.
@Suite(.timeLimit(.minutes(5)))
struct RetryPolicyTests {
  @Test
  func
    `the polite policy makes few attempts, spread over all of their time, and obeys two minutes`()
    throws
  {
    var waits: [Duration] = []
    for seed in SeededGenerator.seeds(200) {
      var policy = RetryPolicy.polite
      policy = RetryPolicy(
        attempts: policy.attempts, base: policy.base, limit: policy.limit, jitter: policy.jitter,
        generator: SeededGenerator(seed: seed))
      let found = policy.wait(after: .unavailable(), attempt: 0)
      waits.append(try #require(found))
      let asked = policy.wait(after: .unavailable(120), attempt: 2)
      #expect(try #require(asked) >= .seconds(120))
      #expect(policy.wait(after: .unavailable(121), attempt: 0) == nil)
      #expect(policy.wait(after: .unavailable(), attempt: 3) == nil)
    }
    #expect(
      waits.contains { $0 < .milliseconds(400) } && waits.contains { $0 > .milliseconds(1600) })
  }

  @Test(arguments: [
    (URLError.Code.serverCertificateUntrusted, false), (.unsupportedURL, false), (.timedOut, true),
    (.networkConnectionLost, true), (.badServerResponse, false),
  ])
  func `an error of URLSession in a source of one's own is asked again where it may pass`(
    code: URLError.Code, isTransient: Bool
  ) {
    #expect(FeedError.source(URLError(code)).isTransient == isTransient)
  }

  @Test
  func `an error of a source that says to wait is waited for, whatever it says`() {
    for wait in [Duration.seconds(-5), .zero, .seconds(Int64.min), .seconds(Int64.max)] {
      var policy = RetryPolicy(generator: SeededGenerator(seed: 1))
      let error = FeedError.source(ScriptedFailure(isTransient: true, retryAfter: wait))
      let asked = policy.wait(after: error, attempt: 0)
      #expect((asked == nil) == (wait > .seconds(60)))
      #expect(asked ?? .zero <= .seconds(1))
    }
    var policy = RetryPolicy(generator: SeededGenerator(seed: 1))
    let asked = policy.wait(after: .unavailable(30), attempt: 0)
    #expect(asked.map { (.seconds(30)...(.seconds(31))).contains($0) } == true)
    // A clock bears no wait of ages, whatever the limit.
    policy = RetryPolicy(limit: .seconds(Int64.max), generator: SeededGenerator(seed: 1))
    let never = policy.wait(after: .unavailable(1e12), attempt: 0)
    #expect(never == nil)
  }

  @Test
  func `waits double, within half of their length, up to the limit`() throws {
    var policy = RetryPolicy(attempts: 50, generator: SeededGenerator(seed: 7))
    for attempt in 0..<50 {
      let longest = min(Duration.seconds(1) * (1 << min(attempt, 30)), .seconds(60))
      let found = policy.wait(after: .unavailable(), attempt: attempt)
      let wait = try #require(found)
      #expect(wait <= longest && wait >= longest / 2)
    }
    let last = policy.wait(after: .unavailable(), attempt: 50)
    #expect(last == nil)
  }

  @Test(arguments: [
    Duration.zero, .seconds(-1), .milliseconds(1), .seconds(3_000_000), .seconds(Int64.max),
    .seconds(Int64.min),
  ])
  func `waits of any length stay within what was asked for`(length: Duration) {
    for (base, limit) in [(length, .seconds(60)), (.seconds(1), length), (length, length)] {
      var policy = RetryPolicy(
        attempts: 100, base: base, limit: limit, generator: SeededGenerator(seed: 7))
      for attempt in [0, 1, 19, 20, 63, 64, 99] {
        guard let wait = policy.wait(after: .unavailable(), attempt: attempt) else {
          #expect(limit < .zero)
          continue
        }
        #expect(wait >= .zero && wait <= max(limit, .zero))
      }
    }
  }

  @Test
  func `the brief policy gives up within four seconds, and waits for no server longer than ten`() {
    for seed in SeededGenerator.seeds(50) {
      let brief = RetryPolicy.brief
      var policy = RetryPolicy(
        attempts: brief.attempts, base: brief.base, limit: brief.limit, jitter: brief.jitter,
        generator: SeededGenerator(seed: seed))
      var (total, attempt) = (Duration.zero, 0)
      while let wait = policy.wait(after: .unavailable(), attempt: attempt) {
        total += wait
        attempt += 1
      }
      #expect(attempt == 3 && total > .seconds(1) && total <= .seconds(4))
      let longer = policy.wait(after: .unavailable(11), attempt: 0)
      #expect(longer == nil)
    }
  }
}
